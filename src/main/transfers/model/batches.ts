import type { QueueKind } from './store-types.ts';

/** Records changed in one transaction: it takes a few milliseconds, then other work of the database thread gets its turn. */
export const batchSize = 500;

/**
 * Records that a bulk action changes one by one in one transaction: with their rows of the list, 500 took up to 200 ms, for which
 * a person's next action waited at each of its steps.
 */
export const sliceSize = 100;

/** Records claimed in one transaction: they share one flush to the disk, and all wait for it. */
export const claimSizes: Record<QueueKind, number> = { small: 64, large: 4, start: 16, delete: 16 };

/** The largest batch of any queue. */
export const largestClaim = Math.max(...Object.values(claimSizes));

export function* batchesOf<T>(items: ArrayLike<T>): Generator<T[]> {
  for (let start = 0; start < items.length; start += batchSize)
    yield Array.prototype.slice.call(items, start, start + batchSize);
}
