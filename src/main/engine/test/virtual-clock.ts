import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock } from '../../ports.ts';

/** Time that goes on only when told to. */
export interface VirtualClock extends Clock {
  /** Whether something goes on that takes no virtual time; may be set. */
  isBusy: () => boolean;
  /** What neither a sleep nor a wrong clock changes: the time of the service. */
  trueMs(): number;
  /** Goes on, from one timer to the next, and lets everything happen that is due meanwhile. */
  advance(byMs: number): Promise<void>;
  /** The computer sleeps: no timer fires, and the count stands still. */
  sleep(byMs: number): void;
  /** Somebody sets the wall clock. */
  setWall(byMs: number): void;
}

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/** Files are waited for this long, in milliseconds of real time at the least. */
const mostRounds = 3000;

export function createVirtualClock(): VirtualClock {
  let steadyMs = 1000;
  let sleptMs = 0;
  let wrongMs = 0;
  const timers = new Set<Timer>();

  function next(untilMs: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers) if (timer.atMs <= (first?.atMs ?? untilMs)) first = timer;
    return first;
  }

  /** Room for what is read and written meanwhile; files take real time. */
  async function breathe(): Promise<void> {
    for (let round = 0; round < 6; round += 1) await setImmediate();
    for (let round = 0; clock.isBusy() && round < mostRounds; round += 1) await setTimeout(1);
  }

  const clock: VirtualClock = {
    isBusy: () => false,
    monotonicMs: () => steadyMs,
    trueMs: () => steadyMs + sleptMs,
    nowMs: () => Math.round(1_800_000_000_000 + steadyMs + sleptMs + wrongMs),
    delay(delayMs, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const timer = { atMs: steadyMs + Math.max(delayMs, 0), fire: () => end(resolve) };
        const onAbort = () => end(() => reject(signal?.reason));
        const end = (settle: () => void) => {
          timers.delete(timer);
          signal?.removeEventListener('abort', onAbort);
          settle();
        };
        timers.add(timer);
        signal?.addEventListener('abort', onAbort);
      });
    },
    async advance(byMs) {
      const untilMs = steadyMs + byMs;
      await breathe();
      for (let timer = next(untilMs); timer; timer = next(untilMs)) {
        steadyMs = Math.max(steadyMs, timer.atMs);
        timer.fire();
        await breathe();
      }
      steadyMs = untilMs;
      await breathe();
    },
    sleep(byMs) {
      sleptMs += byMs;
    },
    setWall(byMs) {
      wrongMs += byMs;
    },
  };
  return clock;
}
