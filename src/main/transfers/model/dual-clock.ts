import { z } from 'zod';
import type { Clock } from '../../ports.ts';

/**
 * A moment by two clocks. The wall clock continues during sleep but may jump; the steady count never goes back and continues over
 * restarts, but may stop during sleep.
 */
export const momentSchema = z.object({ wallMs: z.number(), steadyMs: z.number() });
export type Moment = z.infer<typeof momentSchema>;

/** @param before the last moment that an earlier run recorded */
export function createDualClock(clock: Clock, before: Moment | null): { now(): Moment } {
  const startMs = clock.monotonicMs();
  const baseMs = before ? before.steadyMs + Math.max(0, clock.nowMs() - before.wallMs) : 0;
  return {
    now: () => ({ wallMs: clock.nowMs(), steadyMs: baseMs + clock.monotonicMs() - startMs }),
  };
}

/** Upper bound of the elapsed time: use it to check whether a window may have closed. */
export function longestMs(from: Moment, to: Moment): number {
  return Math.max(to.wallMs - from.wallMs, to.steadyMs - from.steadyMs, 0);
}

/**
 * Lower bound of the elapsed time, whichever clock is wrong: use it before giving up. If the wall clock went back behind `from`, only
 * the steady count is used.
 */
export function shortestMs(from: Moment, to: Moment): number {
  const wallMs = to.wallMs - from.wallMs;
  const steadyMs = to.steadyMs - from.steadyMs;
  return Math.max(wallMs < 0 ? steadyMs : Math.min(wallMs, steadyMs), 0);
}
