import type { Clock } from '../ports.ts';
import type { Entry } from './entry.ts';
import type { Pacer } from './pacing.ts';

/** Whose turn it is: a few at a time over all profiles, fair between them, none of a profile that has to wait. */
export interface Queue {
  /** Behind the others of its profile. */
  push(entry: Entry): void;
  /** Comes back by itself after `delayMs`. */
  sleep(entry: Entry, delayMs: number): void;
  /** Takes out what waits; what runs is none of its business. */
  drop(entry: Entry): void;
  /** Nothing of the profile starts until `allow`. */
  refuse(profileId: string): void;
  allow(profileId: string): void;
  refused(): string[];
  isRefused(profileId: string): boolean;
  /** Starts what may start. */
  pump(): void;
  close(): void;
}

interface Lane {
  /** In the order of their turn. */
  readonly ready: Map<number, Entry>;
  refused: boolean;
  /** Somebody waits already for the end of the hold. */
  watched: boolean;
}

/** Sleepers are looked over no more often than this, however many there are. */
const leastNapMs = 100;

export interface QueueOptions {
  readonly clock: Clock;
  readonly pacer: Pacer;
  readonly atOnce: () => number;
  /** Carries an entry out; never rejects. */
  readonly start: (entry: Entry) => Promise<void>;
}

export function createQueue({ clock, pacer, atOnce, start }: QueueOptions): Queue {
  const lanes = new Map<string, Lane>();
  const sleepers = new Map<number, { entry: Entry; dueMs: number }>();
  const closed = new AbortController();
  let running = 0;
  let alarm: { atMs: number; off: AbortController } | null = null;

  function laneOf(profileId: string): Lane {
    const lane = lanes.get(profileId) ?? { ready: new Map(), refused: false, watched: false };
    lanes.set(profileId, lane);
    return lane;
  }

  function pump(): void {
    while (running < atOnce() && !closed.signal.aborted) {
      const entry = takeNext();
      if (!entry) return;
      running += 1;
      void start(entry).finally(() => {
        running -= 1;
        pump();
      });
    }
  }

  function takeNext(): Entry | undefined {
    for (const [profileId, lane] of lanes) {
      const [entry] = lane.ready.values();
      if (!entry || lane.refused) continue;
      if (pacer.heldUntilMs(profileId) !== null) {
        watch(profileId, lane);
        continue;
      }
      lane.ready.delete(entry.transfer.id);
      // To the end: the next turn is another profile's.
      lanes.delete(profileId);
      lanes.set(profileId, lane);
      return entry;
    }
    return undefined;
  }

  function watch(profileId: string, lane: Lane): void {
    if (lane.watched) return;
    lane.watched = true;
    pacer.turn(profileId, closed.signal).then(
      () => {
        lane.watched = false;
        pump();
      },
      () => undefined,
    );
  }

  /** One alarm for all sleepers, at the first one's time. */
  function setAlarm(atMs: number): void {
    if (alarm && alarm.atMs <= atMs) return;
    alarm?.off.abort();
    const off = new AbortController();
    alarm = { atMs, off };
    clock.delay(Math.max(atMs - clock.monotonicMs(), 0), off.signal).then(wakeDue, () => undefined);
  }

  function wakeDue(): void {
    alarm = null;
    const nowMs = clock.monotonicMs();
    let nextMs = Infinity;
    for (const { entry, dueMs } of sleepers.values()) {
      if (dueMs <= nowMs) push(entry);
      else nextMs = Math.min(nextMs, dueMs);
    }
    if (nextMs < Infinity) setAlarm(Math.max(nextMs, nowMs + leastNapMs));
    pump();
  }

  function push(entry: Entry): void {
    sleepers.delete(entry.transfer.id);
    laneOf(entry.transfer.profileId).ready.set(entry.transfer.id, entry);
  }

  return {
    push,
    pump,
    sleep(entry, delayMs) {
      const dueMs = clock.monotonicMs() + delayMs;
      sleepers.set(entry.transfer.id, { entry, dueMs });
      setAlarm(dueMs);
    },
    drop(entry) {
      sleepers.delete(entry.transfer.id);
      laneOf(entry.transfer.profileId).ready.delete(entry.transfer.id);
    },
    refuse(profileId) {
      laneOf(profileId).refused = true;
    },
    allow(profileId) {
      laneOf(profileId).refused = false;
    },
    isRefused: (profileId) => lanes.get(profileId)?.refused ?? false,
    refused: () => [...lanes].filter(([, lane]) => lane.refused).map(([profileId]) => profileId),
    close() {
      closed.abort();
      alarm?.off.abort();
    },
  };
}
