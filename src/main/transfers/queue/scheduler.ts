import type { Clock, Log } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { createClaims } from './prefetch.ts';
import { needOf, type Entry, type Need } from '../model/active-transfer.ts';
import type { Gates } from './circuit-breakers.ts';
import { claimLanes, newLane, pick, type Lane, type Room } from './service-queue.ts';
import { Semaphore } from '../../lib/async.ts';
import { Alarm } from '../../lib/timers.ts';
import type { Limits } from './limits/limits.ts';
import { isFinished, sizeOf } from '../model/record.ts';
import { createSlots, type FileSize, type Request, type Slot } from './transfer-slots.ts';
import type { Spacings } from './poll-interval.ts';
import type { Moment } from '../model/dual-clock.ts';
import type { TransferStore } from '../model/store-types.ts';

type Run = (entry: Entry, slot: Slot, request: Request) => Promise<void>;

/** The only one that starts anything: slots, order, small beside large, budgets, due times. */
export interface Scheduler {
  /** Nothing starts before this. @param run carries a record out until it ends, waits, or has to be put back; never rejects */
  begin(run: Run): void;
  /** What was interrupted goes on. */
  take(entries: readonly Entry[]): void;
  /** The file may have something new to start. */
  wake(profileId: string): void;
  /** The file may have something new to start, of any service. */
  wakeAll(): void;
  /** A gate opened or closed. */
  wakeUp(): void;
  /** Takes this record at once: a person waits for it. */
  takeNow(profileId: string, id: number): Promise<void>;
  /** Everything followed of the profile is due. */
  hurry(profileId: string): void;
  /** Runs `work` over the file while nothing is claimed from it; what was taken ahead is put back first. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** An entry left work, or changed where it stands. */
  settle(entry: Entry, isLeft: boolean): void;
  removeProfile(profileId: string): void;
  /** Resolves when nothing runs any more; `closing` must be aborted. */
  ended(): Promise<void>;
}

/** Connections to a service beside those of its files. */
const connectionsBeside = 2;
/** The loop looks around this often, should a clock have jumped. */
const longestNapMs = 60_000;

export function createScheduler(deps: {
  /** Everything in work. */
  active: Map<number, Entry>;
  store: Pick<TransferStore, 'claim' | 'unclaim'>;
  connections: Pick<Connections, 'originOf'>;
  gates: Gates;
  limits: Limits;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  now: () => Moment;
  spacings: Spacings;
  isPaused: (profileId: string) => boolean;
  /** What waits in the file was changed. */
  onChanged: () => void;
}): Scheduler {
  const { active, clock, closing, gates, limits, spacings, now, isPaused, onChanged } = deps;
  const lanes = new Map<string, Lane>();
  const runs = new Set<Promise<void>>();
  const slots = createSlots(limits, pump);
  const claims = createClaims({ ...deps, lanes, areSlotsFree: slots.areFree, onTaken: pump });
  let run: Run | null = null;
  let isPlanned = false;
  const alarm = new Alarm(clock, pump);

  function laneOf(profileId: string): Lane {
    const known = lanes.get(profileId);
    if (known) return known;
    const lane = newLane(profileId, new Semaphore(() => limits.filesAtOnce() + connectionsBeside));
    lanes.set(profileId, lane);
    return lane;
  }

  const room = ({ profileId, places }: Lane): Room => ({
    pollsPerSecond: limits.pollsPerSecond(),
    isPaused: isPaused(profileId),
    likelyBeforeMs: now().steadyMs - spacings(profileId, 'data').likelyMs(),
    fits: (need) => slots.fits(places, need),
  });

  /** Soon, and once for everything that happens until then. */
  function pump(): void {
    if (isPlanned || run === null || closing.aborted) return;
    isPlanned = true;
    const starting = run;
    queueMicrotask(() => {
      isPlanned = false;
      schedule(starting);
    });
  }

  function schedule(starting: Run): void {
    let wakeAtMs = clock.monotonicMs() + longestNapMs;
    for (let hasLaunched = true; hasLaunched && !closing.aborted;) {
      hasLaunched = false;
      for (const lane of lanes.values()) {
        const nextMs = serve(lane, starting);
        if (nextMs === 'launched') hasLaunched = true;
        else wakeAtMs = Math.min(wakeAtMs, nextMs);
      }
    }
    for (const lane of lanes.values()) claims.refill(lane);
    alarm.setBy(wakeAtMs);
  }

  /** Starts one of a service; else answers when to look again. */
  function serve(lane: Lane, starting: Run): 'launched' | number {
    const gate = gates.of(lane.profileId);
    const nowMs = clock.monotonicMs();
    const closedMs = gate.opensInMs();
    if (closedMs !== 0) return closedMs === null ? Infinity : nowMs + closedMs;
    // After a hold one alone finds out whether it is over.
    if (gate.state() !== 'ready' && lane.running.size > 0) return Infinity;
    const next = pick(lane, room(lane), nowMs);
    if (next === null) return Infinity;
    if (next.atMs > nowMs) return next.atMs;
    launch(lane, next.entry, starting);
    // The next turn is another service's.
    lanes.delete(lane.profileId);
    lanes.set(lane.profileId, lane);
    return 'launched';
  }

  function launch(lane: Lane, entry: Entry, starting: Run): void {
    const need = needOf(entry);
    for (const name of claimLanes) {
      const { ahead } = lane;
      const index = ahead[name].entries.indexOf(entry);
      if (index >= 0) ahead[name].entries.splice(index, 1);
    }
    lane.parked.delete(entry);
    lane.running.set(entry, need);
    const file = fileOf(entry, need);
    const slot = file && slots.take(lane.places, file);
    const isPolled = entry.record.route === 'deferred';
    if (isPolled && (need === 'start' || need === 'look')) {
      const { lastTurns } = lane;
      lane.lastTurns = { need, count: lastTurns.need === need ? lastTurns.count + 1 : 1 };
    }
    if (isPolled) {
      lane.secretTurns = entry.record.kind === 'secret' ? lane.secretTurns + 1 : 0;
      reserve(lane);
    }
    let isFirst = true;
    // A start without a body, or the value of a secret, goes on without one.
    const takesSlot = need === 'look' || need === 'delete';
    const isAlone = slot === null && !takesSlot;
    const request: Request = async (send, signal, who) => {
      if (isPolled && !isFirst) await waitForPoll(lane, signal);
      isFirst = false;
      const gate = gates.of(lane.profileId);
      if (isPolled || slot?.isHeld()) return gate.send(who, signal, send);
      const leave = await lane.places.acquire(signal);
      try {
        return await gate.send(who, signal, send);
      } finally {
        leave();
        pump();
      }
    };
    const none: Slot = { isHeld: () => isAlone, free: () => undefined, borrow: () => null };
    const done = starting(entry, slot ?? none, request).finally(() => {
      runs.delete(done);
      lane.running.delete(entry);
      slot?.end();
      if (active.get(entry.record.id) === entry) lane.parked.add(entry);
      pump();
    });
    runs.add(done);
  }

  function fileOf({ record }: Entry, need: Need): FileSize | null {
    if (need === 'large' || need === 'small') return need;
    const hasBody =
      need === 'fetch'
        ? record.kind === 'data'
        : need === 'settle' || (need === 'start' && record.work.kind === 'upload');
    return hasBody ? sizeOf(record) : null;
  }

  /** Answers when the next poll may go. */
  function reserve(lane: Lane): number {
    const atMs = Math.max(lane.nextPollMs, clock.monotonicMs());
    lane.nextPollMs = atMs + 1000 / limits.pollsPerSecond();
    return atMs;
  }

  async function waitForPoll(lane: Lane, signal: AbortSignal): Promise<void> {
    const waitMs = reserve(lane) - clock.monotonicMs();
    if (waitMs > 0) await clock.delay(waitMs, signal);
  }

  return {
    begin(runOne) {
      run = runOne;
      pump();
    },
    take(entries) {
      for (const entry of entries) {
        active.set(entry.record.id, entry);
        laneOf(entry.record.profileId).parked.add(entry);
      }
      pump();
    },
    wake(profileId) {
      claims.expectMore(laneOf(profileId));
      pump();
    },
    wakeAll() {
      for (const lane of lanes.values()) claims.expectMore(lane);
      pump();
    },
    wakeUp: pump,
    takeNow: (profileId, id) => claims.takeNow(laneOf(profileId), id),
    hurry(profileId) {
      const nowMs = clock.monotonicMs();
      for (const entry of laneOf(profileId).parked) entry.dueMs = Math.min(entry.dueMs, nowMs);
      pump();
    },
    async exclusively(work) {
      try {
        return await claims.exclusively(work);
      } finally {
        onChanged();
      }
    },
    settle(entry, isLeft) {
      if (isLeft) {
        active.delete(entry.record.id);
        const lane = laneOf(entry.record.profileId);
        lane.parked.delete(entry);
        for (const name of claimLanes) {
          lane.ahead[name].entries = lane.ahead[name].entries.filter((other) => other !== entry);
        }
        // It waits in the file again; or what waited for a deletion or a Replace of its identifier may go, or a deletion for an upload.
        const isWaitedFor = entry.record.direction === 'delete' || entry.hasReplaced;
        if (!isFinished(entry.record) || isWaitedFor) claims.expectMore(lane);
        else if (entry.record.direction === 'upload') claims.expectDeletions(lane);
      }
      pump();
    },
    removeProfile(profileId) {
      lanes.delete(profileId);
    },
    async ended() {
      alarm.cancel();
      await Promise.all(runs);
    },
  };
}
