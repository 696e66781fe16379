import { fileKind, fileKinds } from '../../../shared/domain/file-kind.ts';
import { statesOfAttention, type Collections, type ObjectRecord } from '../../../shared/domain/object.ts';
import { compareTexts, goneCode, kindCode, stateCode, states, type TeamMarks } from '../rows.ts';
import { FolderTree } from './folder-tree.ts';
import { TextColumn } from './text-column.ts';

/** The fields of a row that the index keeps. */
export type IndexedRow = Omit<ObjectRecord, 'serviceId' | 'sha256' | 'activityToken' | 'seenBy'> & {
  /** Of an object that was renamed, or is on its way to another identifier: its former row is not listed, its new one is. */
  readonly renamed?: 'from' | 'to' | undefined;
};

const dataKind = kindCode('data');
/** mark = kind * 2^stateBits + state */
export const stateBits = 8;
/** Stands for the state of a row that no list shows, because its object has another identifier. */
const unlistedCode = stateBits - 1;
const deadMark = 255;
/** Sort key of uploads in progress: above all dates, so that they come first in newest-first order. */
export const onItsWayMs = 2 ** 48;

/** Codes in `people`: no known person, and the person themselves. */
export const nobody = 0;
export const me = 1;

/**
 * The rows of one service in memory, as columns. A row has a slot; slots are assigned in the order of ids. -1 is an
 * unknown number. A removed row leaves a dead slot.
 */
export class ObjectIndex {
  count = 0;
  deadCount = 0;
  ids: Float64Array;
  /** 255: dead slot. */
  marks: Uint8Array;
  lengths: Float64Array;
  storedAt: Float64Array;
  checkedAt: Float64Array;
  /** Indices into `classifications`. */
  classes: Int32Array;
  /** Folder numbers; -1: not in a folder. */
  folders: Int32Array;
  /** Indices into `fileKinds`. */
  fileKinds: Uint8Array;
  /** Unverified facts, as bits (`shared/domain/unverified.ts`). */
  unverified: Uint8Array;
  /** Who stored it: indices into `names`. */
  people: Uint16Array;
  /** 1: on the team's list. */
  shared: Uint8Array;
  readonly names: string[];
  readonly classifications: (string | null)[] = [];
  readonly text = new TextColumn();
  readonly tree: FolderTree;
  readonly separator: string;

  readonly #nameCodes = new Map<string, number>();
  readonly #classCodes = new Map<string | null, number>();
  readonly #classCounts: number[] = [];
  readonly #markCounts = new Int32Array(256);

  /**
   * @param expected number of rows to allocate for, with some room to grow
   * @param ownName the team's name for the person; '': none
   */
  constructor(separator: string, expected: number, ownName = '') {
    this.separator = separator;
    this.names = ['', ownName];
    this.tree = new FolderTree(separator);
    const size = Math.ceil(expected * 1.05) + 1024;
    this.ids = new Float64Array(size);
    this.marks = new Uint8Array(size);
    this.lengths = new Float64Array(size);
    this.storedAt = new Float64Array(size);
    this.checkedAt = new Float64Array(size);
    this.classes = new Int32Array(size);
    this.folders = new Int32Array(size);
    this.fileKinds = new Uint8Array(size);
    this.unverified = new Uint8Array(size);
    this.people = new Uint16Array(size);
    this.shared = new Uint8Array(size);
  }

  /** A new id must be greater than all earlier ones. @returns the slot */
  put(row: IndexedRow, textChanged: boolean): number {
    let slot = this.slotOf(row.id);
    const isNew = slot < 0;
    if (isNew) {
      slot = this.count;
      if (slot === this.ids.length) this.#grow();
      this.count += 1;
      this.ids[slot] = row.id;
      this.folders[slot] = this.tree.place(row.identifier);
      this.fileKinds[slot] = fileKinds.indexOf(fileKind(row.identifier));
    } else {
      this.#tally(slot, -1);
    }
    this.marks[slot] = kindCode(row.kind) * stateBits + listedCode(row);
    this.lengths[slot] = row.lengthBytes ?? -1;
    this.storedAt[slot] =
      row.firstStoredAtMs ?? row.storedAtMs ?? (row.state === 'uploading' ? onItsWayMs : -1);
    this.checkedAt[slot] = row.checkedAtMs ?? -1;
    this.classes[slot] = this.#classCode(row.classification);
    this.unverified[slot] = row.unverified ?? 0;
    this.people[slot] = this.#personCode(row);
    this.shared[slot] = row.isShared === true ? 1 : 0;
    if (isNew || textChanged) this.text.set(slot, [row.identifier, row.sourceName ?? '', row.note]);
    this.#tally(slot, 1);
    return slot;
  }

  isLive(slot: number): boolean {
    return this.marks[slot] !== deadMark;
  }

  /** In insertion order. */
  liveSlots(): Int32Array {
    const slots = new Int32Array(this.count);
    let length = 0;
    for (let slot = 0; slot < slots.length; slot += 1)
      if (this.marks[slot] !== deadMark) slots[length++] = slot;
    return slots.subarray(0, length);
  }

  /** By slot: 1 if dead. */
  deadSlots(): Uint8Array {
    const dead = new Uint8Array(this.count);
    if (this.deadCount === 0) return dead;
    for (let slot = this.marks.indexOf(deadMark); slot >= 0; slot = this.marks.indexOf(deadMark, slot + 1)) {
      dead[slot] = 1;
    }
    return dead;
  }

  /** @returns the slot that is now dead; -1: unknown id */
  remove(id: number): number {
    const slot = this.slotOf(id);
    if (slot < 0 || !this.isLive(slot)) return -1;
    this.#tally(slot, -1);
    this.marks[slot] = deadMark;
    this.deadCount += 1;
    return slot;
  }

  /** -1: unknown id. */
  slotOf(id: number): number {
    // Ids usually have no gaps, so the slot can be computed.
    const guess = id - (this.ids[0] ?? 0);
    if (guess < this.count && this.ids[guess] === id) return guess;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.ids[low] === id ? low : -1;
  }

  /** @param asking ids of objects whose transfer waits for the person's answer */
  collections(asking: readonly number[]): Collections {
    const liveOf = (kind: number) =>
      states.reduce(
        (sum, _, state) =>
          state === goneCode ? sum : sum + (this.#markCounts[kind * stateBits + state] ?? 0),
        0,
      );
    const attentionMarks = statesOfAttention.map((state) => dataKind * stateBits + stateCode(state));
    const askingElse = asking.filter((id) => {
      const mark = this.marks[this.slotOf(id)] ?? deadMark;
      const isLive = Math.floor(mark / stateBits) === dataKind && isListedCode(mark % stateBits);
      return isLive && !attentionMarks.includes(mark);
    });
    return {
      attention: attentionMarks.reduce(
        (sum, mark) => sum + (this.#markCounts[mark] ?? 0),
        new Set(askingElse).size,
      ),
      all: liveOf(dataKind),
      gone: this.#markCounts[dataKind * stateBits + goneCode] ?? 0,
      secrets: liveOf(kindCode('secret')),
      hasFolders: this.tree.hasFolders(),
      classifications: this.classifications
        .map((value, code) => ({ value, count: this.#classCounts[code] ?? 0 }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => compareClassifications(a.value, b.value)),
    };
  }

  /** Folders and classifications are counted for data objects that are not gone. */
  #tally(slot: number, change: number): void {
    const mark = this.marks[slot] ?? deadMark;
    this.#markCounts[mark] = (this.#markCounts[mark] ?? 0) + change;
    if (Math.floor(mark / stateBits) !== dataKind || !isListedCode(mark % stateBits)) return;
    const code = this.classes[slot] ?? 0;
    this.#classCounts[code] = (this.#classCounts[code] ?? 0) + change;
    const folder = this.folders[slot] ?? -1;
    if (folder >= 0) this.tree.tally(folder, change, change * Math.max(0, this.lengths[slot] ?? 0));
  }

  #personCode({ isOwnStored, storedBy }: TeamMarks): number {
    if (storedBy === undefined) return isOwnStored === true ? me : nobody;
    let code = this.#nameCodes.get(storedBy);
    if (code === undefined) {
      code = this.names.push(storedBy) - 1;
      this.#nameCodes.set(storedBy, code);
    }
    return code;
  }

  #classCode(value: string | null): number {
    let code = this.#classCodes.get(value);
    if (code === undefined) {
      code = this.classifications.push(value) - 1;
      this.#classCodes.set(value, code);
      this.#classCounts.push(0);
    }
    return code;
  }

  #grow(): void {
    const size = Math.ceil(this.ids.length * 1.5);
    const floats = (old: Float64Array) => ((grown) => (grown.set(old), grown))(new Float64Array(size));
    const ints = (old: Int32Array) => ((grown) => (grown.set(old), grown))(new Int32Array(size));
    this.ids = floats(this.ids);
    this.lengths = floats(this.lengths);
    this.storedAt = floats(this.storedAt);
    this.checkedAt = floats(this.checkedAt);
    this.classes = ints(this.classes);
    this.folders = ints(this.folders);
    const bytes = (old: Uint8Array) => ((grown) => (grown.set(old), grown))(new Uint8Array(size));
    this.marks = bytes(this.marks);
    this.fileKinds = bytes(this.fileKinds);
    this.unverified = bytes(this.unverified);
    this.shared = bytes(this.shared);
    const people = new Uint16Array(size);
    people.set(this.people);
    this.people = people;
  }
}

function listedCode({ state, renamed }: IndexedRow): number {
  if (renamed === 'from') return unlistedCode;
  return stateCode(renamed === 'to' && state === 'gone' ? 'uploading' : state);
}

/** Whether a row with this code of a state is in the list, outside of *Deleted*. */
export function isListedCode(code: number): boolean {
  return code !== goneCode && code !== unlistedCode;
}

/** The service default (null) first, then by code point. */
export function compareClassifications(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return compareTexts(a, b);
}

/**
 * By folder number: when the newest object at any depth below it was stored; -1: no date is known. Passes over all
 * rows, because the removal of the newest does not tell which one is the newest then.
 */
export function newestInFolders({ marks, folders, storedAt, count, tree }: ObjectIndex): Float64Array {
  const isListed = new Uint8Array(256);
  for (const code of states.keys()) if (code !== goneCode) isListed[kindCode('data') * stateBits + code] = 1;
  const newest = new Float64Array(tree.size).fill(-1);
  for (let slot = 0; slot < count; slot += 1) {
    const folder = folders[slot] ?? -1;
    const atMs = storedAt[slot] ?? -1;
    if (folder < 0 || atMs <= (newest[folder] ?? -1) || atMs === onItsWayMs) continue;
    if (isListed[marks[slot] ?? 0] === 1) newest[folder] = atMs;
  }
  tree.raise(newest);
  return newest;
}
