import { slicesOf } from '../../../shared/slices.ts';
import type { QueueKind } from './store-types.ts';

/** Records changed per transaction: takes a few milliseconds, then the database thread can do other work. */
export const batchSize = 500;

/**
 * Records per transaction where a bulk action changes them one by one: with their rows of the list, 500 took up to
 * 200 ms, which delayed each step of a person's next action.
 */
export const sliceSize = 100;

/** Records claimed in one transaction: they share one flush to the disk, and all wait for it. */
export const claimSizes: Record<QueueKind, number> = { small: 128, large: 8, start: 64, delete: 64 };

export const largestClaim = Math.max(...Object.values(claimSizes));

export const batchesOf = <T>(items: ArrayLike<T>): Generator<T[]> => slicesOf(items, batchSize);

/**
 * Finds which entries of each group of a list are on a page.
 * @returns call it for each group in turn, with its number of entries; `to` is exclusive
 */
export function walkPage(offset: number, limit: number): (count: number) => { from: number; to: number } {
  let skip = offset;
  let left = limit;
  return (count) => {
    const from = Math.min(skip, count);
    const to = Math.min(from + left, count);
    skip -= from;
    left -= to - from;
    return { from, to };
  };
}
