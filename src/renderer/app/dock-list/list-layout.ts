/** The groups in display order, each with the fixed height of its entries in pixels: nothing is measured. */
export type ListShape<G extends string> = readonly (readonly [group: G, entryHeight: number])[];

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
  isFolded: boolean;
};

export type ListLayout<G extends string> = { groups: PlacedGroup<G>[]; total: number; height: number };

type Extras = {
  /** Extra pixels before the entries of a group. */
  above?: Partial<Record<string, number>>;
  /** A group to collapse into its heading; only the last one can be. */
  folded?: string | null;
};

/** Omits empty groups. */
export function layOut<G extends string>(
  shape: ListShape<G>,
  counts: Readonly<Partial<Record<G, number>>> | undefined,
  { above: extra = {}, folded = null }: Extras = {},
): ListLayout<G> {
  const groups: PlacedGroup<G>[] = [];
  let first = 0;
  let top = 0;
  for (const [group, entryHeight] of shape) {
    const count = counts?.[group] ?? 0;
    const above = extra[group] ?? 0;
    if (count + above === 0) continue;
    const isFolded = group === folded;
    const begin = top + (isFolded ? foldHeight : headHeight + above);
    groups.push({ group, first, count, top, begin, above, entryHeight, isFolded });
    first += count;
    top = begin + (isFolded ? 0 : count * entryHeight + gap);
  }
  return { groups, total: first, height: top };
}

/** The entries that intersect the pixels `from` to `to`. */
export function entriesBetween<G extends string>(
  layout: ListLayout<G>,
  from: number,
  to: number,
): { offset: number; count: number } {
  let start = layout.total;
  let end = 0;
  for (const { first, count, begin, entryHeight, isFolded } of layout.groups) {
    if (isFolded) continue;
    const low = Math.max(0, Math.floor((from - begin) / entryHeight));
    const high = Math.min(count, Math.ceil((to - begin) / entryHeight));
    if (low >= high) continue;
    start = Math.min(start, first + low);
    end = Math.max(end, first + high);
  }
  return end > start ? { offset: start, count: end - start } : { offset: 0, count: 0 };
}

/** The group of an entry and its distance in pixels from the top of the list; null outside the list, or collapsed. */
export function placeOf<G extends string>(
  layout: ListLayout<G>,
  index: number,
): { placed: PlacedGroup<G>; top: number } | null {
  const placed = layout.groups.findLast(({ first, count }) => count > 0 && first <= index);
  if (placed === undefined || index >= layout.total || placed.isFolded) return null;
  return { placed, top: placed.begin + (index - placed.first) * placed.entryHeight };
}
