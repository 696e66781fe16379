import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../eventually.ts';
import { systemClock } from '../../../src/main/clock.ts';
import type { TeamCopy, TeamJoining } from '../../../src/main/objects/team/team-copy.ts';
import type { SyncState } from '../../../src/main/team/sync-state.ts';
import { startTeamSync, type TeamSync } from '../../../src/main/team/team-sync.ts';
import type { startTeamThread } from '../../../src/main/team/team-thread.ts';
import { placeOf } from './place.ts';
import { startHere } from './start-here.ts';
import type { Member, TeamDatabase } from './team-database.ts';

export type Following<Copy> = {
  readonly copy: Copy;
  readonly sync: TeamSync;
  readonly syncStates: SyncState[];
  /** Each delay that was requested from the clock, in ms. */
  readonly waits: number[];
  readonly until: (kind: SyncState['kind'], why?: string) => Promise<void>;
  /** For a standing that may pass quickly: waits until it has occurred since the last one waited for. */
  readonly untilSeen: (kind: SyncState['kind'], why?: string) => Promise<void>;
};

export const joinAs = (team: TeamDatabase, member: Member, port: number): TeamJoining => ({
  place: JSON.stringify(placeOf(team, member, port)),
  list: team.list,
  me: member.id,
  sharesEarlier: false,
});

/** Keeps a copy in step until the end of the test. @param timesAsFast speed of its clock: a minute takes three seconds */
export function followTeam<Copy extends TeamCopy>(
  serviceId: string,
  { role }: Member,
  copy: Copy,
  {
    startThread = startHere,
    timesAsFast = 20,
    random = () => 0,
  }: { startThread?: typeof startTeamThread; timesAsFast?: number; random?: () => number } = {},
): Following<Copy> {
  const syncStates: SyncState[] = [];
  const waits: number[] = [];
  const delay: typeof systemClock.delay = (ms, signal) => {
    waits.push(ms);
    return systemClock.delay(ms / timesAsFast, signal);
  };
  const sync = startTeamSync({
    serviceId,
    copy,
    credentials: async () => ({ password: role.password, passphrase: null }),
    clock: { ...systemClock, delay },
    random,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    onSyncState: (syncState) => syncStates.push(syncState),
    startThread,
  });
  onTestFinished(() => sync.stop());
  /** The number of standings up to the last one waited for. */
  let seen = 0;
  const until: Following<Copy>['until'] = (kind, why) =>
    eventually(() => {
      expect(sync.syncState()).toMatchObject({ kind, ...(why && { why }) });
      seen = syncStates.length;
    });
  const untilSeen: Following<Copy>['untilSeen'] = (kind, why) =>
    eventually(() => {
      const at = syncStates.findIndex(
        (each, number) =>
          number >= seen && each.kind === kind && (why === undefined || ('why' in each && each.why === why)),
      );
      expect(at, `${kind} among ${JSON.stringify(syncStates)}`).not.toBe(-1);
      seen = at + 1;
    });
  return { copy, sync, syncStates, waits, until, untilSeen };
}
