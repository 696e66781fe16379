import { join } from 'node:path';
import { numberedIdentifier } from '../../shared/domain/keep-both.ts';
import { judgeSize, maxObjectBytes, type SizeVerdict } from '../../shared/domain/limits.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { fillTemplate, usesHash } from '../../shared/domain/template.ts';
import type { DraftEntry, DraftProblem } from '../../shared/domain/upload-draft.ts';
import type { FoundFile, Trouble } from './read-files.ts';

export interface SheetOptions {
  /** Goes before what the template says; `''` for none. */
  readonly intoFolder: string;
  readonly separator: string;
  readonly template: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The profile's own limit. */
  readonly exactLimitBytes: number | null;
}

export interface SheetCounts {
  readonly total: number;
  readonly totalBytes: number;
  readonly ready: number;
  readonly readyBytes: number;
  readonly problems: number;
  readonly mayBeRefused: number;
}

export interface SheetEntry {
  readonly id: number;
  readonly file: FoundFile;
  readonly size: SizeVerdict;
  trouble: Trouble | null;
  hash8: string | null;
  /** What the person wrote, null for what the template says. */
  own: string | null;
  identifier: string;
  status: Status;
}
type Status = 'unnamed' | 'problem' | 'ready' | 'mayBeRefused';

/** How many entries are named again in one go before others get their turn. */
const chunkSize = 2000;

/** The files of one upload with their identifiers and problems. Each change costs the same however many files there are. */
export function createSheet(options: SheetOptions) {
  const { intoFolder, separator, date, exactLimitBytes } = options;
  const prefix = intoFolder === '' ? '' : intoFolder + separator;
  let { template } = options;
  let entries: SheetEntry[] = [];
  const byId = new Map<number, SheetEntry>();
  /** Those that want an identifier, by it; the first of each has it. */
  const claims = new Map<string, Set<SheetEntry>>();
  const counts = { total: 0, totalBytes: 0, ready: 0, readyBytes: 0, problems: 0, mayBeRefused: 0 };
  let lastId = 0;
  let naming = 0;

  const ownerOf = (identifier: string) => claims.get(identifier)?.values().next().value;
  const needsHash = (entry: SheetEntry) =>
    entry.own === null && entry.hash8 === null && entry.trouble === null && usesHash(template);

  function statusOf(entry: SheetEntry): Status {
    if (entry.trouble !== null || entry.size === 'tooLarge') return 'problem';
    if (needsHash(entry)) return 'unnamed';
    if (ownerOf(entry.identifier) !== entry) return 'problem';
    return entry.size === 'mayBeRefused' ? 'mayBeRefused' : 'ready';
  }

  function count(entry: SheetEntry, by: 1 | -1): void {
    const { status } = entry;
    if (status === 'problem') counts.problems += by;
    if (status === 'mayBeRefused') counts.mayBeRefused += by;
    if (status === 'ready' || status === 'mayBeRefused') {
      counts.ready += by;
      counts.readyBytes += by * entry.file.sizeBytes;
    }
  }

  function judge(entry: SheetEntry): void {
    count(entry, -1);
    entry.status = statusOf(entry);
    count(entry, 1);
  }

  function withdraw(entry: SheetEntry): void {
    const claim = claims.get(entry.identifier);
    if (!claim?.delete(entry)) return;
    const [next] = claim;
    if (next) judge(next);
    else claims.delete(entry.identifier);
  }

  /** Names an entry again, after anything about it changed. */
  function name(entry: SheetEntry): void {
    withdraw(entry);
    entry.identifier = entry.own ?? prefix + fillTemplate(template, factsOf(entry));
    const mayGo = entry.trouble === null && entry.size !== 'tooLarge' && !needsHash(entry);
    if (mayGo && checkObjectId(entry.identifier).ok) {
      const claim = claims.get(entry.identifier);
      if (claim) claim.add(entry);
      else claims.set(entry.identifier, new Set([entry]));
    }
    judge(entry);
  }

  function factsOf({ file, hash8 }: SheetEntry) {
    const { fileName, place } = file;
    return { folder: place.below, fileName, date, hash8: hash8 ?? '{hash8}', separator };
  }

  function problemOf(entry: SheetEntry): DraftProblem | null {
    if (entry.status !== 'problem') return null;
    if (entry.trouble !== null) return { code: entry.trouble };
    if (entry.size === 'tooLarge') {
      return { code: 'tooLarge', limitBytes: exactLimitBytes ?? maxObjectBytes.possible };
    }
    const verdict = checkObjectId(entry.identifier);
    if (!verdict.ok) return { code: 'badIdentifier', problem: verdict.problem };
    const asFileName = ownerOf(entry.identifier)?.file.fileName ?? '';
    return { code: 'sameIdentifier', asFileName, remedy: freeIdentifier(entry.identifier) };
  }

  function freeIdentifier(taken: string): string {
    for (let number = 2; ; number += 1) {
      const identifier = numberedIdentifier(taken, separator, number);
      if (!claims.has(identifier)) return identifier;
    }
  }

  function describe(entry: SheetEntry): DraftEntry {
    const { id, file, identifier, own } = entry;
    return {
      id,
      fileName: file.fileName,
      folder: file.place.below,
      sizeBytes: file.sizeBytes,
      identifier,
      edited: own !== null,
      problem: problemOf(entry),
      mayBeRefused: entry.status === 'mayBeRefused',
    };
  }

  return {
    counts: (): SheetCounts => ({ ...counts }),
    template: () => template,

    add(files: readonly FoundFile[]): void {
      for (const file of files) {
        const size = judgeSize(file.sizeBytes, maxObjectBytes, exactLimitBytes);
        const { trouble } = file;
        const entry: SheetEntry = {
          id: ++lastId,
          file,
          size,
          trouble,
          hash8: null,
          own: null,
          identifier: '',
          status: 'unnamed',
        };
        entries.push(entry);
        byId.set(entry.id, entry);
        counts.total += 1;
        counts.totalBytes += file.sizeBytes;
        name(entry);
      }
    },

    /** null: back to what the template says. Answers whether the entry is there. */
    setIdentifier(id: number, identifier: string | null): boolean {
      const entry = byId.get(id);
      if (!entry) return false;
      entry.own = identifier;
      name(entry);
      return true;
    },

    /** Names everything again, in pieces; a later call takes over from one that is not through. */
    async setTemplate(next: string, resetEdited: boolean): Promise<void> {
      template = next;
      const mine = ++naming;
      // What is added from now on has the new template already.
      const all = entries;
      for (let index = 0; index < all.length && naming === mine; index += chunkSize) {
        for (const entry of all.slice(index, index + chunkSize)) {
          if (!byId.has(entry.id)) continue;
          if (resetEdited) entry.own = null;
          name(entry);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },

    setHash(entry: SheetEntry, outcome: { hash8: string } | { trouble: Trouble }): void {
      if (!byId.has(entry.id)) return;
      if ('hash8' in outcome) entry.hash8 = outcome.hash8;
      else entry.trouble = outcome.trouble;
      name(entry);
    },

    /** The next entry whose bytes must be read for its identifier, from a place in the list on. */
    unnamedFrom(index: number): { entry: SheetEntry; index: number } | null {
      for (let at = index; at < entries.length; at += 1) {
        const entry = entries[at];
        if (entry?.status === 'unnamed') return { entry, index: at };
      }
      return null;
    },

    remove(which: 'problems' | readonly number[]): void {
      const leaving =
        which === 'problems'
          ? entries.filter((entry) => entry.status === 'problem')
          : which.flatMap((id) => byId.get(id) ?? []);
      for (const entry of leaving) {
        if (!byId.delete(entry.id)) continue;
        withdraw(entry);
        count(entry, -1);
        counts.total -= 1;
        counts.totalBytes -= entry.file.sizeBytes;
      }
      entries = entries.filter((entry) => byId.has(entry.id));
    },

    /** Entries with a problem, or that the service may refuse, first; both parts in the order they were found. */
    page(offset: number, limit: number): { total: number; entries: DraftEntry[] } {
      const isNoted = ({ status }: SheetEntry) => status === 'problem' || status === 'mayBeRefused';
      const shown = [...entries.filter(isNoted), ...entries.filter((entry) => !isNoted(entry))];
      return { total: shown.length, entries: shown.slice(offset, offset + limit).map(describe) };
    },

    readyEntries: () =>
      entries.filter((entry) => entry.status === 'ready' || entry.status === 'mayBeRefused'),
  };
}

export type Sheet = ReturnType<typeof createSheet>;

export function pathOf(file: FoundFile): string {
  return join(file.place.absolute, file.fileName);
}
