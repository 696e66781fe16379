/** How fast something goes, smoothed, so that the numbers a person reads do not jump. */
export interface Throughput {
  readonly atMs: number;
  readonly doneBytes: number;
  /** null until something was measured. */
  readonly bytesPerSecond: number | null;
}

/** Half-life of the average. */
const halfLifeMs = 2000;

/**
 * The pace after another look, by an exponential moving average that does not depend on how often one looks.
 * @param previous null at the beginning
 * @param atMs of a clock that never goes back
 * @param doneBytes in all; fewer than before (a transfer that began again) starts anew
 */
export function measureThroughput(previous: Throughput | null, atMs: number, doneBytes: number): Throughput {
  if (previous === null || doneBytes < previous.doneBytes) return { atMs, doneBytes, bytesPerSecond: null };
  const elapsedMs = atMs - previous.atMs;
  if (elapsedMs <= 0) return previous;
  const current = ((doneBytes - previous.doneBytes) * 1000) / elapsedMs;
  const before = previous.bytesPerSecond ?? current;
  const bytesPerSecond = current + (before - current) * 2 ** (-elapsedMs / halfLifeMs);
  return { atMs, doneBytes, bytesPerSecond };
}

/** Milliseconds until `leftBytes` have moved at this speed; null when it cannot be told. */
export function timeLeftMs(bytesPerSecond: number | null, leftBytes: number | null): number | null {
  if (leftBytes === null || bytesPerSecond === null || bytesPerSecond < 1) return null;
  return (leftBytes / bytesPerSecond) * 1000;
}
