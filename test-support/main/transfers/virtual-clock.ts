import { createHook } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../src/main/ports.ts';

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /** True time, as the service has it: unaffected by changes of the wall clock. */
  trueMs(): number;
  /** Advances from timer to timer and runs everything that falls due. */
  advance(byMs: number): Promise<void>;
  /** Simulates a sleeping computer: no timer fires, and the monotonic count stops. */
  sleep(byMs: number): void;
  /** Drops all timers, as when the process is killed. */
  forgetTimers(): void;
  /** Moves the wall clock only. */
  setWall(byMs: number): void;
  /** A clock of another computer: the same true time, its own wall clock and timers. */
  beside(): VirtualClock;
}

interface Timer {
  readonly atMs: number;
  readonly of: VirtualClock;
  readonly fire: () => void;
}

/** In real time; anything longer hangs. */
const longestWaitMs = 60_000;
/** Successive rounds without pending work after which the process counts as idle. */
const quietRounds = 20;

/** Pending file operations. The runtime's own list keeps entries until they are garbage-collected. */
const asked = new Set<number>();
/** FSREQCALLBACK: `opendir`. */
const kinds = new Set(['FSREQPROMISE', 'FILEHANDLECLOSEREQ', 'FSREQCALLBACK']);
const hook = createHook({
  init(id, type) {
    if (kinds.has(type)) asked.add(id);
  },
  after(id) {
    asked.delete(id);
  },
});
// Not promises, as Node's own hooks do: a call per promise took an eighth of a world's time.
for (const key of Object.getOwnPropertySymbols(hook))
  if (key.description === 'kNoPromiseHook') Object.assign(hook, { [key]: true });
hook.enable();

/** Counts the message ports with requests to threads, ours and those of the test runner. */
function countAsked(): number {
  return process.getActiveResourcesInfo().filter((info) => info === 'MessagePort').length;
}

export function createVirtualClock(): VirtualClock {
  let steadyMs = 1000;
  let sleptMs = 0;
  const timers = new Set<Timer>();
  const askedBefore = countAsked();

  /** Whether a file is being read, written or closed, here or by a thread. Threads are checked last: it is expensive. */
  function hasOpenFiles(quiet: number): boolean {
    return asked.size > 0 || (quiet === quietRounds - 1 && countAsked() > askedBefore);
  }

  function next(untilMs: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers) if (timer.atMs <= (first?.atMs ?? untilMs)) first = timer;
    return first;
  }

  /** Lets file operations finish, which take real time. */
  async function breathe(): Promise<void> {
    const endMs = performance.now() + longestWaitMs;
    for (let quiet = 0; quiet < quietRounds;) {
      if (hasOpenFiles(quiet)) {
        quiet = 0;
        if (performance.now() > endMs) throw new Error('a file or a thread does not come to its end');
        await setTimeout(1);
      } else {
        quiet = await quietRoundsFrom(quiet);
      }
    }
  }

  /** Runs rounds until there is pending work, without a promise for each. */
  function quietRoundsFrom(begun: number): Promise<number> {
    return new Promise((resolve) => {
      let quiet = begun;
      const round = () => {
        quiet += 1;
        if (quiet === quietRounds || hasOpenFiles(quiet)) resolve(quiet);
        else setImmediate(round);
      };
      setImmediate(round);
    });
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
