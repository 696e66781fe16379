import type { TeamSyncState } from '../../shared/domain/team.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { KeyedMutex } from '../lib/async.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';
import type { Clock, Log } from '../ports.ts';
import type { JoinedPlace } from './joining.ts';
import type { TeamPasswords } from './passwords.ts';
import { startTeamSync, type TeamSync } from './team-sync.ts';
import type { startTeamThread } from './team-thread.ts';
import { serverFailure } from './visits.ts';

/** The loops that keep lists in step with their teams', one for each service with a team. */
export interface Following {
  /** Starts over, also after a refusal. Call under the service's lock. */
  start(serviceId: string): Promise<void>;
  /** Takes the lock itself. */
  startLater(serviceId: string): void;
  /** Call under the service's lock before its team changes: a loop writes what it has read to the current list. */
  stop(serviceId: string): Promise<void>;
  syncStateOf(serviceId: string): TeamSyncState;
  /**
   * Pushes and pulls once. In a command, which has no loop, one runs just for this. Takes the lock itself.
   * @throws AppFailure notFound (team), teamServer, teamPasswordMissing, cancelled
   */
  syncOnce(serviceId: string): Promise<void>;
  objectsChanged(serviceId: string): void;
  wake(): void;
  close(): Promise<void>;
}

export function createFollowing(deps: {
  copy: TeamCopy;
  /** @returns null: the service has no team, or there is no such service */
  placeNow: (serviceId: string) => Promise<JoinedPlace | null>;
  passwords: TeamPasswords;
  clock: Clock;
  log: Log;
  serviceLock: KeyedMutex<string>;
  /** false: a command follows no team. */
  follows: boolean;
  onChanged: (serviceId: string) => void;
  startThread?: typeof startTeamThread;
}): Following {
  const { copy, placeNow, passwords, clock, log, serviceLock, follows, onChanged, startThread } = deps;
  const following = new Map<string, TeamSync>();
  /** With their service, including those of commands. */
  const running = new Map<TeamSync, string>();
  /** Services whose password is not available. */
  const locked = new Set<string>();
  let isClosing = false;

  /** Call under the lock. null: the password is not available. */
  async function run(serviceId: string, place: JoinedPlace): Promise<TeamSync | null> {
    const storedPassword = await passwords.find(serviceId, place);
    if (storedPassword === null) return null;
    if (isClosing) throw new AppFailure({ code: 'cancelled' });
    const sync = startTeamSync({
      serviceId,
      copy,
      credentials: async () => (await passwords.find(serviceId, place)) ?? storedPassword,
      clock,
      random: Math.random,
      log,
      onSyncState: () => onChanged(serviceId),
      ...(startThread && { startThread }),
    });
    running.set(sync, serviceId);
    return sync;
  }

  async function end(sync: TeamSync): Promise<void> {
    await sync.stop();
    running.delete(sync);
  }

  async function stop(serviceId: string): Promise<void> {
    locked.delete(serviceId);
    following.delete(serviceId);
    const own = [...running].filter(([, of]) => of === serviceId);
    await Promise.all(own.map(([sync]) => end(sync)));
  }

  async function start(serviceId: string): Promise<void> {
    await stop(serviceId);
    const place = follows && !isClosing ? await placeNow(serviceId) : null;
    if (place === null) return;
    const sync = await run(serviceId, place);
    if (sync === null) locked.add(serviceId);
    else following.set(serviceId, sync);
    onChanged(serviceId);
  }

  function startLater(serviceId: string): void {
    serviceLock
      .runExclusive(serviceId, () => start(serviceId))
      .catch((cause: unknown) => {
        if (!isClosing) log.error('the team’s list is not followed', { serviceId, cause });
      });
  }

  function syncStateOf(serviceId: string): TeamSyncState {
    if (locked.has(serviceId)) return { kind: 'refused', why: 'noPassword' };
    const syncState = following.get(serviceId)?.syncState() ?? { kind: 'off' };
    if (syncState.kind !== 'asOf') return syncState;
    const { due: _, ...asOf } = syncState;
    return asOf;
  }

  return {
    start,
    startLater,
    stop,
    syncStateOf,
    async syncOnce(serviceId) {
      const [place, sync] = await serviceLock.runExclusive(serviceId, async () => {
        if (syncStateOf(serviceId).kind === 'refused') await start(serviceId);
        const found = await placeNow(serviceId);
        if (found === null) throw new AppFailure({ code: 'notFound', what: 'team' });
        return [found, following.get(serviceId) ?? (await run(serviceId, found))] as const;
      });
      if (sync === null)
        throw new AppFailure({ code: 'teamPasswordMissing', role: place.role, host: place.host });
      try {
        const syncState = await sync.sync();
        if (syncState.kind === 'off') {
          // It was stopped under the lock: once we hold that, the reason shows.
          const now = await serviceLock.runExclusive(serviceId, () => placeNow(serviceId));
          throw new AppFailure(now === null ? { code: 'notFound', what: 'team' } : { code: 'cancelled' });
        }
        if (syncState.kind !== 'refused' && syncState.kind !== 'asOf') return;
        const { why } = syncState;
        // The log says what went wrong on this computer.
        if (why === 'local' || why === 'connecting') throw new Error('The team’s list was not written');
        throw serverFailure(why, place);
      } finally {
        if (sync !== following.get(serviceId)) await end(sync);
      }
    },
    objectsChanged(serviceId) {
      const sync = following.get(serviceId);
      sync?.noteChange();
      if (sync !== undefined || locked.has(serviceId)) onChanged(serviceId);
    },
    wake() {
      for (const serviceId of locked) startLater(serviceId);
      for (const sync of following.values()) void sync.sync();
    },
    async close() {
      isClosing = true;
      await Promise.all([...running.keys()].map((sync) => sync.stop()));
    },
  };
}
