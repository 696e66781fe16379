/** Speed averaged over a few seconds, so that displayed numbers do not jump. */
export interface Throughput {
  readonly doneBytes: number;
  /** When bytes moved, newest last. */
  readonly steps: readonly Step[];
  /** null until enough was measured. */
  readonly bytesPerSecond: number | null;
}

interface Step {
  readonly atMs: number;
  readonly doneBytes: number;
}

/** The averaging window, and the minimum measured before a speed is shown. */
const windowMs = 4000;
const leastMs = 2000;

/**
 * Updates the speed, measured from step to step: under a limit, bytes move a MiB at a time, and samples between two steps must not
 * change it. Ignores what moved before the first sample, because buffers and the limit's saved-up allowance absorb that at once.
 * @param previous null at the beginning
 * @param nowMs of a monotonic clock
 * @param sample when bytes last moved, and the total; a smaller total (a restarted transfer) resets the measurement
 */
export function measureThroughput(previous: Throughput | null, nowMs: number, sample: Step): Throughput {
  const { doneBytes } = sample;
  if (previous === null || doneBytes < previous.doneBytes)
    return { doneBytes, steps: [], bytesPerSecond: null };
  const all = doneBytes > previous.doneBytes ? [...previous.steps, sample] : previous.steps;
  // The last step before the window is its start, and a speed needs at least two steps.
  const before = all.filter(({ atMs }) => atMs <= nowMs - windowMs).length;
  const steps = all.slice(Math.max(0, Math.min(before - 1, all.length - 2)));
  return { doneBytes, steps, bytesPerSecond: speedOf(steps, nowMs) };
}

function speedOf(steps: readonly Step[], nowMs: number): number | null {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined || steps.length < 2) return null;
  const betweenMs = last.atMs - first.atMs;
  // Do not lower the speed before the next step is later than usual.
  const overdueMs = Math.max(0, nowMs - last.atMs - betweenMs / (steps.length - 1));
  const elapsedMs = betweenMs + overdueMs;
  return elapsedMs < leastMs ? null : ((last.doneBytes - first.doneBytes) * 1000) / elapsedMs;
}

/** Milliseconds until `leftBytes` have moved at this speed; null: unknown. */
export function timeLeftMs(bytesPerSecond: number | null, leftBytes: number | null): number | null {
  if (leftBytes === null || bytesPerSecond === null || bytesPerSecond < 1) return null;
  return (leftBytes / bytesPerSecond) * 1000;
}
