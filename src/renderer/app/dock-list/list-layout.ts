/**
 * The groups in display order, each with the height of its entries in pixels. In a `measured` group entries are as tall as their text,
 * and this is an estimate until they are rendered.
 */
export type ListShape<G extends string> = readonly (readonly [
  group: G,
  entryHeight: number,
  measured?: 'measured',
])[];

/** Heights of measured entries in pixels, by their index in the list. */
export type HeightsByIndex = ReadonlyMap<number, number>;

const headHeight = 32;
/** Height of a group collapsed into its heading. */
export const foldHeight = 40;
/** Space below the last entry of a group. */
const gap = 6;

export type PlacedGroup<G extends string> = {
  group: G;
  first: number;
  count: number;
  top: number;
  /** Pixels from the top of the list to its first entry. */
  begin: number;
  /** Pixels between its heading and its first entry. */
  above: number;
  entryHeight: number;
  isMeasured: boolean;
  /** Entries of another height, ascending: the index in the group, and the sum of extra pixels up to and including it. */
  taller: readonly { index: number; byPx: number }[];
  isFolded: boolean;
};

export type ListLayout<G extends string> = { groups: PlacedGroup<G>[]; total: number; height: number };

type Extras = {
  /** Extra pixels before the entries of a group. */
  above?: Partial<Record<string, number>>;
  /** A group to collapse into its heading; only the last one can be. */
  folded?: string | null;
  heights?: HeightsByIndex;
};

/** Omits empty groups. */
export function layOut<G extends string>(
  shape: ListShape<G>,
  counts: Readonly<Partial<Record<G, number>>> | undefined,
  { above: extra = {}, folded = null, heights = new Map() }: Extras = {},
): ListLayout<G> {
  const groups: PlacedGroup<G>[] = [];
  let first = 0;
  let top = 0;
  for (const [group, entryHeight, measured] of shape) {
    const count = counts?.[group] ?? 0;
    const above = extra[group] ?? 0;
    if (count + above === 0) continue;
    const isFolded = group === folded;
    const begin = top + (isFolded ? foldHeight : headHeight + above);
    const isMeasured = measured !== undefined;
    const taller = isMeasured ? sumUp(heights, first, count, entryHeight) : [];
    const placed = { group, first, count, top, begin, above, entryHeight, isMeasured, taller, isFolded };
    groups.push(placed);
    first += count;
    top = isFolded ? begin : topIn(placed, count) + gap;
  }
  return { groups, total: first, height: top };
}

function sumUp(
  heights: HeightsByIndex,
  first: number,
  count: number,
  entryHeight: number,
): PlacedGroup<string>['taller'] {
  let byPx = 0;
  return [...heights]
    .filter(([at]) => at >= first && at < first + count)
    .toSorted(([a], [b]) => a - b)
    .map(([at, height]) => {
      byPx += height - entryHeight;
      return { index: at - first, byPx };
    });
}

/** Pixels from the top of the list to the entry of a group at `index`. */
function topIn({ begin, entryHeight, taller }: PlacedGroup<string>, index: number): number {
  const before = taller.findLast((each) => each.index < index);
  return begin + index * entryHeight + (before?.byPx ?? 0);
}

/** Binary search: the first index below `count` for which a monotonic condition holds; else `count`. */
function firstOf(count: number, isSo: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The entries that intersect the pixels `from` to `to`. */
export function entriesBetween<G extends string>(
  layout: ListLayout<G>,
  from: number,
  to: number,
): { offset: number; count: number } {
  let start = layout.total;
  let end = 0;
  for (const placed of layout.groups) {
    if (placed.isFolded) continue;
    const { first, count } = placed;
    const low = firstOf(count, (index) => topIn(placed, index + 1) > from);
    const high = firstOf(count, (index) => topIn(placed, index) >= to);
    if (low >= high) continue;
    start = Math.min(start, first + low);
    end = Math.max(end, first + high);
  }
  return end > start ? { offset: start, count: end - start } : { offset: 0, count: 0 };
}

/** The group of an entry, its distance in pixels from the top of the list, and its height; null outside the list, or collapsed. */
export function placeOf<G extends string>(
  layout: ListLayout<G>,
  index: number,
): { placed: PlacedGroup<G>; top: number; height: number } | null {
  const placed = layout.groups.findLast(({ first, count }) => count > 0 && first <= index);
  if (placed === undefined || index >= layout.total || placed.isFolded) return null;
  const top = topIn(placed, index - placed.first);
  return { placed, top, height: topIn(placed, index - placed.first + 1) - top };
}
