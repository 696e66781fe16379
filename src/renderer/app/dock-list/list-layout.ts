import { create } from 'zustand';
import type { Cause, CauseKey, TransferGroup } from '../../../shared/domain/transfer-summary.ts';

/** How many entries are shown on expanding, and added by each "more". */
const step = 50;

/** What is expanded in the dock's lists, and how many entries of it are shown. Everything starts collapsed. */
export const useExpandedGroups = create<ReadonlyMap<string, number>>()(() => new Map());

export function toggleFold(key: string): void {
  const next = new Map(useExpandedGroups.getState());
  if (!next.delete(key)) next.set(key, step);
  useExpandedGroups.setState(next, true);
}

export function showMore(key: string): void {
  const unfolded = useExpandedGroups.getState();
  useExpandedGroups.setState(new Map(unfolded).set(key, (unfolded.get(key) ?? 0) + step), true);
}

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
const foldHeight = 40;
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

/** As in causes.css. */
const causeHeight = 48;
const moreHeight = 28;

/** Causes of two or more transfers; a single transfer is shown as itself. */
export function groupedCauses(causes: readonly Cause[] | undefined): readonly Cause[] {
  return causes?.filter(({ count }) => count > 1) ?? [];
}

export function countOf(causes: readonly Cause[]): number {
  return causes.reduce((sum, { count }) => sum + count, 0);
}

export function keyOf({ serviceId, group, code }: Cause): CauseKey {
  return { serviceId, group, code };
}

export type PlacedCause = {
  cause: Cause;
  /** Key of the expansion state and for React. */
  name: string;
  /** In pixels from the heading of the group. */
  top: number;
  height: number;
  isUnfolded: boolean;
  /** Maximum number of its transfers to render; it does not shrink when some leave. */
  wanted: number;
  /** How many are rendered. */
  shown: number;
  /** In pixels; in a measured group, an estimate until the entries are rendered. */
  entryHeight: number;
  isMeasured: boolean;
};

/**
 * @param list prefix that keeps the causes of the two lists apart
 * @param measured heights in pixels of causes that were rendered expanded, by name
 */
export function layOutCauses(
  list: string,
  causes: readonly Cause[],
  unfolded: ReadonlyMap<string, number>,
  shape: ListShape<TransferGroup>,
  measured: ReadonlyMap<string, number>,
): { placed: readonly PlacedCause[]; height: number } {
  let top = 0;
  const placed = causes.map((cause) => {
    const name = [list, cause.serviceId, cause.group, cause.code].join(' ');
    const wanted = unfolded.get(name) ?? 0;
    const shown = Math.min(cause.count, wanted);
    const [, entryHeight = 0, isMeasured] = shape.find(([group]) => group === cause.group) ?? [];
    const more = wanted > 0 && cause.count > shown ? moreHeight : 0;
    const isUnfolded = wanted > 0;
    const estimate = causeHeight + shown * entryHeight + more;
    const height = isUnfolded ? (measured.get(name) ?? estimate) : causeHeight;
    const kind = { entryHeight, isMeasured: isMeasured !== undefined };
    const at = { cause, name, top, height, isUnfolded, wanted, shown, ...kind };
    top += height;
    return at;
  });
  return { placed, height: top };
}
