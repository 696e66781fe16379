import type { ObjectQuery, Selection } from '../../../shared/domain/object.ts';

/**
 * What is selected, independent of what is loaded: rows by their ids, or everything a filter finds except some.
 * Every function answers a new value; nothing is changed in place.
 */
export type ObjectSelection =
  { kind: 'ids'; ids: ReadonlySet<number> } | { kind: 'allExcept'; exceptIds: ReadonlySet<number> };

export const nothingSelected: ObjectSelection = { kind: 'ids', ids: new Set() };
export const everythingSelected: ObjectSelection = { kind: 'allExcept', exceptIds: new Set() };

export function selectIds(ids: Iterable<number>): ObjectSelection {
  return { kind: 'ids', ids: new Set(ids) };
}

export function addIds(selection: ObjectSelection, ids: Iterable<number>): ObjectSelection {
  const added = new Set(ids);
  return selection.kind === 'ids'
    ? { kind: 'ids', ids: selection.ids.union(added) }
    : { kind: 'allExcept', exceptIds: selection.exceptIds.difference(added) };
}

export function toggleId(selection: ObjectSelection, id: number): ObjectSelection {
  const change = new Set([id]);
  return selection.kind === 'ids'
    ? { kind: 'ids', ids: selection.ids.symmetricDifference(change) }
    : { kind: 'allExcept', exceptIds: selection.exceptIds.symmetricDifference(change) };
}

export function isSelected(selection: ObjectSelection, id: number): boolean {
  return selection.kind === 'ids' ? selection.ids.has(id) : !selection.exceptIds.has(id);
}

/** @param total how many rows the filter finds */
export function countSelected(selection: ObjectSelection, total: number): number {
  return selection.kind === 'ids' ? selection.ids.size : Math.max(0, total - selection.exceptIds.size);
}

/** The one selected id, null when there are none or several. */
export function onlyId(selection: ObjectSelection): number | null {
  if (selection.kind !== 'ids' || selection.ids.size !== 1) return null;
  const [id] = selection.ids;
  return id ?? null;
}

/** As main understands it; null when nothing is selected. */
export function toWire(selection: ObjectSelection, query: ObjectQuery): Selection | null {
  if (selection.kind === 'allExcept') return { kind: 'query', query, exceptIds: [...selection.exceptIds] };
  return selection.ids.size === 0 ? null : { kind: 'ids', ids: [...selection.ids] };
}
