import { Mutex } from '../../../lib/async.ts';
import { Sleeper } from '../../../lib/timers.ts';
import type { Clock } from '../../../ports.ts';

/** Spreads a rate evenly; unused capacity is saved up for one burst at most. */
export interface RateLimiter {
  /** Resolves when the next may go; rejects with the signal's reason. */
  take(amount: number, signal: AbortSignal): Promise<void>;
}

/**
 * A token bucket. Callers that find it empty queue up, so that a changed limit applies to all of them at once.
 * @param perSecond read each time; null: no limit
 * @param burstMs what may be saved up, in milliseconds of the limit
 */
export function createRateLimiter(
  clock: Clock,
  perSecond: () => number | null,
  burstMs: number,
): RateLimiter & { changed(): void } {
  /** Monotonic time at which everything taken so far is paid for. */
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
      // Forget the debt from an older, lower limit.
      paidAtMs = Math.min(paidAtMs, clock.monotonicMs());
    },
  };
}
