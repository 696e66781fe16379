/**
 * A token bucket that holds one second's worth of requests.
 * @returns a function that returns 0 if a request may pass, else the number of whole seconds to wait
 */
export function createRateLimit(ratePerSecond: number, now: () => number): () => number {
  const capacity = Math.max(1, ratePerSecond);
  let available = capacity;
  let filledAtMs = now();
  return () => {
    const nowMs = now();
    available = Math.min(capacity, available + (Math.max(0, nowMs - filledAtMs) / 1000) * ratePerSecond);
    filledAtMs = nowMs;
    if (available < 1) return Math.max(1, Math.ceil((1 - available) / ratePerSecond));
    available -= 1;
    return 0;
  };
}
