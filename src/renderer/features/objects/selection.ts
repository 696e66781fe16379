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
  if (selection.kind === 'ids') return selectIds([...selection.ids, ...ids]);
  const added = new Set(ids);
  return { kind: 'allExcept', exceptIds: new Set([...selection.exceptIds].filter((id) => !added.has(id))) };
}

export function toggleId(selection: ObjectSelection, id: number): ObjectSelection {
  return selection.kind === 'ids'
    ? { kind: 'ids', ids: toggled(selection.ids, id) }
    : { kind: 'allExcept', exceptIds: toggled(selection.exceptIds, id) };
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const changed = new Set(ids);
  if (!changed.delete(id)) changed.add(id);
  return changed;
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
