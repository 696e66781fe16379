import type { Clock } from '../../ports.ts';

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
  let waiting = Promise.resolve();
  let alarm = new AbortController();

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
      await sleep(waitMs, signal);
    }
  }

  /** Until the time has come, the limit changes, or nobody wants it any more. */
  async function sleep(waitMs: number, signal: AbortSignal): Promise<void> {
    const { signal: changed } = alarm;
    const end = new AbortController();
    const onEnd = () => end.abort();
    signal.addEventListener('abort', onEnd, { once: true });
    changed.addEventListener('abort', onEnd, { once: true });
    await clock.delay(waitMs, end.signal).catch(() => undefined);
    signal.removeEventListener('abort', onEnd);
    changed.removeEventListener('abort', onEnd);
  }

  return {
    take(amount, signal) {
      if (perSecond() === null) {
        signal.throwIfAborted();
        return Promise.resolve();
      }
      const turn = waiting.then(() => pay(amount, signal));
      waiting = turn.catch(() => undefined);
      return turn;
    },
    changed() {
      alarm.abort();
      alarm = new AbortController();
      // What an older, smaller limit had put far ahead is not waited for.
      paidAtMs = Math.min(paidAtMs, clock.monotonicMs());
    },
  };
}
