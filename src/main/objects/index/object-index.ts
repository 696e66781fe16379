import { fileKind, fileKinds } from '../../../shared/domain/file-kind.ts';
import { statesOfAttention, type Collections, type ObjectRecord } from '../../../shared/domain/object.ts';
import { compareTexts, goneCode, kindCode, stateCode, states } from '../rows.ts';
import { FolderTree } from './folder-tree.ts';
import { TextColumn } from './text-column.ts';

/** What the index keeps of a row. */
export type IndexedRow = Omit<ObjectRecord, 'serviceId' | 'sha256' | 'activityToken'>;

const dataKind = kindCode('data');
/** A mark is a kind times this, plus a state. */
export const stateBits = 8;
const deadMark = 255;
/** When an object on its way was stored: after all others, so that the newest first begins with it. */
export const onItsWayMs = 2 ** 48;

/**
 * The rows of one service in memory, in columns: a row has a slot, slots are given in the order of ids. Numbers that
 * are not known are -1. A removed row leaves a dead slot behind.
 */
export class ObjectIndex {
  count = 0;
  deadCount = 0;
  ids: Float64Array;
  /** 255 is dead. */
  marks: Uint8Array;
  lengths: Float64Array;
  storedAt: Float64Array;
  checkedAt: Float64Array;
  /** Positions in `classifications`. */
  classes: Int32Array;
  /** Folder numbers; -1: unfiled. */
  folders: Int32Array;
  /** Positions in `fileKinds`. */
  fileKinds: Uint8Array;
  readonly classifications: (string | null)[] = [];
  readonly text = new TextColumn();
  readonly tree: FolderTree;
  readonly separator: string;

  readonly #classCodes = new Map<string | null, number>();
  readonly #classCounts: number[] = [];
  readonly #markCounts = new Int32Array(256);
  #unfiledCount = 0;

  /** @param expected how many rows there will be at once: room for these and some more is made now */
  constructor(separator: string, expected: number) {
    this.separator = separator;
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
  }

  /** New ids must be greater than all before. Answers the slot. */
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
    this.marks[slot] = kindCode(row.kind) * stateBits + stateCode(row.state);
    this.lengths[slot] = row.lengthBytes ?? -1;
    this.storedAt[slot] = row.storedAtMs ?? (row.state === 'uploading' ? onItsWayMs : -1);
    this.checkedAt[slot] = row.checkedAtMs ?? -1;
    this.classes[slot] = this.#classCode(row.classification);
    if (isNew || textChanged) this.text.set(slot, [row.identifier, row.sourceName ?? '', row.note]);
    this.#tally(slot, 1);
    return slot;
  }

  isLive(slot: number): boolean {
    return this.marks[slot] !== deadMark;
  }

  /** In the order in which they came. */
  liveSlots(): Int32Array {
    const slots = new Int32Array(this.count);
    let length = 0;
    for (let slot = 0; slot < slots.length; slot += 1)
      if (this.marks[slot] !== deadMark) slots[length++] = slot;
    return slots.subarray(0, length);
  }

  /** By slot: 1 for a dead one. */
  deadSlots(): Uint8Array {
    const dead = new Uint8Array(this.count);
    if (this.deadCount === 0) return dead;
    for (let slot = this.marks.indexOf(deadMark); slot >= 0; slot = this.marks.indexOf(deadMark, slot + 1)) {
      dead[slot] = 1;
    }
    return dead;
  }

  /** Answers the slot that is dead now; -1: there was no such row. */
  remove(id: number): number {
    const slot = this.slotOf(id);
    if (slot < 0 || !this.isLive(slot)) return -1;
    this.#tally(slot, -1);
    this.marks[slot] = deadMark;
    this.deadCount += 1;
    return slot;
  }

  /** -1: not here. */
  slotOf(id: number): number {
    // Without gaps between ids, which is the rule, the slot is known at once.
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

  /** @param asking ids of what waits for an answer of a person */
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
      const isLive = Math.floor(mark / stateBits) === dataKind && mark % stateBits !== goneCode;
      return isLive && !attentionMarks.includes(mark);
    });
    return {
      attention: attentionMarks.reduce(
        (sum, mark) => sum + (this.#markCounts[mark] ?? 0),
        new Set(askingElse).size,
      ),
      all: liveOf(dataKind),
      unfiled: this.#unfiledCount,
      gone: this.#markCounts[dataKind * stateBits + goneCode] ?? 0,
      secrets: liveOf(kindCode('secret')),
      hasFolders: this.tree.hasFolders(),
      classifications: this.classifications
        .map((value, code) => ({ value, count: this.#classCounts[code] ?? 0 }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => compareClassifications(a.value, b.value)),
    };
  }

  /** Counts of folders, classifications and unfiled are of data objects that are not gone. */
  #tally(slot: number, change: number): void {
    const mark = this.marks[slot] ?? deadMark;
    this.#markCounts[mark] = (this.#markCounts[mark] ?? 0) + change;
    if (Math.floor(mark / stateBits) !== dataKind || mark % stateBits === goneCode) return;
    const code = this.classes[slot] ?? 0;
    this.#classCounts[code] = (this.#classCounts[code] ?? 0) + change;
    const folder = this.folders[slot] ?? -1;
    if (folder < 0) this.#unfiledCount += change;
    else this.tree.tally(folder, change);
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
  }
}

/** The service default first, then by code points. */
export function compareClassifications(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return compareTexts(a, b);
}
