import { Mutex } from '../../../lib/async.ts';
import { Sleeper } from '../../../lib/timers.ts';
import type { Clock } from '../../../ports.ts';

/** So many in a second, evenly; unused time is not saved up beyond a burst. */
export interface RateLimiter {
  /** Resolves when the next may go; rejects with the signal's reason. */
  take(amount: number, signal: AbortSignal): Promise<void>;
}

/**
 * A token bucket. Who comes while it is empty waits in line, so that a limit that changes holds at once for all of them.
 * @param perSecond read each time; null: no limit
 * @param burstMs what may be saved up, in milliseconds of the limit
 */
export function createRateLimiter(
  clock: Clock,
  perSecond: () => number | null,
  burstMs: number,
): RateLimiter & { changed(): void } {
  /** When everything taken so far is paid for, by the clock that never goes back. */
  let paidAtMs = -Infinity;
  const line = new Mutex();
  const sleeper = new Sleeper(clock);

  async function pay(amount: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const limit = perSecond();
      const nowMs = clock.monotonicMs();
      if (limit === null) {
        paidAtMs = nowMs;
        return;
      }
      paidAtMs = Math.max(paidAtMs, nowMs - burstMs);
      const waitMs = paidAtMs - nowMs;
      if (waitMs <= 0) {
        paidAtMs += (amount / limit) * 1000;
        return;
      }
      await sleeper.sleep(waitMs, signal);
    }
  }

  return {
    take(amount, signal) {
      if (perSecond() === null) {
        signal.throwIfAborted();
        return Promise.resolve();
      }
      return line.runExclusive(() => pay(amount, signal));
    },
    changed() {
      sleeper.wake();
      // What an older, smaller limit had put far ahead is not waited for.
      paidAtMs = Math.min(paidAtMs, clock.monotonicMs());
    },
  };
}
