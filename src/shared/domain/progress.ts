/** How fast something goes, over a few seconds, so that the numbers a person reads do not jump. */
export interface Throughput {
  readonly doneBytes: number;
  /** When bytes had moved, the newest last. */
  readonly steps: readonly Step[];
  /** null until enough was measured. */
  readonly bytesPerSecond: number | null;
}

interface Step {
  readonly atMs: number;
  readonly doneBytes: number;
}

/** What is averaged over, and the least that is said. */
const windowMs = 4000;
const leastMs = 2000;

/**
 * The speed after another look, from one step to another: under a limit, bytes move a MiB at a time, and looking between two
 * steps must not change the speed. What had moved before the first look is left out, because buffers and what the limit had saved up take it at once.
 * @param previous null at the beginning
 * @param nowMs of a clock that never goes back
 * @param look when bytes moved last, and how many in all; fewer than before (a transfer that began again) starts anew
 */
export function measureThroughput(previous: Throughput | null, nowMs: number, look: Step): Throughput {
  const { doneBytes } = look;
  if (previous === null || doneBytes < previous.doneBytes)
    return { doneBytes, steps: [], bytesPerSecond: null };
  const all = doneBytes > previous.doneBytes ? [...previous.steps, look] : previous.steps;
  // The last step before the window is where it begins, and two are the least that tell a speed.
  const before = all.filter(({ atMs }) => atMs <= nowMs - windowMs).length;
  const steps = all.slice(Math.max(0, Math.min(before - 1, all.length - 2)));
  return { doneBytes, steps, bytesPerSecond: speedOf(steps, nowMs) };
}

function speedOf(steps: readonly Step[], nowMs: number): number | null {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined || steps.length < 2) return null;
  const betweenMs = last.atMs - first.atMs;
  // The next step is waited for as long as one usually takes.
  const overdueMs = Math.max(0, nowMs - last.atMs - betweenMs / (steps.length - 1));
  const elapsedMs = betweenMs + overdueMs;
  return elapsedMs < leastMs ? null : ((last.doneBytes - first.doneBytes) * 1000) / elapsedMs;
}

/** Milliseconds until `leftBytes` have moved at this speed; null when it cannot be told. */
export function timeLeftMs(bytesPerSecond: number | null, leftBytes: number | null): number | null {
  if (leftBytes === null || bytesPerSecond === null || bytesPerSecond < 1) return null;
  return (leftBytes / bytesPerSecond) * 1000;
}
