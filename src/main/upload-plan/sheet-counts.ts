import { isProblem, mayGo, type SheetEntry } from './sheet-entry.ts';

export interface SheetCounts {
  readonly total: number;
  readonly totalBytes: number;
  readonly ready: number;
  readonly readyBytes: number;
  readonly problems: number;
  readonly duplicates: number;
  readonly mayBeRefused: number;
  readonly changed: number;
  /** Number of entries in the first group. */
  readonly first: number;
}

type Standing = Pick<SheetEntry, 'status' | 'standsFirst'>;

/** Counts incrementally, so that the cost does not depend on the number of files. */
export function createSheetCounts() {
  const counts = {
    total: 0,
    totalBytes: 0,
    ready: 0,
    readyBytes: 0,
    problems: 0,
    duplicates: 0,
    mayBeRefused: 0,
    changed: 0,
    first: 0,
  };

  function count({ file }: SheetEntry, { status, standsFirst }: Standing, by: 1 | -1): void {
    if (standsFirst) counts.first += by;
    if (isProblem(status)) counts.problems += by;
    if (status === 'duplicate') counts.duplicates += by;
    if (status === 'mayBeRefused') counts.mayBeRefused += by;
    if (status === 'changed') counts.changed += by;
    if (mayGo(status)) {
      counts.ready += by;
      counts.readyBytes += by * file.sizeBytes;
    }
  }

  function countFile(entry: SheetEntry, by: 1 | -1): void {
    counts.total += by;
    counts.totalBytes += by * entry.file.sizeBytes;
    count(entry, entry, by);
  }

  return {
    now: (): SheetCounts => ({ ...counts }),
    add: (entry: SheetEntry) => countFile(entry, 1),
    remove: (entry: SheetEntry) => countFile(entry, -1),
    /** Updates the counts after an entry changed. */
    move(entry: SheetEntry, before: Standing) {
      count(entry, before, -1);
      count(entry, entry, 1);
    },
  };
}
