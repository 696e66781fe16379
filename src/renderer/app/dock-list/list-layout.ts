/** The groups in the order of the dock. Every entry of a group has one height, in pixels: nothing is measured. */
export type ListShape<G extends string> = readonly (readonly [group: G, entryHeight: number])[];

const headHeight = 32;
/** Below the last entry of a group. */
const gap = 6;

export type PlacedGroup<G extends string> = {
  group: G;
  /** Index of its first entry in the whole list. */
  first: number;
  count: number;
  /** Pixels from the top of the list to its heading. */
  top: number;
  entryHeight: number;
};

type ListLayout<G extends string> = { groups: PlacedGroup<G>[]; total: number; height: number };

/** Empty groups are left out. */
export function layOut<G extends string>(
  shape: ListShape<G>,
  counts: Readonly<Partial<Record<G, number>>> | undefined,
): ListLayout<G> {
  const groups: PlacedGroup<G>[] = [];
  let first = 0;
  let top = 0;
  for (const [group, entryHeight] of shape) {
    const count = counts?.[group] ?? 0;
    if (count === 0) continue;
    groups.push({ group, first, count, top, entryHeight });
    first += count;
    top += headHeight + count * entryHeight + gap;
  }
  return { groups, total: first, height: top };
}

/** The entries that touch the pixels from `from` to `to`: first index, and how many. */
export function entriesBetween<G extends string>(
  layout: ListLayout<G>,
  from: number,
  to: number,
): { offset: number; count: number } {
  let start = layout.total;
  let end = 0;
  for (const { first, count, top, entryHeight } of layout.groups) {
    const begin = top + headHeight;
    const low = Math.max(0, Math.floor((from - begin) / entryHeight));
    const high = Math.min(count, Math.ceil((to - begin) / entryHeight));
    if (low >= high) continue;
    start = Math.min(start, first + low);
    end = Math.max(end, first + high);
  }
  return end > start ? { offset: start, count: end - start } : { offset: 0, count: 0 };
}

/** The group of an entry, and the pixels from the top of the list to it; null outside the list. */
export function placeOf<G extends string>(
  layout: ListLayout<G>,
  index: number,
): { placed: PlacedGroup<G>; top: number } | null {
  const placed = layout.groups.findLast(({ first }) => first <= index);
  if (placed === undefined || index >= layout.total) return null;
  return { placed, top: placed.top + headHeight + (index - placed.first) * placed.entryHeight };
}
