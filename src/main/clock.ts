import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/**
 * Time until a stored moment of the wall clock. Writers never wait longer than `longestMs`: a moment that is
 * further away was written while the clock was ahead, so it is due.
 */
export function leftMs(untilMs: number, nowMs: number, longestMs: number): number {
  const waitMs = untilMs - nowMs;
  return waitMs > longestMs ? 0 : Math.max(waitMs, 0);
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async delay(delayMs, signal) {
    await delay(delayMs, undefined, signal && { signal }).catch((cause: unknown) => {
      throw signal?.aborted ? signal.reason : cause;
    });
  },
};
