import type { TransferGroup } from '../../../shared/domain/transfer.ts';

/** Every entry of a group has one height, so that ten thousand need no measuring. Pixels. */
export const entryHeight: Readonly<Record<TransferGroup, number>> = {
  needsYou: 124,
  moving: 58,
  waiting: 46,
  done: 46,
};
export const headHeight = 32;
/** Below the last entry of a group. */
const gap = 6;
const order: readonly TransferGroup[] = ['needsYou', 'moving', 'waiting', 'done'];

export type PlacedGroup = {
  group: TransferGroup;
  /** Index of its first entry in the whole list. */
  first: number;
  count: number;
  /** Pixels from the top of the list to its heading. */
  top: number;
};

export type ListLayout = { groups: PlacedGroup[]; total: number; height: number };

/** Groups in the order of the dock; empty ones are left out. */
export function layOut(counts: Readonly<Record<TransferGroup, number>>): ListLayout {
  const groups: PlacedGroup[] = [];
  let first = 0;
  let top = 0;
  for (const group of order) {
    const count = counts[group];
    if (count === 0) continue;
    groups.push({ group, first, count, top });
    first += count;
    top += headHeight + count * entryHeight[group] + gap;
  }
  return { groups, total: first, height: top };
}

/** The entries that touch the pixels from `from` to `to`: first index, and how many. */
export function entriesBetween(
  layout: ListLayout,
  from: number,
  to: number,
): { offset: number; count: number } {
  let start = layout.total;
  let end = 0;
  for (const { group, first, count, top } of layout.groups) {
    const begin = top + headHeight;
    const low = Math.max(0, Math.floor((from - begin) / entryHeight[group]));
    const high = Math.min(count, Math.ceil((to - begin) / entryHeight[group]));
    if (low >= high) continue;
    start = Math.min(start, first + low);
    end = Math.max(end, first + high);
  }
  return end > start ? { offset: start, count: end - start } : { offset: 0, count: 0 };
}

/** Pixels from the top of the list to an entry. */
export function topOf(layout: ListLayout, index: number): number {
  for (const { group, first, count, top } of layout.groups) {
    if (index < first + count) return top + headHeight + (index - first) * entryHeight[group];
  }
  return layout.height;
}
