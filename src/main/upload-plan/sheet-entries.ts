import { basename, join } from 'node:path';
import { checkObjectId, numberedIdentifier } from '../../shared/domain/object-id.ts';
import { maxObjectBytes, type SizeVerdict } from '../../shared/domain/limits.ts';
import { type PartRules, countParts } from '../../shared/domain/parts.ts';
import type { PlanEntry, PlanProblem } from '../../shared/domain/upload-plan.ts';
import type { IdentifierOwners } from './identifier-owners.ts';
import type { FoundFile, Trouble } from './read-files.ts';

/** A file of an upload sheet. */
export interface SheetEntry {
  readonly id: number;
  readonly file: FoundFile;
  readonly size: SizeVerdict;
  trouble: Trouble | null;
  hash8: string | null;
  /**
   * The identifier entered by the person; null: from the template. Void if all identifiers were reset since that era.
   */
  own: string | null;
  /** The beginning of `own` that is the sheet's folder, with which it changes; null: `own` is elsewhere. */
  ownPrefix: string | null;
  era: number;
  identifier: string;
  /** Whether the file changed since the draft was saved. */
  readonly changed: boolean;
  status: Status;
  /** Listed in the first group, because it had a note when it was last placed. */
  standsFirst: boolean;
}
export type Status = 'unnamed' | 'problem' | 'duplicate' | 'ready' | 'mayBeRefused' | 'changed';

/** Whether the entry has a note. */
function isNoted(status: Status): boolean {
  return isProblem(status) || status === 'mayBeRefused' || status === 'changed';
}

/** Whether the entry cannot be uploaded as it is. */
export function isProblem(status: Status): boolean {
  return status === 'problem' || status === 'duplicate';
}

/** Whether an upload includes the entry. */
export function mayGo(status: Status): boolean {
  return status === 'ready' || status === 'mayBeRefused' || status === 'changed';
}

export function pathOf(file: FoundFile): string {
  return join(file.place.absolute, file.fileName);
}

/** What determines an entry's problems, beside the entry itself. */
interface Surroundings {
  readonly separator: string;
  readonly rules: PartRules;
  readonly owners: Pick<IdentifierOwners<SheetEntry>, 'ownerOf'>;
}

/** The entry as the window shows it. */
export function describeEntry(entry: SheetEntry, surroundings: Surroundings): PlanEntry {
  const { id, file, identifier, own } = entry;
  return {
    id,
    fileName: file.fileName,
    folder: file.place.below,
    sizeBytes: file.sizeBytes,
    parts: countParts(file.sizeBytes, surroundings.rules),
    identifier,
    edited: own !== null,
    problem: problemOf(entry, surroundings),
    mayBeRefused: entry.status === 'mayBeRefused',
    changed: entry.status === 'changed',
  };
}

function problemOf(entry: SheetEntry, { separator, rules, owners }: Surroundings): PlanProblem | null {
  if (!isProblem(entry.status)) return null;
  if (entry.trouble !== null) return { code: entry.trouble };
  if (entry.size === 'tooLarge') {
    return { code: 'tooLarge', limitBytes: rules.maxObjectBytes ?? maxObjectBytes.possible };
  }
  const { identifier } = entry;
  const verdict = checkObjectId(identifier);
  if (!verdict.ok) return { code: 'badIdentifier', problem: verdict.problem };
  const [name, asName] = namesOf(entry.file, owners.ownerOf(identifier)?.file ?? entry.file);
  for (let number = 2; ; number += 1) {
    const remedy = numberedIdentifier(identifier, separator, number);
    if (!owners.ownerOf(remedy)) return { code: 'sameIdentifier', name, asName, remedy };
  }
}

/** Names that tell two files apart: below what was dropped, else with the name of the folder that each is in. */
function namesOf(one: FoundFile, other: FoundFile): [string, string] {
  const below = ({ fileName, place }: FoundFile) =>
    place.below === '' ? fileName : `${place.below}/${fileName}`;
  if (below(one) !== below(other)) return [below(one), below(other)];
  const within = ({ fileName, place }: FoundFile) => `${basename(place.absolute)}/${fileName}`;
  return [within(one), within(other)];
}

/**
 * The positions of entries: those with a note first. An entry that the person is changing keeps its position.
 * @param entries of the sheet, in the order they were found
 */
export function createSheetOrder(entries: ReadonlyMap<number, SheetEntry>) {
  const notedBelow = new Set<SheetEntry>();
  let isHeld = false;

  function* all(): Generator<SheetEntry> {
    for (const entry of entries.values()) if (entry.standsFirst) yield entry;
    for (const entry of entries.values()) if (!entry.standsFirst) yield entry;
  }

  return {
    /** The first group, then the others, each in the order they were found. */
    all,
    /** Places an entry after its status changed; it keeps its position during `hold`. */
    place(entry: SheetEntry) {
      const isNow = isNoted(entry.status);
      if (!isHeld) entry.standsFirst = isNow;
      if (isNow && !entry.standsFirst) notedBelow.add(entry);
      else notedBelow.delete(entry);
    },
    /** Keeps all entries in position while `work` runs, so that nothing moves while the person edits. */
    hold(work: () => void) {
      isHeld = true;
      work();
      isHeld = false;
    },
    remove: (entry: SheetEntry) => void notedBelow.delete(entry),
    /** Positions of entries that have a note but are not in the first group, ascending. */
    notedBelow() {
      const places: number[] = [];
      if (notedBelow.size === 0) return places;
      let index = 0;
      for (const entry of all()) {
        if (notedBelow.has(entry)) places.push(index);
        if (places.length === notedBelow.size) break;
        index += 1;
      }
      return places;
    },
  };
}

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
