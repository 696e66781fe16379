import { factBits } from '../../../shared/domain/unverified.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import { versionOf, type VersionNaming } from '../../../shared/domain/versions.ts';
import { kindCode, kindOf, stateCode } from '../rows.ts';
import { isListedCode, stateBits, type ObjectIndex } from './object-index.ts';

/** The slot of the row with this identifier; negative: none. */
export type FindSlot = (kind: ObjectKind, identifier: string) => number;

const storedCode = stateCode('stored');
const secretCode = kindCode('secret');
const movingCodes = new Set([stateCode('uploading'), stateCode('deleting')]);
/** Families joined with their bases per step, which takes a few milliseconds. */
const joinedAtOnce = 500;

const none = -1;

/**
 * The versions of the objects of one service; lists show only the newest. Only identifiers with the version mark cost
 * time: an identifier without versions has no family. Which version is shown is computed from the current states each
 * time, so nothing has to be kept up to date. The slots of a family are a linked list in columns: an object with an
 * array for each takes five times the memory.
 */
export class Families {
  readonly #index: ObjectIndex;
  readonly #naming: VersionNaming;
  readonly #findSlot: FindSlot;
  /** A substring of every identifier with the version mark. */
  readonly #hint: string;
  /** By `keyOf`. */
  readonly #numbers = new Map<string, number>();
  /** By family, like `#first`; '': dissolved. */
  readonly #keys: string[] = [];
  /** The slot of the lowest version. */
  readonly #first: number[] = [];
  /** By slot, like the columns below; empty while there are no versions. The family; -1: none. */
  #ofSlot = new Int32Array();
  /** The slot of the next higher version; -1: this is the highest. */
  #next = new Int32Array();
  #versions = new Int32Array();
  /** Whether bases have been looked up, which happens once all rows have been read. */
  #isJoined = false;

  constructor(index: ObjectIndex, naming: VersionNaming, findSlot: FindSlot) {
    this.#index = index;
    this.#naming = naming;
    this.#findSlot = findSlot;
    const [before = '', after = ''] = naming.versionMark.split('{number}');
    this.#hint = before === '' ? after : before;
  }

  get areThere(): boolean {
    return this.#numbers.size > 0;
  }

  add(slot: number, kind: ObjectKind, identifier: string): void {
    const isMarked = identifier.includes(this.#hint);
    if (!isMarked && !this.areThere) return;
    const { base, number } = isMarked ? this.#versionOf(identifier) : { base: identifier, number: 1 };
    const key = keyOf(kind, base);
    const known = this.#numbers.get(key);
    if (known !== undefined) this.#put(known, slot, number);
    if (known !== undefined || number === 1) return;
    const family = this.#keys.push(key) - 1;
    this.#numbers.set(key, family);
    this.#first.push(none);
    this.#put(family, slot, number);
    if (this.#isJoined) this.#join(family);
  }

  remove(slot: number): void {
    const family = this.#familyOf(slot);
    if (family === none) return;
    const left = this.#slotsOf(family).filter((each) => each !== slot);
    this.#ofSlot[slot] = none;
    const isOver = left.every((each) => this.#versions[each] === 1);
    if (isOver) {
      for (const each of left) this.#ofSlot[each] = none;
      this.#numbers.delete(this.#keys[family] ?? '');
      this.#keys[family] = '';
    }
    this.#link(family, isOver ? [] : left);
  }

  /** Joins all families with their bases, in steps of a few milliseconds, once all rows have been read. */
  *join(): Generator<void> {
    this.#isJoined = true;
    for (let family = 0; family < this.#keys.length; family += 1) {
      this.#join(family);
      if (family % joinedAtOnce === 0) yield;
    }
  }

  /**
   * Leaves only one version of each family in the mask: the newest stored one, as `newestStored` chooses it, or else the newest.
   * @returns how many were hidden
   */
  fold(mask: Uint8Array): number {
    let folded = 0;
    for (const first of this.#first) {
      const head = this.#headFrom(first, mask);
      for (let slot = first; slot !== none; slot = this.#next[slot] ?? none) {
        if (slot === head || mask[slot] !== 1) continue;
        mask[slot] = 0;
        folded += 1;
      }
    }
    return folded;
  }

  /**
   * Puts the versions of each family in order, the newest first, in the places that the family has.
   * @param mask by slot: 1 for exactly these
   */
  orderNewestFirst(slots: Int32Array, mask: Uint8Array): void {
    if (!this.areThere) return;
    const lowest = new Int32Array(this.#first);
    // From the end, as a family is a chain from its lowest version on.
    for (let at = slots.length - 1; at >= 0; at -= 1) {
      const family = this.#familyOf(slots[at] ?? 0);
      if (family === none) continue;
      let slot = lowest[family] ?? none;
      while (mask[slot] === 0) slot = this.#next[slot] ?? none;
      slots[at] = slot;
      lowest[family] = this.#next[slot] ?? none;
    }
  }

  /** The version to show; -1: none is in the mask. Allocates nothing: called for each family after every change. */
  #headFrom(first: number, mask: Uint8Array): number {
    let newest = none;
    let newestStored = none;
    let newestSeen = none;
    for (let slot = first; slot !== none; slot = this.#next[slot] ?? none) {
      if (mask[slot] !== 1) continue;
      newest = slot;
      if (this.#stateOf(slot) !== storedCode) continue;
      newestStored = slot;
      if (!this.#isHearsay(slot)) newestSeen = slot;
    }
    if (newestSeen !== none) return newestSeen;
    return newestStored === none ? newest : newestStored;
  }

  /** The base identifier and the number of versions including this one; null: it has no other versions. */
  familyOf(slot: number): { base: string; count: number } | null {
    const family = this.#familyOf(slot);
    if (family === none) return null;
    const count = this.#slotsOf(family).filter((each) => isListedCode(this.#stateOf(each))).length;
    return count > 1 ? { base: baseOf(this.#keys[family] ?? ''), count } : null;
  }

  /** All versions including this one, oldest first. */
  membersOf(slot: number): readonly number[] {
    const family = this.#familyOf(slot);
    return family === none ? [slot] : this.#slotsOf(family);
  }

  /** Older versions that can be deleted. */
  olderThan(slot: number): number[] {
    const members = this.membersOf(slot);
    return members
      .slice(0, members.indexOf(slot))
      .filter((each) => isListedCode(this.#stateOf(each)) && !movingCodes.has(this.#stateOf(each)));
  }

  #join(family: number): void {
    const key = this.#keys[family] ?? '';
    if (key === '') return;
    const slot = this.#findSlot(kindOfKey(key), baseOf(key));
    if (slot >= 0 && this.#index.isLive(slot)) this.#put(family, slot, 1);
  }

  #put(family: number, slot: number, number: number): void {
    this.#makeRoomFor(slot);
    if (this.#ofSlot[slot] !== none) return;
    this.#ofSlot[slot] = family;
    this.#versions[slot] = number;
    let before = none;
    let after = this.#first[family] ?? none;
    while (after !== none && (this.#versions[after] ?? 0) <= number) {
      before = after;
      after = this.#next[after] ?? none;
    }
    this.#next[slot] = after;
    if (before === none) this.#first[family] = slot;
    else this.#next[before] = slot;
  }

  #link(family: number, slots: readonly number[]): void {
    this.#first[family] = slots[0] ?? none;
    for (const [at, slot] of slots.entries()) this.#next[slot] = slots[at + 1] ?? none;
  }

  #slotsOf(family: number): number[] {
    const slots: number[] = [];
    for (let slot = this.#first[family] ?? none; slot !== none; slot = this.#next[slot] ?? none)
      slots.push(slot);
    return slots;
  }

  #familyOf(slot: number): number {
    return this.#ofSlot[slot] ?? none;
  }

  /** Grows the columns to the capacity of the index. */
  #makeRoomFor(slot: number): void {
    const { length } = this.#ofSlot;
    if (slot < length) return;
    const grown = (column: Int32Array) => {
      const longer = new Int32Array(this.#index.ids.length);
      longer.set(column);
      return longer;
    };
    this.#ofSlot = grown(this.#ofSlot).fill(none, length);
    this.#next = grown(this.#next);
    this.#versions = grown(this.#versions);
  }

  #versionOf(identifier: string) {
    return versionOf(identifier, this.#naming.separator, this.#naming.versionMark);
  }

  /** As `isHearsay` in `shared/domain/unverified.ts`, from the columns. */
  #isHearsay(slot: number): boolean {
    const isTold = ((this.#index.unverified[slot] ?? 0) & factBits.presence) !== 0;
    const isSecret = Math.floor((this.#index.marks[slot] ?? 0) / stateBits) === secretCode;
    return isTold && (isSecret || this.#index.shared[slot] !== 1);
  }

  #stateOf(slot: number): number {
    return (this.#index.marks[slot] ?? 0) % stateBits;
  }
}

/** The kind as one digit, then the base. */
function keyOf(kind: ObjectKind, base: string): string {
  return `${kindCode(kind)}${base}`;
}

function kindOfKey(key: string): ObjectKind {
  return kindOf(Number(key[0]));
}

function baseOf(key: string): string {
  return key.slice(1);
}
