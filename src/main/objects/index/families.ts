import type { ObjectKind } from '../../../shared/domain/object.ts';
import { versionOf, type VersionNaming } from '../../../shared/domain/versions.ts';
import { goneCode, kindCode, stateCode } from '../rows.ts';
import { stateBits, type ObjectIndex } from './object-index.ts';

/** Slots in ascending order of version number. */
interface Family {
  readonly kind: ObjectKind;
  readonly base: string;
  readonly slots: number[];
  readonly numbers: number[];
}

/** The slot of the row with this identifier, if there is one. */
export type FindSlot = (kind: ObjectKind, identifier: string) => number;

const storedCode = stateCode('stored');
const movingCodes = new Set([stateCode('uploading'), stateCode('deleting')]);
/** Families joined with their bases per step: a few milliseconds. */
const joinedAtOnce = 500;

/**
 * The versions of one service, of which lists show the newest. Only identifiers with the version mark cost time: an
 * identifier without versions has no family. Which version is shown is computed from the current states each time, so
 * nothing has to be kept up to date.
 */
export class Families {
  readonly #index: ObjectIndex;
  readonly #naming: VersionNaming;
  readonly #findSlot: FindSlot;
  /** A substring of every identifier with the version mark. */
  readonly #hint: string;
  readonly #families = new Map<string, Family>();
  readonly #ofSlot = new Map<number, Family>();
  /** Bases are looked up at the end, when all rows have been read. */
  #isJoined = false;

  constructor(index: ObjectIndex, naming: VersionNaming, findSlot: FindSlot) {
    this.#index = index;
    this.#naming = naming;
    this.#findSlot = findSlot;
    const [before = '', after = ''] = naming.versionMark.split('{number}');
    this.#hint = before === '' ? after : before;
  }

  get areThere(): boolean {
    return this.#families.size > 0;
  }

  add(slot: number, kind: ObjectKind, identifier: string): void {
    const isMarked = identifier.includes(this.#hint);
    if (!isMarked && this.#families.size === 0) return;
    const { base, number } = isMarked ? this.#versionOf(identifier) : { base: identifier, number: 1 };
    const key = keyOf(kind, base);
    const known = this.#families.get(key);
    if (known !== undefined) this.#put(known, slot, number);
    if (known !== undefined || number === 1) return;
    const family: Family = { kind, base, slots: [], numbers: [] };
    this.#families.set(key, family);
    this.#put(family, slot, number);
    if (this.#isJoined) this.#join(family);
  }

  remove(slot: number): void {
    const family = this.#ofSlot.get(slot);
    if (family === undefined) return;
    this.#ofSlot.delete(slot);
    const at = family.slots.indexOf(slot);
    family.slots.splice(at, 1);
    family.numbers.splice(at, 1);
    const isOver = family.numbers.every((number) => number === 1);
    if (!isOver) return;
    for (const left of family.slots) this.#ofSlot.delete(left);
    this.#families.delete(keyOf(family.kind, family.base));
  }

  /** Joins all families with their bases, in steps of a few milliseconds, once all rows have been read. */
  *join(): Generator<void> {
    this.#isJoined = true;
    let joined = 0;
    for (const family of this.#families.values()) {
      this.#join(family);
      joined += 1;
      if (joined % joinedAtOnce === 0) yield;
    }
  }

  /**
   * Leaves in the mask, of each family, the newest stored version, or else the newest.
   * @returns how many were hidden
   */
  fold(mask: Uint8Array): number {
    let folded = 0;
    for (const { slots } of this.#families.values()) {
      if (slots.length < 2) continue;
      const head = this.#headOf(slots, mask);
      for (const slot of slots) {
        if (slot === head || mask[slot] !== 1) continue;
        mask[slot] = 0;
        folded += 1;
      }
    }
    return folded;
  }

  /** Allocates nothing: called for each family after every change. -1: none of them is in the mask. */
  #headOf(slots: readonly number[], mask: Uint8Array): number {
    let newest = -1;
    for (let at = slots.length - 1; at >= 0; at -= 1) {
      const slot = slots[at] ?? 0;
      if (mask[slot] !== 1) continue;
      if (this.#stateOf(slot) === storedCode) return slot;
      if (newest < 0) newest = slot;
    }
    return newest;
  }

  /** The base identifier and the number of versions including this one; null: it has no other versions. */
  familyOf(slot: number): { base: string; count: number } | null {
    const family = this.#ofSlot.get(slot);
    if (family === undefined) return null;
    const count = family.slots.filter((each) => this.#stateOf(each) !== goneCode).length;
    return count > 1 ? { base: family.base, count } : null;
  }

  /** All versions including this one, oldest first. */
  membersOf(slot: number): readonly number[] {
    return this.#ofSlot.get(slot)?.slots ?? [slot];
  }

  /** Older versions that can be deleted. */
  olderThan(slot: number): number[] {
    const members = this.membersOf(slot);
    return members
      .slice(0, members.indexOf(slot))
      .filter((each) => this.#stateOf(each) !== goneCode && !movingCodes.has(this.#stateOf(each)));
  }

  #join(family: Family): void {
    const slot = this.#findSlot(family.kind, family.base);
    if (slot >= 0 && this.#index.isLive(slot)) this.#put(family, slot, 1);
  }

  #put(family: Family, slot: number, number: number): void {
    if (this.#ofSlot.has(slot)) return;
    this.#ofSlot.set(slot, family);
    const found = family.numbers.findIndex((other) => other > number);
    const at = found < 0 ? family.numbers.length : found;
    family.slots.splice(at, 0, slot);
    family.numbers.splice(at, 0, number);
  }

  #versionOf(identifier: string) {
    return versionOf(identifier, this.#naming.separator, this.#naming.versionMark);
  }

  #stateOf(slot: number): number {
    return (this.#index.marks[slot] ?? 0) % stateBits;
  }
}

function keyOf(kind: ObjectKind, base: string): string {
  return `${kindCode(kind)}${base}`;
}
