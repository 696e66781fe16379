import type { Context } from './context.ts';
import { needOf, newEntry, type Entry, type Need } from './entry.ts';
import { claimLanes, newLane, pick, type Lane, type Room } from './lane.ts';
import { createPlaces } from './places.ts';
import { isFinished, isSmall } from './record.ts';
import type { Runner, Slot } from './runner.ts';
import type { Lane as ClaimLane } from './store-types.ts';

/** The only one that starts anything: slots, order, small beside large, budgets, due times. */
export interface Scheduler {
  /** Nothing starts before this. */
  begin(): void;
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

/** So much is taken from the file at once: a durable write is shared by all of them. */
const claimedAtOnce: Record<ClaimLane, number> = { small: 64, large: 4, start: 16, delete: 16 };
/** Files whose bytes have moved, and that still wait for HEAD or the disk: enough to share what they wait for. */
const mostFinishing = 128;
/** Connections to a service beside those of its files. */
const connectionsBeside = 2;
/** After an upload has ended. */
const deletionsAfterMs = 100;
/** The loop looks around this often, should a clock have jumped. */
const longestNapMs = 60_000;

export function createScheduler(
  context: Context & { active: Map<number, Entry> },
  runner: Runner,
  isPaused: (profileId: string) => boolean,
  /** What waits in the file was changed. */
  onChanged: () => void,
): Scheduler {
  const { active, store, clock, closing, connections, gates, journal, limits, log, spacings } = context;
  const lanes = new Map<string, Lane>();
  const runs = new Set<Promise<void>>();
  /** In work with bytes, over all services. */
  const moving = { all: 0, large: 0 };
  let finishing = 0;
  let actions = 0;
  let hasBegun = false;
  let isPlanned = false;
  let alarm: { atMs: number; off: AbortController } | null = null;

  function laneOf(profileId: string): Lane {
    const known = lanes.get(profileId);
    if (known) return known;
    const lane = newLane(
      profileId,
      createPlaces(() => limits.filesAtOnce() + connectionsBeside),
    );
    lanes.set(profileId, lane);
    return lane;
  }

  const room = ({ profileId, places }: Lane): Room => ({
    pollsPerSecond: limits.pollsPerSecond(),
    isPaused: isPaused(profileId),
    likelyBeforeMs: journal.now().steadyMs - spacings(profileId, 'data').likelyMs(),
    fits(need) {
      const most = limits.filesAtOnce();
      if (moving.all >= most || finishing >= mostFinishing || !places.hasRoom()) return false;
      // One slot is for small files, which do not wait behind large ones.
      return need !== 'large' || most === 1 || moving.large < most - 1;
    },
  });

  /** Soon, and once for everything that happens until then. */
  function pump(): void {
    if (isPlanned || !hasBegun || closing.aborted) return;
    isPlanned = true;
    queueMicrotask(() => {
      isPlanned = false;
      schedule();
    });
  }

  function schedule(): void {
    let wakeAtMs = clock.monotonicMs() + longestNapMs;
    for (let hasLaunched = true; hasLaunched && !closing.aborted;) {
      hasLaunched = false;
      for (const lane of lanes.values()) {
        const nextMs = serve(lane);
        if (nextMs === 'launched') hasLaunched = true;
        else wakeAtMs = Math.min(wakeAtMs, nextMs);
      }
    }
    for (const lane of lanes.values()) refill(lane);
    setAlarm(wakeAtMs);
  }

  /** Starts one of a service; else answers when to look again. */
  function serve(lane: Lane): 'launched' | number {
    const gate = gates.of(lane.profileId);
    const nowMs = clock.monotonicMs();
    if (!gate.isOpen()) {
      const untilMs = gate.heldUntilMs();
      return untilMs === null ? Infinity : nowMs + Math.max(untilMs - clock.nowMs(), 1);
    }
    // After a hold one alone finds out whether it is over.
    if (gate.state() !== 'ready' && lane.running.size > 0) return Infinity;
    const next = pick(lane, room(lane), nowMs);
    if (next === null) return Infinity;
    if (next.atMs > nowMs) return next.atMs;
    launch(lane, next.entry);
    // The next turn is another service's.
    lanes.delete(lane.profileId);
    lanes.set(lane.profileId, lane);
    return 'launched';
  }

  function launch(lane: Lane, entry: Entry): void {
    const need = needOf(entry);
    for (const name of claimLanes) {
      const { ahead } = lane;
      const index = ahead[name].entries.indexOf(entry);
      if (index >= 0) ahead[name].entries.splice(index, 1);
    }
    lane.parked.delete(entry);
    lane.running.set(entry, need);
    const slot = takeSlot(lane, fileOf(entry, need));
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
    const done = runner
      .run(entry, slot ?? { isHeld: () => isAlone, free: () => undefined }, async (send, signal, who) => {
        if (isPolled && !isFirst) await waitForPoll(lane, signal);
        isFirst = false;
        const gate = gates.of(lane.profileId);
        if (isPolled || slot?.isHeld()) return gate.send(who, signal, send);
        const leave = await lane.places.wait(signal);
        try {
          return await gate.send(who, signal, send);
        } finally {
          leave();
          pump();
        }
      })
      .finally(() => {
        runs.delete(done);
        lane.running.delete(entry);
        slot?.end();
        if (active.get(entry.record.id) === entry) lane.parked.add(entry);
        pump();
      });
    runs.add(done);
  }

  /** Is counted as a file that moves until it is freed, then as one that comes to its end. */
  function takeSlot({ places }: Lane, file: 'large' | 'small' | null): (Slot & { end(): void }) | null {
    if (file === null) return null;
    const leave = places.take();
    let isHeld = true;
    moving.all += 1;
    if (file === 'large') moving.large += 1;
    const free = () => {
      if (!isHeld) return;
      isHeld = false;
      moving.all -= 1;
      if (file === 'large') moving.large -= 1;
      finishing += 1;
      leave();
      pump();
    };
    return {
      isHeld: () => isHeld,
      free,
      end() {
        free();
        finishing -= 1;
      },
    };
  }

  function fileOf({ record }: Entry, need: Need): 'large' | 'small' | null {
    if (need === 'large' || need === 'small') return need;
    const hasBody =
      need === 'fetch'
        ? record.kind === 'data'
        : need === 'settle' || (need === 'start' && record.work.kind === 'upload');
    return hasBody ? (isSmall(record) ? 'small' : 'large') : null;
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

  /** Takes more from the file before what was taken runs out. */
  function refill(lane: Lane): void {
    if (actions > 0 || !gates.of(lane.profileId).isOpen()) return;
    const paused = isPaused(lane.profileId);
    for (const name of claimLanes) {
      const ahead = lane.ahead[name];
      const includesIdle = !ahead.mayHaveMore && ahead.mayHaveIdle && isQuiet();
      if (ahead.claiming || !(ahead.mayHaveMore || includesIdle) || (paused && name !== 'delete')) continue;
      if (ahead.entries.length > claimedAtOnce[name] / 2) continue;
      ahead.claiming = claim(lane, name, includesIdle).finally(() => {
        ahead.claiming = null;
        pump();
      });
    }
  }

  /** Nothing else is to be done: what is for then may begin. */
  function isQuiet(): boolean {
    if (moving.all > 0) return false;
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
      const limit = includesIdle ? 1 : claimedAtOnce[name];
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
      await clock.delay(1000, closing).catch(() => undefined);
      ahead.mayHaveMore = true;
    }
  }

  function add(lane: Lane, name: ClaimLane, entries: readonly Entry[]): void {
    for (const entry of entries) {
      active.set(entry.record.id, entry);
      lane.ahead[name].entries.push(entry);
    }
  }

  function setAlarm(atMs: number): void {
    if (alarm && alarm.atMs <= atMs && alarm.atMs > clock.monotonicMs()) return;
    alarm?.off.abort();
    const off = new AbortController();
    alarm = { atMs, off };
    clock.delay(Math.max(atMs - clock.monotonicMs(), 0), off.signal).then(
      () => {
        alarm = null;
        pump();
      },
      () => undefined,
    );
  }

  /** Those that wait for an upload of their identifier are looked for once for all uploads that end meanwhile. */
  function expectDeletions(lane: Lane): void {
    if (lane.looksForDeletions) return;
    lane.looksForDeletions = true;
    clock.delay(deletionsAfterMs, closing).then(
      () => {
        lane.looksForDeletions = false;
        lane.ahead.delete.mayHaveMore = true;
        pump();
      },
      () => undefined,
    );
  }

  function expectMore(lane: Lane): void {
    for (const name of claimLanes) Object.assign(lane.ahead[name], { mayHaveMore: true, mayHaveIdle: true });
  }

  return {
    begin() {
      hasBegun = true;
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
      expectMore(laneOf(profileId));
      pump();
    },
    wakeAll() {
      for (const lane of lanes.values()) expectMore(lane);
      pump();
    },
    wakeUp: pump,
    async takeNow(profileId, id) {
      const lane = laneOf(profileId);
      const origin = connections.originOf(profileId);
      const records = await store.claim({
        profileId,
        lane: 'start',
        limit: 1,
        includesIdle: true,
        origin,
        ids: [id],
      });
      const entries = records.map((record) => newEntry(record, true, -Infinity));
      for (const entry of entries) active.set(entry.record.id, entry);
      lane.ahead.start.entries.unshift(...entries);
      pump();
    },
    hurry(profileId) {
      const nowMs = clock.monotonicMs();
      for (const entry of laneOf(profileId).parked) entry.dueMs = Math.min(entry.dueMs, nowMs);
      pump();
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
        pump();
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
        // It waits in the file again; or what waited for a deletion of its identifier may go, or a deletion for an upload.
        if (!isFinished(entry.record) || entry.record.direction === 'delete') expectMore(lane);
        else if (entry.record.direction === 'upload') expectDeletions(lane);
      }
      pump();
    },
    removeProfile(profileId) {
      lanes.delete(profileId);
    },
    async ended() {
      alarm?.off.abort();
      await Promise.all(runs);
    },
  };

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
}
