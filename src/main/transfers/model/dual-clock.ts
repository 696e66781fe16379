import { z } from 'zod';
import type { Clock } from '../../ports.ts';

/**
 * A moment by two clocks. The wall clock goes on while the computer sleeps and may jump; the steady count never goes
 * back, goes on over restarts, and may stand still in a sleep.
 */
export const momentSchema = z.object({ wallMs: z.number(), steadyMs: z.number() });
export type Moment = z.infer<typeof momentSchema>;

/** @param before the last moment an earlier run has written down */
export function createDualClock(clock: Clock, before: Moment | null): { now(): Moment } {
  const startMs = clock.monotonicMs();
  const baseMs = before ? before.steadyMs + Math.max(0, clock.nowMs() - before.wallMs) : 0;
  return {
    now: () => ({ wallMs: clock.nowMs(), steadyMs: baseMs + clock.monotonicMs() - startMs }),
  };
}

/** How long it may have been at the most: what a window is judged by. */
export function longestMs(from: Moment, to: Moment): number {
  return Math.max(to.wallMs - from.wallMs, to.steadyMs - from.steadyMs, 0);
}

/**
 * How long it has been for sure, whichever clock is wrong: what giving up is judged by. If the wall clock says that it is still to come,
 * that clock was set back, and the steady count alone is asked.
 */
export function shortestMs(from: Moment, to: Moment): number {
  const wallMs = to.wallMs - from.wallMs;
  const steadyMs = to.steadyMs - from.steadyMs;
  return Math.max(wallMs < 0 ? steadyMs : Math.min(wallMs, steadyMs), 0);
}
