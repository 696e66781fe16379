import type { Handlers } from '../../shared/contract.ts';
import type { TeamStanding, TeamStatus } from '../../shared/domain/team.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { CredentialStore } from '../connections/credential-store.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { KeyedMutex } from '../lib/async.ts';
import { throttle } from '../lib/timers.ts';
import type { Grants } from '../local-files/grants.ts';
import type { TeamCopy, TeamState } from '../objects/team/team-copy.ts';
import type { Clock, Log, Publisher } from '../ports.ts';
import { createJoining, joinedPlaceSchema, type JoinedPlace } from './joining.ts';
import { createTeamPasswords } from './passwords.ts';
import { startTeamSync, type TeamSync } from './team-sync.ts';
import type { startTeamThread } from './team-thread.ts';
import { createVisits, serverFailure, shownWhy } from './visits.ts';

/** How soon the window hears of a change, and how often. */
const changedMs = [100, 250] as const;

export interface Teams {
  readonly handlers: Pick<Handlers, Extract<keyof Handlers, `team.${string}`>>;
  /** Call when rows of a service may have changed: some may be due. */
  objectsChanged(serviceId: string): void;
  /** Call when the computer wakes up or the network is back. */
  wake(): void;
  /** Call under the service's lock. @throws AppFailure serviceInTeam: what waits is about the service at the address of now */
  requireMovable(serviceId: string): Promise<void>;
  /** Call under the service's lock, when it is removed: its list stays private, if it stays. */
  removeService(serviceId: string): Promise<void>;
  close(): Promise<void>;
}

/** The team's list of each service that has one. Goes on with those of the last run. */
export function createTeams(deps: {
  copy: TeamCopy;
  book: Pick<ServiceRepository, 'get' | 'list' | 'find'>;
  credentials: CredentialStore;
  grants: Grants;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  /** One thing at a time is done to a service: also changing its address, and removing it. */
  serviceLock: KeyedMutex<string>;
  setNote: (objectId: number, note: string) => Promise<unknown>;
  /** false: a command has the list open for a moment, and follows no team. */
  follows: boolean;
  startThread?: typeof startTeamThread;
}): Teams {
  const { copy, book, clock, log, publisher, serviceLock, follows, startThread } = deps;
  const passwords = createTeamPasswords(deps.credentials, log);
  const visits = createVisits(startThread);
  const joining = createJoining({ ...deps, passwords, visits });
  const following = new Map<string, TeamSync>();
  /** By service: also those of a command, which last for one synchronisation. */
  const running = new Map<TeamSync, string>();
  /** Whose password is not here. */
  const locked = new Set<string>();
  const touched = new Set<string>();
  let revision = 0;
  let isClosing = false;

  const tell = throttle(
    () => {
      revision += 1;
      for (const serviceId of touched) publisher.publish('team.changed', { serviceId, revision });
      touched.clear();
    },
    ...changedMs,
  );
  function changed(serviceId: string): void {
    if (isClosing) return;
    touched.add(serviceId);
    tell();
  }

  const placeOf = (state: TeamState): JoinedPlace => joinedPlaceSchema.parse(JSON.parse(state.place));

  async function require(serviceId: string): Promise<{ state: TeamState; place: JoinedPlace }> {
    book.get(serviceId);
    const state = await copy.stateOf(serviceId);
    if (state === null) throw new AppFailure({ code: 'notFound', what: 'team' });
    return { state, place: placeOf(state) };
  }

  /** Under the lock. null: its password is not here. */
  async function startSync(serviceId: string, place: JoinedPlace): Promise<TeamSync | null> {
    const kept = await passwords.find(serviceId, place);
    if (kept === null) return null;
    const sync = startTeamSync({
      serviceId,
      copy,
      credentials: async () => (await passwords.find(serviceId, place)) ?? kept,
      clock,
      random: Math.random,
      log,
      onStanding: () => changed(serviceId),
      ...(startThread && { startThread }),
    });
    running.set(sync, serviceId);
    return sync;
  }

  async function stop(sync: TeamSync): Promise<void> {
    await sync.stop();
    running.delete(sync);
  }

  /** Under the lock. */
  async function follow(serviceId: string): Promise<void> {
    await unfollow(serviceId);
    const state = book.find(serviceId) && (await copy.stateOf(serviceId));
    if (!state || !follows || isClosing) return;
    const sync = await startSync(serviceId, placeOf(state));
    if (sync === null) locked.add(serviceId);
    else if (isClosing) await stop(sync);
    else following.set(serviceId, sync);
    changed(serviceId);
  }

  /** Under the lock. */
  async function unfollow(serviceId: string): Promise<void> {
    locked.delete(serviceId);
    following.delete(serviceId);
    const own = [...running].filter(([, of]) => of === serviceId);
    await Promise.all(own.map(([sync]) => stop(sync)));
  }

  function followLater(serviceId: string): void {
    serviceLock
      .runExclusive(serviceId, () => follow(serviceId))
      .catch((cause: unknown) => log.error('the team’s list is not followed', { serviceId, cause }));
  }

  function standingOf(serviceId: string): TeamStanding {
    if (locked.has(serviceId)) return { kind: 'refused', why: 'noPassword' };
    const standing = following.get(serviceId)?.standing() ?? { kind: 'off' };
    if (standing.kind === 'refused') return { kind: 'refused', why: shownWhy(standing.why) };
    if (standing.kind !== 'asOf') return standing;
    const { ms, why } = standing;
    return { kind: 'asOf', ms, why: why === 'connecting' || why === 'local' ? why : shownWhy(why) };
  }

  async function statusOf(serviceId: string): Promise<TeamStatus | null> {
    const state = await copy.stateOf(serviceId);
    if (state === null) return null;
    const place = placeOf(state);
    const { host, port, database, role, listName } = place;
    return {
      server: { host, port, database, role },
      list: { id: state.list, name: listName },
      me: state.me,
      standing: standingOf(serviceId),
      due: state.due,
      setAside: state.refused,
      keptApart: state.keptApart,
      passwordStoredIn: passwords.keptIn(serviceId, place),
    };
  }

  /** Pushes and pulls once. Without a running loop, as in a command, one runs for that long. */
  async function syncOnce(serviceId: string): Promise<void> {
    const followed = following.get(serviceId);
    const [place, sync] = await serviceLock.runExclusive(serviceId, async () => {
      const found = await require(serviceId);
      return [found.place, followed ?? (await startSync(serviceId, found.place))] as const;
    });
    if (sync === null)
      throw new AppFailure({ code: 'teamPasswordMissing', role: place.role, host: place.host });
    try {
      const standing = await sync.sync();
      if (standing.kind === 'refused' || standing.kind === 'asOf') {
        const { why } = standing;
        // The log says what is wrong here.
        if (why === 'local' || why === 'connecting') throw new Error('The team’s list was not written');
        throw serverFailure(why, place);
      }
    } finally {
      if (sync !== followed) await stop(sync);
    }
  }

  if (follows) for (const { id } of book.list()) followLater(id);

  return {
    handlers: {
      async 'team.status'({ serviceId }) {
        book.get(serviceId);
        const team = await statusOf(serviceId);
        return { revision, team };
      },
      'team.readInvitation': ({ invitation }) => joining.readInvitation(invitation),
      'team.look': ({ access }) => joining.look(access),
      async 'team.earlier'({ serviceId }) {
        book.get(serviceId);
        return { count: await copy.earlierCount(serviceId) };
      },
      'team.join': (input) =>
        serviceLock.runExclusive(input.serviceId, async () => {
          await joining.join(input);
          await follow(input.serviceId);
          changed(input.serviceId);
          return undefined;
        }),
      'team.signIn': (input) =>
        serviceLock.runExclusive(input.serviceId, async () => {
          const { serviceId } = input;
          const { place } = await require(serviceId);
          await joining.signIn(serviceId, place, input);
          await follow(serviceId);
          return undefined;
        }),
      'team.retry': ({ serviceId }) =>
        serviceLock.runExclusive(serviceId, async () => {
          await require(serviceId);
          await follow(serviceId);
          return undefined;
        }),
      async 'team.sync'({ serviceId }) {
        await require(serviceId);
        if (standingOf(serviceId).kind === 'refused')
          await serviceLock.runExclusive(serviceId, () => follow(serviceId));
        await syncOnce(serviceId);
        const { state } = await require(serviceId);
        return { due: state.due, setAside: state.refused };
      },
      'team.leave': ({ serviceId, keep, unshared }) =>
        serviceLock.runExclusive(serviceId, async () => {
          await require(serviceId);
          await unfollow(serviceId);
          try {
            const { state } = await require(serviceId);
            const count = state.due + state.refused;
            if (count > 0 && unshared === 'ask') throw new AppFailure({ code: 'teamUnshared', count });
            // First, since only that can fail without anything being lost.
            await passwords.remove(serviceId);
            await copy.leave(serviceId, keep);
          } finally {
            await follow(serviceId);
          }
          changed(serviceId);
          return undefined;
        }),
      async 'team.people'({ serviceId }) {
        book.get(serviceId);
        const state = await copy.stateOf(serviceId);
        return { me: state?.me ?? null, people: [...(await copy.people(serviceId))] };
      },
      async 'team.invite'(input) {
        const { serviceId, role } = input;
        const max = 63;
        if (Buffer.byteLength(role) > max)
          throw new AppFailure({ code: 'invalidInput', field: 'role', problem: 'tooLong', limit: max });
        const { state, place } = await require(serviceId);
        const kept = await passwords.find(serviceId, place);
        if (kept === null)
          throw new AppFailure({ code: 'teamPasswordMissing', role: place.role, host: place.host });
        return joining.invite(place, state.list, kept, input);
      },
      async 'team.keptApart'({ serviceId }) {
        book.get(serviceId);
        return { entries: [...(await copy.keptApart(serviceId))] };
      },
      async 'team.settle'({ serviceId, keptApartId, use }) {
        book.get(serviceId);
        const found = (await copy.keptApart(serviceId)).find(({ id }) => id === keptApartId);
        if (!found) throw new AppFailure({ code: 'notFound', what: 'keptApart' });
        if (use === 'mine') await deps.setNote(found.objectId, found.mine);
        await copy.forgetApart(serviceId, keptApartId);
        changed(serviceId);
        return undefined;
      },
    },
    objectsChanged(serviceId) {
      const sync = following.get(serviceId);
      sync?.noteChange();
      if (sync !== undefined || locked.has(serviceId)) changed(serviceId);
    },
    wake() {
      for (const serviceId of locked) followLater(serviceId);
      for (const sync of following.values()) void sync.sync();
    },
    async requireMovable(serviceId) {
      const state = await copy.stateOf(serviceId);
      if (state === null) return;
      throw new AppFailure({ code: 'serviceInTeam', list: placeOf(state).listName, problem: 'address' });
    },
    async removeService(serviceId) {
      // First, since only that can fail without anything being lost.
      await passwords.remove(serviceId);
      await unfollow(serviceId);
      await copy.leave(serviceId, 'all');
    },
    async close() {
      isClosing = true;
      tell.cancel();
      await Promise.all([visits.close(), ...[...running.keys()].map((sync) => sync.stop())]);
    },
  };
}
