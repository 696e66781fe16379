import { createHook } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../src/main/ports.ts';

/** Time that goes on only when told to. */
export interface VirtualClock extends Clock {
  /** What neither a sleep nor a wrong clock changes: the time of the service. */
  trueMs(): number;
  /** Goes on, from one timer to the next, and lets everything happen that is due meanwhile. */
  advance(byMs: number): Promise<void>;
  /** The computer sleeps: no timer fires, and the count stands still. */
  sleep(byMs: number): void;
  /** Nobody waits any more: the process that did was killed. */
  forgetTimers(): void;
  /** Somebody sets the wall clock. */
  setWall(byMs: number): void;
  /** The clock of another computer: the same true time, with a wall clock and timers of its own. */
  beside(): VirtualClock;
}

interface Timer {
  readonly atMs: number;
  readonly of: VirtualClock;
  readonly fire: () => void;
}

/** Files and threads are waited for this long, in milliseconds of real time at the least: a thread that starts under load needs many. */
const maxWaits = 3000;
/** So often nothing was to be waited for. */
const quietRounds = 20;

/** What is asked of files and not answered yet. What the runtime itself lists lingers until it is collected. */
const asked = new Set<number>();
createHook({
  init(id, type) {
    if (type === 'FSREQPROMISE' || type === 'FILEHANDLECLOSEREQ') asked.add(id);
  },
  after(id) {
    asked.delete(id);
  },
}).enable();

/** Threads that something was asked of, by us or by who runs the test. */
function countAsked(): number {
  return process.getActiveResourcesInfo().filter((info) => info === 'MessagePort').length;
}

export function createVirtualClock(): VirtualClock {
  let steadyMs = 1000;
  let sleptMs = 0;
  const timers = new Set<Timer>();
  const askedBefore = countAsked();

  /** Whether a file is being read, written or closed, here or by another thread. Threads are dear to ask about: at the end alone. */
  function hasOpenFiles(quiet: number): boolean {
    return asked.size > 0 || (quiet === quietRounds - 1 && countAsked() > askedBefore);
  }

  function next(untilMs: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers) if (timer.atMs <= (first?.atMs ?? untilMs)) first = timer;
    return first;
  }

  /** Room for what is read and written meanwhile; files take real time. */
  async function breathe(): Promise<void> {
    let quiet = 0;
    for (let waits = 0; quiet < quietRounds && waits < maxWaits;) {
      if (hasOpenFiles(quiet)) {
        quiet = 0;
        waits += 1;
        await setTimeout(1);
      } else {
        quiet += 1;
        await setImmediate();
      }
    }
  }

  function createClock(): VirtualClock {
    let wrongMs = 0;
    const clock: VirtualClock = {
      monotonicMs: () => steadyMs,
      trueMs: () => steadyMs + sleptMs,
      nowMs: () => Math.round(1_800_000_000_000 + steadyMs + sleptMs + wrongMs),
      delay(delayMs, signal) {
        return new Promise((resolve, reject) => {
          if (signal?.aborted) {
            reject(signal.reason);
            return;
          }
          const timer = { atMs: steadyMs + Math.max(delayMs, 0), of: clock, fire: () => end(resolve) };
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
      forgetTimers() {
        for (const timer of timers) if (timer.of === clock) timers.delete(timer);
      },
      setWall(byMs) {
        wrongMs += byMs;
      },
      beside: createClock,
    };
    return clock;
  }

  return createClock();
}
