import type { SelectionMix } from '../../../src/shared/contract.ts';
import { isUnverified } from '../../../src/shared/domain/unverified.ts';
import type { ObjectQuery, ObjectRecord } from '../../../src/shared/domain/object.ts';
import { fileKind } from '../../../src/shared/domain/file-kind.ts';
import { foldText, parseSearch, type SearchFilter } from '../../../src/shared/domain/search.ts';
import { versionOf } from '../../../src/shared/domain/versions.ts';
import { stateRanks, states, stateCode } from '../../../src/main/objects/rows.ts';
import { writeText } from '../../../src/main/database/text.ts';

const versionMark = '@{number}';

/** A simple model of a query of the list: filter and sort an array. */
export function select(
  records: readonly ObjectRecord[],
  query: ObjectQuery,
  separator: string,
): ObjectRecord[] {
  const found = newestOf(
    records.filter((record) => isIn(record, query, separator)),
    query,
    separator,
  );
  const { column, direction } = query.sort;
  const sign = direction === 'ascending' ? 1 : -1;
  const sorted = found.sort(
    (a, b) =>
      sign * compare(a, b, column) ||
      (column === 'stored' ? a.id - b.id : compareText(a.identifier, b.identifier)),
  );
  const isSearchByName = column === 'identifier' && query.search.trim() !== '';
  return isSearchByName ? newestFirst(sorted, separator) : sorted;
}

/** The versions of each family, the newest first, in the places of the family. */
function newestFirst(sorted: readonly ObjectRecord[], separator: string): ObjectRecord[] {
  const members = Map.groupBy(sorted, (record) => familyKey(record, separator));
  for (const family of members.values())
    family.sort((a, b) => numberOf(b, separator) - numberOf(a, separator));
  return sorted.flatMap((record) => members.get(familyKey(record, separator))?.shift() ?? []);
}

function numberOf({ identifier }: ObjectRecord, separator: string): number {
  return versionOf(identifier, separator, versionMark).number;
}

function familyKey({ kind, identifier }: ObjectRecord, separator: string): string {
  return JSON.stringify([kind, versionOf(identifier, separator, versionMark).base]);
}

/** The newest stored row of each family, or else the newest. A search, *Deleted* and *Needs attention* show all rows. */
function newestOf(found: readonly ObjectRecord[], query: ObjectQuery, separator: string): ObjectRecord[] {
  const isWhole = query.place.kind === 'gone' || query.place.kind === 'attention';
  if (query.allVersions === true || isWhole || query.search.trim() !== '') return [...found];
  const families = Map.groupBy(found, (record) => familyKey(record, separator));
  return [...families.values()].flatMap((members) => {
    const sorted = members.toSorted((a, b) => numberOf(b, separator) - numberOf(a, separator));
    return sorted.find(({ state }) => state === 'stored') ?? sorted[0] ?? [];
  });
}

/** The rows of a record's family. */
export function familyOf(
  records: readonly ObjectRecord[],
  record: ObjectRecord,
  separator: string,
): ObjectRecord[] {
  const baseOf = ({ identifier }: ObjectRecord) => versionOf(identifier, separator, versionMark).base;
  return records.filter((other) => other.kind === record.kind && baseOf(other) === baseOf(record));
}

export function ancestors(identifier: string, separator: string): string[] {
  const parts: string[] = [];
  for (let at = identifier.indexOf(separator); at >= 0; at = identifier.indexOf(separator, at + 1)) {
    let path = identifier.slice(0, at);
    while (path.endsWith(separator)) path = path.slice(0, -separator.length);
    if (path !== '') parts.push(path);
  }
  return [...new Set(parts)];
}

function isIn(record: ObjectRecord, { kind, place, search }: ObjectQuery, separator: string): boolean {
  if (record.kind !== kind || (record.state === 'gone') !== (place.kind === 'gone')) return false;
  if (place.kind === 'attention' && !['failed', 'missing', 'unknown'].includes(record.state)) return false;
  const above = ancestors(record.identifier, separator);
  if (place.kind === 'unfiled' && above.length > 0) return false;
  if (place.kind === 'folder' && !above.includes(place.path)) return false;
  if (place.kind === 'classification' && record.classification !== place.value) return false;
  const filter = parseSearch(search);
  const { lengthBytes, storedAtMs } = record;
  return (
    hasDemanded(record, filter, separator, true) &&
    hasDemanded(record, filter.without, separator, false) &&
    isBetween(lengthBytes, filter.minBytes, filter.maxBytes) &&
    isBetween(
      storedAtMs,
      filter.storedFromMs,
      filter.storedBeforeMs === null ? null : filter.storedBeforeMs - 1,
    )
  );
}

/** Whether the record meets all terms; for excluded terms (`isWanted` false), whether it meets none. */
function hasDemanded(
  record: ObjectRecord,
  { words, classes, folders, states: someStates, fileKinds }: SearchFilter['without'],
  separator: string,
  isWanted: boolean,
): boolean {
  const texts = [record.identifier, record.sourceName ?? '', record.note].map(foldText);
  const expression = (pieces: readonly string[]) => pieces.map(escaped).join('[^]*');
  const names = (value: string, list: SearchFilter['classes']) =>
    list.map(({ pattern, exact }) =>
      new RegExp(`^${expression(pattern)}${exact ? '$' : ''}`, 'u').test(value),
    );
  const folder = foldText(separator + (ancestors(record.identifier, separator).at(-1) ?? '') + separator);
  const folded = foldText(separator);
  const inFolders = folders.map(({ pattern: [first = '', ...rest], exact }) => {
    if (exact && first === '') return ancestors(record.identifier, separator).length === 0;
    if (ancestors(record.identifier, separator).length === 0) return false;
    const top = first.replace(new RegExp(`^(${escaped(folded)})*`, 'u'), '');
    const end = exact && !(folded + top).endsWith(folded) ? folded : '';
    return new RegExp(expression([folded + top + end, ...(exact ? [] : rest)]), 'u').test(folder);
  });
  const found = words.map((word) => texts.some((text) => new RegExp(expression(word), 'u').test(text)));
  const alternatives = [
    names(foldText(record.classification ?? ''), classes),
    inFolders,
    someStates.map((state) => state === record.state),
    fileKinds.map((kind) => kind === fileKind(record.identifier)),
  ].filter((list) => list.length > 0);
  return isWanted
    ? found.every(Boolean) && alternatives.every((list) => list.some(Boolean))
    : !found.some(Boolean) && !alternatives.some((list) => list.some(Boolean));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}

function isBetween(value: number | null, min: number | null, max: number | null): boolean {
  if (min === null && max === null) return true;
  return value !== null && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}

function compare(a: ObjectRecord, b: ObjectRecord, column: ObjectQuery['sort']['column']): number {
  switch (column) {
    case 'identifier':
      return compareText(a.identifier, b.identifier);
    // No persons are known in the model.
    case 'storedBy':
      return 0;
    case 'classification':
      return compareClassification(a.classification, b.classification);
    case 'size':
      return (a.lengthBytes ?? -1) - (b.lengthBytes ?? -1);
    case 'stored':
      return storedKey(a) === storedKey(b) ? 0 : storedKey(a) - storedKey(b);
    case 'checked':
      return (a.checkedAtMs ?? -1) - (b.checkedAtMs ?? -1);
    case 'state':
      return (stateRanks[stateCode(a.state)] ?? 0) - (stateRanks[stateCode(b.state)] ?? 0);
  }
}

function compareClassification(a: string | null, b: string | null): number {
  return a === null || b === null ? Number(a !== null) - Number(b !== null) : compareText(a, b);
}

/** Uploads in progress sort after everything else, objects without a time before it. */
function storedKey({ storedAtMs, state }: ObjectRecord): number {
  return storedAtMs ?? (state === 'uploading' ? Infinity : -1);
}

/** By code points, as in the database. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(writeText(a)), Buffer.from(writeText(b)));
}

/** The statistics of a selection. */
export function mixOf(records: readonly ObjectRecord[]): SelectionMix {
  const lengths = records.flatMap(({ lengthBytes }) => lengthBytes ?? []);
  const times = records.flatMap(({ storedAtMs }) => storedAtMs ?? []);
  const count = (test: (record: ObjectRecord) => boolean) => records.filter(test).length;
  const classifications = [...new Set(records.map(({ classification }) => classification))]
    .map((value) => ({ value, count: count(({ classification }) => classification === value) }))
    .sort((a, b) => b.count - a.count || compareClassification(a.value, b.value));
  return {
    count: records.length,
    totalBytes: lengths.reduce((sum, length) => sum + length, 0),
    unknownLengths: records.length - lengths.length,
    unseen: count((record) => isUnverified(record, 'presence')),
    states: states
      .map((state) => ({ state, count: count((record) => record.state === state) }))
      .filter((each) => each.count > 0),
    classifications: classifications.slice(0, 12),
    moreClassifications: Math.max(0, classifications.length - 12),
    stored: times.length === 0 ? null : { fromMs: Math.min(...times), toMs: Math.max(...times) },
  };
}
