import { setImmediate } from 'node:timers/promises';
import { numberedIdentifier } from '../../shared/domain/keep-both.ts';
import { judgeSize, maxObjectBytes } from '../../shared/domain/limits.ts';
import { goesInParts } from '../../shared/domain/chunks.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { fillTemplate, usesHash } from '../../shared/domain/template.ts';
import type { PlanEntry } from '../../shared/domain/upload-plan.ts';
import { createIdentifierOwners } from './identifier-owners.ts';
import type { SavedFile, SavedDraftHead } from './saved-drafts.ts';
import type { FoundFile, Trouble } from './read-files.ts';
import { createSheetCounts } from './sheet-counts.ts';
import { describeEntry, isProblem, mayGo, type SheetEntry, type Status } from './sheet-entry.ts';
import { createSheetOrder } from './sheet-order.ts';

export interface SheetOptions {
  /** Goes before what the template says; `''` for none. */
  readonly intoFolder: string;
  readonly separator: string;
  readonly template: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The service's own limit. */
  readonly exactLimitBytes: number | null;
  /** What is over the limit goes in parts. */
  readonly allowsParts: boolean;
  /** How many entries are named again in one go before others get their turn. */
  readonly batchSize: number;
  /** The ids up to this one are those of entries that were, or will be restored. */
  readonly lastId?: number;
}

/** The files of one upload with their identifiers and problems. Each change costs the same however many files there are. */
export function createSheet(options: SheetOptions) {
  const { intoFolder, separator, date, exactLimitBytes, allowsParts, batchSize } = options;
  const rules = { maxObjectBytes: exactLimitBytes, allowsParts };
  const prefix = intoFolder === '' ? '' : intoFolder + separator;
  let { template } = options;
  /** By id, in the order they were found. */
  const entries = new Map<number, SheetEntry>();
  /** Those that wait for their bytes to be read. */
  const unnamed = new Set<SheetEntry>();
  /** What was handed over keeps its own. */
  const claims = createIdentifierOwners<SheetEntry>();
  const counts = createSheetCounts();
  const order = createSheetOrder(entries);
  let { lastId = 0 } = options;
  let naming = 0;
  /** Begins anew each time every identifier is taken back to the template. */
  let era = 0;

  const needsHash = (entry: SheetEntry) =>
    entry.own === null && entry.hash8 === null && entry.trouble === null && usesHash(template);

  function statusOf(entry: SheetEntry): Status {
    if (entry.trouble !== null || entry.size === 'tooLarge') return 'problem';
    if (needsHash(entry)) return 'unnamed';
    if (!checkObjectId(entry.identifier).ok) return 'problem';
    if (claims.ownerOf(entry.identifier) !== entry) return 'duplicate';
    if (entry.size === 'mayBeRefused') return 'mayBeRefused';
    return entry.changed ? 'changed' : 'ready';
  }

  function judge(entry: SheetEntry): void {
    const { status, standsFirst } = entry;
    entry.status = statusOf(entry);
    order.place(entry);
    counts.move(entry, { status, standsFirst });
    if (entry.status === 'unnamed') unnamed.add(entry);
    else unnamed.delete(entry);
  }

  function withdraw(entry: SheetEntry): void {
    if (claims.ownerOf(entry.identifier) !== entry) {
      claims.withdraw(entry.identifier, entry);
      return;
    }
    const next = claims.withdraw(entry.identifier, entry);
    if (next) judge(next);
  }

  /** Names an entry again, after anything about it changed. */
  function name(entry: SheetEntry): void {
    withdraw(entry);
    if (entry.era !== era) entry.own = null;
    entry.identifier = entry.own ?? prefix + fillTemplate(template, factsOf(entry));
    const isNamed = entry.trouble === null && entry.size !== 'tooLarge' && !needsHash(entry);
    if (isNamed && checkObjectId(entry.identifier).ok) claims.add(entry.identifier, entry);
    judge(entry);
  }

  function factsOf({ file, hash8 }: SheetEntry) {
    const { fileName, place } = file;
    return { folder: place.below, fileName, date, hash8: hash8 ?? '{hash8}', separator };
  }

  function enter(id: number, file: FoundFile, own: string | null, changed: boolean): void {
    const size = goesInParts(file.sizeBytes, rules)
      ? 'fits'
      : judgeSize(file.sizeBytes, maxObjectBytes, exactLimitBytes);
    const { trouble } = file;
    const start = { hash8: null, era, identifier: '', status: 'unnamed', standsFirst: false } as const;
    const entry: SheetEntry = { ...start, id, file, size, trouble, own, changed };
    lastId = Math.max(lastId, id);
    entries.set(id, entry);
    counts.add(entry);
    name(entry);
  }

  function take(entry: SheetEntry): void {
    entries.delete(entry.id);
    unnamed.delete(entry);
    order.remove(entry);
    counts.remove(entry);
  }

  return {
    counts: () => counts.now(),
    template: () => template,

    /** Answers them with their ids. */
    add: (files: readonly FoundFile[]): SavedFile[] =>
      files.map((file) => {
        enter(lastId + 1, file, null, false);
        return { id: lastId, file };
      }),

    /** An entry as it was before Coffer ended. They come in the order of their ids, before any other. */
    restore(id: number, file: FoundFile, own: string | null, changed: boolean): void {
      enter(id, file, own, changed);
    },

    /** What tells the entries up to `lastId` from the files they were made of. */
    edits(upTo: number): Pick<SavedDraftHead, 'own' | 'taken'> {
      const own: SavedDraftHead['own'] = [];
      const taken: SavedDraftHead['taken'] = [];
      let next = 1;
      for (const entry of entries.values()) {
        if (entry.id > upTo) break;
        if (entry.id > next) taken.push([next, entry.id - 1]);
        next = entry.id + 1;
        if (entry.own !== null && entry.era === era) own.push([entry.id, entry.own]);
      }
      if (next <= upTo) taken.push([next, upTo]);
      return { own, taken };
    },

    /** null: back to what the template says. Answers whether the entry is there. */
    setIdentifier(id: number, identifier: string | null): boolean {
      const entry = entries.get(id);
      if (!entry) return false;
      entry.own = identifier;
      entry.era = era;
      order.hold(() => name(entry));
      return true;
    },

    /**
     * Names everything again, in batches; a later call takes over from one that is not through.
     * @param resetEdited what was written by hand until now is taken back; what is written from now on stays
     */
    async setTemplate(next: string, resetEdited: boolean): Promise<void> {
      template = next;
      if (resetEdited) era += 1;
      const mine = ++naming;
      const lastBefore = lastId;
      let named = 0;
      for (const entry of entries.values()) {
        // What was added meanwhile has the new template already.
        if (entry.id > lastBefore) return;
        name(entry);
        named += 1;
        if (named % batchSize === 0) await setImmediate();
        if (naming !== mine) return;
      }
    },

    /** Each duplicate gets the first number after its name that is free, in the order they were found. */
    numberDuplicates(): void {
      const numbers = new Map<string, number>();
      for (const entry of entries.values()) {
        if (entry.status !== 'duplicate') continue;
        const { identifier } = entry;
        let number = numbers.get(identifier) ?? 2;
        while (claims.ownerOf(numberedIdentifier(identifier, separator, number))) number += 1;
        numbers.set(identifier, number + 1);
        entry.own = numberedIdentifier(identifier, separator, number);
        entry.era = era;
        order.hold(() => name(entry));
      }
    },

    setHash(entry: SheetEntry, outcome: { hash8: string } | { trouble: Trouble }): void {
      if (!entries.has(entry.id)) return;
      if ('hash8' in outcome) entry.hash8 = outcome.hash8;
      else entry.trouble = outcome.trouble;
      name(entry);
    },

    /** The entries whose bytes must be read for their identifiers: a live view, which loses each that got its own. */
    unnamed: (): ReadonlySet<SheetEntry> => unnamed,

    remove(which: 'problems' | readonly number[]): void {
      const leaving =
        which === 'problems'
          ? [...entries.values()].filter((entry) => isProblem(entry.status))
          : new Set(which.flatMap((id) => entries.get(id) ?? []));
      for (const entry of leaving) {
        take(entry);
        order.hold(() => withdraw(entry));
      }
    },

    /** They are on their way: they leave the sheet, and nothing else in it may take their identifiers. */
    handOver(leaving: readonly SheetEntry[]): void {
      for (const entry of leaving) take(entry);
    },

    /**
     * Entries with something to say first; both parts in the order they were found. An entry is put in its place when the
     * template names it, and stays there whatever a person does to it. `notedBelow`: places of those that have something to
     * say and do not stand first.
     */
    page(offset: number, limit: number): { total: number; entries: PlanEntry[]; notedBelow: number[] } {
      const shown: PlanEntry[] = [];
      let index = 0;
      for (const entry of order.all()) {
        if (index >= offset + limit) break;
        if (index >= offset) shown.push(describeEntry(entry, { separator, rules, claims }));
        index += 1;
      }
      return { total: entries.size, entries: shown, notedBelow: order.notedBelow() };
    },

    /** In the order of the pages. */
    readyEntries: (): SheetEntry[] => [...order.all()].filter(({ status }) => mayGo(status)),
  };
}

export type Sheet = ReturnType<typeof createSheet>;
