import type { Output } from '../../../../shared/contract.ts';
import type { ObjectQuery, Selection } from '../../../../shared/domain/object.ts';

/** A set of up to a million ids as bits: bit `n` (lowest bit of each byte first) is the id `firstId + n`. */
type IdBits = { firstId: number; bits: Uint8Array };

/** @param bits base64 */
function readIdBits({ firstId, bits }: { firstId: number; bits: string }): IdBits {
  return { firstId, bits: Uint8Array.from(atob(bits), (byte) => byte.charCodeAt(0)) };
}

function hasId({ firstId, bits }: IdBits, id: number): boolean {
  const at = id - firstId;
  return at >= 0 && (((bits[Math.floor(at / 8)] ?? 0) >> (at % 8)) & 1) === 1;
}

/**
 * A selection, independent of what is loaded: rows by id, all results of a query except some, or a range stored by
 * main with some rows added and removed. All functions return a new value.
 */
export type ObjectSelection =
  | { kind: 'ids'; ids: ReadonlySet<number> }
  | { kind: 'allExcept'; exceptIds: ReadonlySet<number> }
  | {
      kind: 'range';
      ticket: string;
      count: number;
      members: IdBits;
      exceptIds: ReadonlySet<number>;
      plusIds: ReadonlySet<number>;
    };

export const nothingSelected: ObjectSelection = { kind: 'ids', ids: new Set() };
export const everythingSelected: ObjectSelection = { kind: 'allExcept', exceptIds: new Set() };
export const noFolders: ReadonlySet<string> = new Set();

export function selectIds(ids: Iterable<number>): Extract<ObjectSelection, { kind: 'ids' }> {
  return { kind: 'ids', ids: new Set(ids) };
}

/** A range stored by main; a single row is stored by its id. */
export function selectRange({ selection, count, ...bits }: Output<'objects.selectRange'>): ObjectSelection {
  if (count <= 1) return selectIds(count === 1 ? [bits.firstId] : []);
  const { ticket, exceptIds, plusIds } = selection;
  return {
    kind: 'range',
    ticket,
    count,
    members: readIdBits(bits),
    exceptIds: new Set(exceptIds),
    plusIds: new Set(plusIds),
  };
}

export function addIds(selection: ObjectSelection, ids: Iterable<number>): ObjectSelection {
  if (selection.kind === 'ids') return selectIds([...selection.ids, ...ids]);
  const added = new Set(ids);
  const exceptIds = new Set([...selection.exceptIds].filter((id) => !added.has(id)));
  if (selection.kind === 'allExcept') return { kind: 'allExcept', exceptIds };
  const others = [...added].filter((id) => !hasId(selection.members, id));
  return { ...selection, exceptIds, plusIds: new Set([...selection.plusIds, ...others]) };
}

export function toggleId(selection: ObjectSelection, id: number): ObjectSelection {
  switch (selection.kind) {
    case 'ids':
      return { kind: 'ids', ids: toggled(selection.ids, id) };
    case 'allExcept':
      return { kind: 'allExcept', exceptIds: toggled(selection.exceptIds, id) };
    case 'range':
      return hasId(selection.members, id)
        ? { ...selection, exceptIds: toggled(selection.exceptIds, id) }
        : { ...selection, plusIds: toggled(selection.plusIds, id) };
  }
}

export function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const changed = new Set(set);
  if (!changed.delete(value)) changed.add(value);
  return changed;
}

export function isSelected(selection: ObjectSelection, id: number): boolean {
  switch (selection.kind) {
    case 'ids':
      return selection.ids.has(id);
    case 'allExcept':
      return !selection.exceptIds.has(id);
    case 'range':
      return selection.plusIds.has(id) || (hasId(selection.members, id) && !selection.exceptIds.has(id));
  }
}

/** @param total number of results of the query */
export function countSelected(selection: ObjectSelection, total: number): number {
  switch (selection.kind) {
    case 'ids':
      return selection.ids.size;
    case 'allExcept':
      return Math.max(0, total - selection.exceptIds.size);
    case 'range':
      return selection.count - selection.exceptIds.size + selection.plusIds.size;
  }
}

/** The id if exactly one row is selected, else null. */
export function onlyId(selection: ObjectSelection): number | null {
  if (selection.kind !== 'ids' || selection.ids.size !== 1) return null;
  const [id] = selection.ids;
  return id ?? null;
}

/** The path if exactly one folder and no object is selected, else null. @param count number of selected objects */
export function onlyFolder(folders: ReadonlySet<string>, count: number): string | null {
  if (folders.size !== 1 || count > 0) return null;
  const [path] = folders;
  return path ?? null;
}

/** In the format of the contract; null: nothing is selected. */
export function toWire(
  selection: ObjectSelection,
  folders: ReadonlySet<string>,
  query: ObjectQuery,
): Selection | null {
  const rows = rowsToWire(selection, query);
  if (folders.size === 0) return rows;
  return { kind: 'folders', serviceId: query.serviceId, paths: [...folders], and: rows };
}

/** Without folders. */
export function rowsToWire(
  selection: ObjectSelection,
  query: ObjectQuery,
): Exclude<Selection, { kind: 'folders' }> | null {
  if (selection.kind === 'allExcept') return { kind: 'query', query, exceptIds: [...selection.exceptIds] };
  if (selection.kind === 'range') {
    const { ticket, exceptIds, plusIds } = selection;
    if (countSelected(selection, 0) === 0) return null;
    return { kind: 'frozen', ticket, exceptIds: [...exceptIds], plusIds: [...plusIds] };
  }
  return selection.ids.size === 0 ? null : { kind: 'ids', ids: [...selection.ids] };
}
