import type { SelectionMix } from '../../../src/shared/contract.ts';
import type { ObjectQuery, ObjectRecord } from '../../../src/shared/domain/object.ts';
import { foldText, parseSearch } from '../../../src/shared/domain/search.ts';
import { states, writeText } from '../../../src/main/catalogue/rows.ts';

/** What the catalogue should answer, said plainly: filter and sort a list. */
export function select(
  records: readonly ObjectRecord[],
  query: ObjectQuery,
  separator: string,
): ObjectRecord[] {
  const found = records.filter((record) => isIn(record, query, separator));
  found.sort((a, b) => compare(a, b, query.sort.column) || compareText(a.identifier, b.identifier));
  return query.sort.direction === 'ascending' ? found : found.toReversed();
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
  const above = ancestors(record.identifier, separator);
  if (place.kind === 'unfiled' && above.length > 0) return false;
  if (place.kind === 'folder' && !above.includes(place.path)) return false;
  if (place.kind === 'classification' && record.classification !== place.value) return false;
  const filter = parseSearch(search);
  const texts = [record.identifier, record.sourceName ?? '', record.note].map(foldText);
  const folded = foldText(record.classification ?? '');
  const { lengthBytes, storedAtMs } = record;
  return (
    filter.words.every((word) => texts.some((text) => text.includes(word))) &&
    (filter.states.length === 0 || filter.states.includes(record.state)) &&
    (filter.classes.length === 0 ||
      filter.classes.some(({ value, exact }) => (exact ? folded === value : folded.startsWith(value)))) &&
    isBetween(lengthBytes, filter.minBytes, filter.maxBytes) &&
    isBetween(
      storedAtMs,
      filter.storedFromMs,
      filter.storedBeforeMs === null ? null : filter.storedBeforeMs - 1,
    )
  );
}

function isBetween(value: number | null, min: number | null, max: number | null): boolean {
  if (min === null && max === null) return true;
  return value !== null && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}

function compare(a: ObjectRecord, b: ObjectRecord, column: ObjectQuery['sort']['column']): number {
  switch (column) {
    case 'identifier':
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
      return states.indexOf(a.state) - states.indexOf(b.state);
  }
}

function compareClassification(a: string | null, b: string | null): number {
  return a === null || b === null ? Number(a !== null) - Number(b !== null) : compareText(a, b);
}

/** What is on its way comes after all that is stored. */
function storedKey({ storedAtMs, state }: ObjectRecord): number {
  return storedAtMs ?? (state === 'uploading' ? Infinity : -1);
}

/** By code points, as the file has them. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(writeText(a)), Buffer.from(writeText(b)));
}

/** What a list of rows is made of. */
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
    states: states
      .map((state) => ({ state, count: count((record) => record.state === state) }))
      .filter((each) => each.count > 0),
    classifications: classifications.slice(0, 12),
    moreClassifications: Math.max(0, classifications.length - 12),
    stored: times.length === 0 ? null : { fromMs: Math.min(...times), toMs: Math.max(...times) },
  };
}
