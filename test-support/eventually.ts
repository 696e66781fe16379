import { vi } from 'vitest';

/** Retries until `check` no longer throws, long enough for a busy machine. */
export function eventually<T>(check: () => T | Promise<T>, intervalMs = 20): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: intervalMs });
}
