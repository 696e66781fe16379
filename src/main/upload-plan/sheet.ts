import { setImmediate } from 'node:timers/promises';
import { checkObjectId, numberedIdentifier } from '../../shared/domain/object-id.ts';
import { judgeSize, maxObjectBytes } from '../../shared/domain/limits.ts';
import { goesInParts } from '../../shared/domain/parts.ts';
import { fillTemplate, usesHash } from '../../shared/domain/template.ts';
import type { PlanEntry } from '../../shared/domain/upload-plan.ts';
import { createIdentifierOwners } from './identifier-owners.ts';
import type { SavedFile, SavedDraftHead } from './saved-drafts.ts';
import type { FoundFile, Trouble } from './read-files.ts';
import {
  createSheetCounts,
  createSheetOrder,
  describeEntry,
  isProblem,
  mayGo,
  type SheetEntry,
  type Status,
} from './sheet-entries.ts';

export interface SheetOptions {
  /** The folder at first, which begins all identifiers; `''`: none. */
  readonly intoFolder: string;
  readonly separator: string;
  readonly template: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The service's own limit, in bytes. */
  readonly exactLimitBytes: number | null;
  /** Whether files over the limit are uploaded in parts. */
  readonly allowsParts: boolean;
  /** Number of entries renamed in one step, before other work runs. */
  readonly batchSize: number;
  /** Ids up to this one are reserved for restored entries. */
  readonly lastId?: number;
}

/**
 * The files of one upload with their identifiers and problems. The cost of a change does not depend on the number of
 * files.
 */
export function createSheet(options: SheetOptions) {
  const { separator, date, exactLimitBytes, allowsParts, batchSize } = options;
  const rules = { maxObjectBytes: exactLimitBytes, allowsParts };
  let { template, intoFolder } = options;
  const prefixOf = (folder: string) => (folder === '' ? '' : folder + separator);
  let prefix = prefixOf(intoFolder);
  /** By id, in the order they were found. */
  const entries = new Map<number, SheetEntry>();
  /** Entries whose content must be read to name them. */
  const unnamed = new Set<SheetEntry>();
  /** Entries that were handed over keep their identifiers. */
  const owners = createIdentifierOwners<SheetEntry>();
  const counts = createSheetCounts();
  const order = createSheetOrder(entries);
  let { lastId = 0 } = options;
  let naming = 0;
  /** Incremented each time all identifiers are reset to the template. */
  let era = 0;

  const needsHash = (entry: SheetEntry) =>
    entry.own === null && entry.hash8 === null && entry.trouble === null && usesHash(template);

  function statusOf(entry: SheetEntry): Status {
    if (entry.trouble !== null || entry.size === 'tooLarge') return 'problem';
    if (needsHash(entry)) return 'unnamed';
    if (!checkObjectId(entry.identifier).ok) return 'problem';
    if (owners.ownerOf(entry.identifier) !== entry) return 'duplicate';
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
    if (owners.ownerOf(entry.identifier) !== entry) {
      owners.withdraw(entry.identifier, entry);
      return;
    }
    const next = owners.withdraw(entry.identifier, entry);
    if (next) judge(next);
  }

  /** Computes the name of an entry after any change to it, or to the folder. */
  function name(entry: SheetEntry): void {
    withdraw(entry);
    if (entry.era !== era) entry.own = null;
    if (entry.own !== null && entry.ownPrefix !== null && entry.ownPrefix !== prefix)
      setOwn(entry, prefix + entry.own.slice(entry.ownPrefix.length));
    entry.identifier = entry.own ?? prefix + fillTemplate(template, factsOf(entry));
    const isNamed = entry.trouble === null && entry.size !== 'tooLarge' && !needsHash(entry);
    if (isNamed && checkObjectId(entry.identifier).ok) owners.add(entry.identifier, entry);
    judge(entry);
  }

  function setOwn(entry: SheetEntry, own: string | null): void {
    entry.own = own;
    entry.ownPrefix = own?.startsWith(prefix) === true ? prefix : null;
    entry.era = era;
  }

  /** Names all entries in batches; a later call replaces a running one. */
  async function nameAll(): Promise<void> {
    const mine = ++naming;
    const lastBefore = lastId;
    let named = 0;
    for (const entry of entries.values()) {
      // Entries added meanwhile already use the new template.
      if (entry.id > lastBefore) return;
      name(entry);
      named += 1;
      if (named % batchSize === 0) await setImmediate();
      if (naming !== mine) return;
    }
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
    const entry: SheetEntry = { ...start, id, file, size, trouble, own, ownPrefix: null, changed };
    setOwn(entry, own);
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
    folder: () => intoFolder,

    /** @returns them with their ids */
    add: (files: readonly FoundFile[]): SavedFile[] =>
      files.map((file) => {
        enter(lastId + 1, file, null, false);
        return { id: lastId, file };
      }),

    /** Restores an entry of the last run. Call in the order of ids, before adding others. */
    restore(id: number, file: FoundFile, own: string | null, changed: boolean): void {
      enter(id, file, own, changed);
    },

    /** What distinguishes the entries up to `lastId` from their files. */
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

    /** @param identifier null: back to the template @returns whether the entry exists */
    setIdentifier(id: number, identifier: string | null): boolean {
      const entry = entries.get(id);
      if (!entry) return false;
      setOwn(entry, identifier);
      order.hold(() => name(entry));
      return true;
    },

    /** Renames all entries for a template. @param resetEdited discards identifiers entered so far; later ones are kept */
    setTemplate(next: string, resetEdited: boolean): Promise<void> {
      template = next;
      if (resetEdited) era += 1;
      return nameAll();
    },

    /** Moves all entries to a folder, also those that the person has renamed in the previous one. */
    setFolder(folder: string): Promise<void> {
      intoFolder = folder;
      prefix = prefixOf(folder);
      return nameAll();
    },

    /** Gives each duplicate the first free number after its name, in the order they were found. */
    numberDuplicates(): void {
      const numbers = new Map<string, number>();
      for (const entry of entries.values()) {
        if (entry.status !== 'duplicate') continue;
        const { identifier } = entry;
        let number = numbers.get(identifier) ?? 2;
        while (owners.ownerOf(numberedIdentifier(identifier, separator, number))) number += 1;
        numbers.set(identifier, number + 1);
        setOwn(entry, numberedIdentifier(identifier, separator, number));
        order.hold(() => name(entry));
      }
    },

    setHash(entry: SheetEntry, outcome: { hash8: string } | { trouble: Trouble }): void {
      if (!entries.has(entry.id)) return;
      if ('hash8' in outcome) entry.hash8 = outcome.hash8;
      else entry.trouble = outcome.trouble;
      name(entry);
    },

    /** The entries whose content must be read to name them: a live view that loses each entry once it is named. */
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

    /** Removes entries whose upload begins; nothing else in the sheet may take their identifiers. */
    handOver(leaving: readonly SheetEntry[]): void {
      for (const entry of leaving) take(entry);
    },

    /**
     * Entries with a note first; both groups in the order they were found. An entry is placed when the template names
     * it, and keeps its position while the person edits it. `notedBelow`: positions of entries with a note outside the
     * first group.
     */
    page(offset: number, limit: number): { total: number; entries: PlanEntry[]; notedBelow: number[] } {
      const shown: PlanEntry[] = [];
      let index = 0;
      for (const entry of order.all()) {
        if (index >= offset + limit) break;
        if (index >= offset) shown.push(describeEntry(entry, { separator, rules, owners }));
        index += 1;
      }
      return { total: entries.size, entries: shown, notedBelow: order.notedBelow() };
    },

    /** In the order of the pages. */
    readyEntries: (): SheetEntry[] => [...order.all()].filter(({ status }) => mayGo(status)),
  };
}

export type Sheet = ReturnType<typeof createSheet>;
