import { vi } from 'vitest';

/** Waits until it does not throw any more: long enough for a machine that has much else to do. */
export function eventually<T>(check: () => T | Promise<T>, intervalMs = 20): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval: intervalMs });
}
