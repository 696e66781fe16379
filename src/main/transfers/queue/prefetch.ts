import type { Clock, Log } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { databaseRetryMs } from '../model/back-off.ts';
import { claimSizes } from '../model/batches.ts';
import { newEntry, type Entry } from '../model/active-transfer.ts';
import type { Gates } from './circuit-breakers.ts';
import { claimLanes, type Lane } from './service-queue.ts';
import type { Lane as ClaimLane, TransferStore } from '../model/store-types.ts';

/** What is taken from the file ahead of its turn, and put back. */
export interface Claims {
  /** Takes more from the file before what was taken runs out. */
  refill(lane: Lane): void;
  /** The file may have more. */
  expectMore(lane: Lane): void;
  /** Those that wait for an upload of their identifier are looked for once for all uploads that end meanwhile. */
  expectDeletions(lane: Lane): void;
  /** Takes this record at once: a person waits for it. */
  takeNow(lane: Lane, id: number): Promise<void>;
  /** Runs `work` over the file while nothing is taken from it; what was taken ahead is put back first. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** After an upload has ended. */
const deletionsAfterMs = 100;

export function createClaims(deps: {
  /** Everything in work: what is claimed comes to it. */
  active: Map<number, Entry>;
  lanes: ReadonlyMap<string, Lane>;
  store: Pick<TransferStore, 'claim' | 'unclaim'>;
  connections: Pick<Connections, 'originOf'>;
  gates: Gates;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  isPaused: (profileId: string) => boolean;
  areSlotsFree: () => boolean;
  /** There may be something new to start. */
  onTaken: () => void;
}): Claims {
  const { active, lanes, store, clock, closing, connections, gates, log } = deps;
  const { isPaused, areSlotsFree, onTaken } = deps;
  let actions = 0;

  function refill(lane: Lane): void {
    if (actions > 0 || !gates.of(lane.profileId).isOpen()) return;
    const paused = isPaused(lane.profileId);
    for (const name of claimLanes) {
      const ahead = lane.ahead[name];
      const includesIdle = !ahead.mayHaveMore && ahead.mayHaveIdle && isQuiet();
      if (ahead.claiming || !(ahead.mayHaveMore || includesIdle) || (paused && name !== 'delete')) continue;
      if (ahead.entries.length > claimSizes[name] / 2) continue;
      ahead.claiming = claim(lane, name, includesIdle).finally(() => {
        ahead.claiming = null;
        onTaken();
      });
    }
  }

  /** Nothing else is to be done: what is for then may begin. */
  function isQuiet(): boolean {
    if (!areSlotsFree()) return false;
    for (const { ahead } of lanes.values()) {
      for (const name of ['small', 'large', 'start'] as const) {
        if (ahead[name].mayHaveMore || ahead[name].entries.length > 0 || ahead[name].claiming) return false;
      }
    }
    return true;
  }

  async function claim(lane: Lane, name: ClaimLane, includesIdle: boolean): Promise<void> {
    const { profileId } = lane;
    const ahead = lane.ahead[name];
    // Before the answer: what is enqueued meanwhile says so again.
    ahead.mayHaveMore = false;
    if (includesIdle) ahead.mayHaveIdle = false;
    try {
      const origin = connections.originOf(profileId);
      const limit = includesIdle ? 1 : claimSizes[name];
      const records = await store.claim({ profileId, lane: name, limit, includesIdle, origin });
      if (records.length === limit) ahead[includesIdle ? 'mayHaveIdle' : 'mayHaveMore'] = true;
      else if (!includesIdle) ahead.mayHaveIdle = true;
      add(
        lane,
        name,
        records.map((record) => newEntry(record, true, clock.monotonicMs())),
      );
    } catch (cause) {
      if (!closing.aborted) log.warn('nothing could be taken from the list of transfers', { cause });
      await clock.delay(databaseRetryMs, closing).catch(() => undefined);
      ahead.mayHaveMore = true;
    }
  }

  function add(lane: Lane, name: ClaimLane, entries: readonly Entry[]): void {
    for (const entry of entries) {
      active.set(entry.record.id, entry);
      lane.ahead[name].entries.push(entry);
    }
  }

  function expectDeletions(lane: Lane): void {
    if (lane.looksForDeletions) return;
    lane.looksForDeletions = true;
    clock.delay(deletionsAfterMs, closing).then(
      () => {
        lane.looksForDeletions = false;
        lane.ahead.delete.mayHaveMore = true;
        onTaken();
      },
      () => undefined,
    );
  }

  function expectMore(lane: Lane): void {
    for (const name of claimLanes) Object.assign(lane.ahead[name], { mayHaveMore: true, mayHaveIdle: true });
  }

  /** What was taken ahead goes back, but for the secrets that a person waits for. */
  async function putBackAhead(): Promise<void> {
    const back: Entry[] = [];
    for (const { ahead } of lanes.values()) {
      for (const name of claimLanes) {
        const stays = ahead[name].entries.filter(({ record }) => record.kind === 'secret');
        back.push(...ahead[name].entries.filter(({ record }) => record.kind !== 'secret'));
        ahead[name].entries = stays;
      }
    }
    if (back.length === 0) return;
    await store.unclaim(back.map(({ record }) => record.id));
    for (const entry of back) active.delete(entry.record.id);
  }

  return {
    refill,
    expectMore,
    expectDeletions,
    async takeNow(lane, id) {
      const { profileId } = lane;
      const origin = connections.originOf(profileId);
      const wish = { profileId, lane: 'start', limit: 1, includesIdle: true, origin, ids: [id] } as const;
      const records = await store.claim(wish);
      const entries = records.map((record) => newEntry(record, true, -Infinity));
      for (const entry of entries) active.set(entry.record.id, entry);
      lane.ahead.start.entries.unshift(...entries);
      onTaken();
    },
    async exclusively(work) {
      actions += 1;
      try {
        await Promise.all(
          [...lanes.values()].flatMap(({ ahead }) =>
            claimLanes.flatMap((name) => ahead[name].claiming ?? []),
          ),
        );
        await putBackAhead();
        return await work();
      } finally {
        actions -= 1;
        for (const lane of lanes.values()) expectMore(lane);
        onTaken();
      }
    },
  };
}
