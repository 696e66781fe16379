import { sortColumnSchema, type SortColumn } from '../../../shared/domain/object.ts';
import { compareTexts, stateRanks } from '../rows.ts';
import { compareClassifications, me, nobody, stateBits, type ObjectIndex } from './object-index.ts';
import { free, insertAt, placesAmong, reverseTies, sortByKeys, without } from './sorting.ts';

/** Identifiers stay in the database, which provides their order (kind, then code points). */
export interface IdentifierOrder {
  /** All ids, in order. Rows added or removed between two batches may or may not be included. */
  stretches(limit: number): Iterable<number[]>;
  /** The given ids in order, each with the id that follows it; null: the last one. */
  place(ids: readonly number[]): { id: number; next: number | null }[];
}

type KeyColumn = Exclude<SortColumn, 'identifier'>;
const keyColumns = sortColumnSchema.options.filter((column) => column !== 'identifier');

interface Order {
  /** null: not built yet, or building failed. */
  slots: Int32Array | null;
  /** Slots added or with a changed key since the order was built or last repaired. */
  readonly moved: Set<number>;
  /** Some of `slots` may have moved or died since; additions alone do not set this. */
  isStale: boolean;
  /** Builds `slots`; ends at once if they are built. */
  readonly making: Generator<void>;
}

/**
 * The ascending order of all live slots by each column, with ties by identifier (by date stored: in insertion order);
 * repaired on the next use. Moved and dead slots are removed before anything is inserted, so that the rest stays
 * sorted for the binary search.
 */
export class SortOrders {
  readonly #index: ObjectIndex;
  readonly #source: IdentifierOrder;
  readonly #stretchIds: number;
  readonly #orders = new Map<SortColumn, Order>();
  /** The position of each slot by identifier; null: to be recomputed. */
  #ranks: Int32Array | null = null;

  /** @param stretchIds number of ids read from the database at once */
  constructor(index: ObjectIndex, source: IdentifierOrder, stretchIds: number) {
    this.#index = index;
    this.#source = source;
    this.#stretchIds = stretchIds;
  }

  /** Builds an order in steps of a few milliseconds. */
  prepare(column: SortColumn): Generator<void> {
    return (this.#orders.get(column) ?? this.#begin(column)).making;
  }

  noteAdded(slot: number): void {
    for (const [column, { moved, slots }] of this.#orders) {
      moved.add(slot);
      // When a million rows arrive in a row, rebuilding is cheaper than remembering each.
      if (slots !== null && this.#isCheaperAnew(column, moved.size)) this.#orders.delete(column);
    }
  }

  /** Runs a change of one slot and marks the columns that it reorders. */
  noteChange(slot: number, change: () => void): void {
    const before = keyColumns.map((column) => this.#column(column)[slot]);
    change();
    for (const [position, column] of keyColumns.entries()) {
      const order = this.#orders.get(column);
      if (order === undefined || before[position] === this.#column(column)[slot]) continue;
      order.moved.add(slot);
      order.isStale = true;
    }
  }

  noteRemoved(slot: number): void {
    for (const order of this.#orders.values()) {
      order.moved.delete(slot);
      order.isStale = true;
    }
  }

  of(column: SortColumn): Int32Array {
    let order = this.#orders.get(column) ?? this.#begin(column);
    if (this.#isCheaperAnew(column, order.moved.size)) order = this.#begin(column);
    for (;;) {
      while (order.making.next().done !== true);
      if (order.slots !== null) return this.#putRight(column, order, order.slots);
      order = this.#begin(column);
    }
  }

  /** Of a reversed order: ties stay as in the ascending one. */
  reverseTies(slots: Int32Array, column: SortColumn): void {
    if (column === 'identifier') return;
    const keys = this.#keys(column);
    reverseTies(slots, keys);
    if (keys instanceof Int32Array) free(keys);
  }

  /** Compares the cost of inserting these rows (by identifier: a query for each) with that of rebuilding. */
  #isCheaperAnew(column: SortColumn, moved: number): boolean {
    const { count } = this.#index;
    return column === 'identifier' ? moved > Math.max(1000, count / 64) : moved > count / 8;
  }

  #begin(column: SortColumn): Order {
    const order: Order = {
      slots: null,
      moved: new Set(),
      isStale: true,
      making: column === 'identifier' ? this.#readIdentifiers(() => order) : this.#sort(column, () => order),
    };
    this.#orders.set(column, order);
    return order;
  }

  *#readIdentifiers(order: () => Order): Generator<void> {
    this.#ranks = null;
    const { moved } = order();
    // Slots added from now on are inserted afterwards.
    const slots = new Int32Array(this.#index.count);
    let length = 0;
    for (const ids of this.#source.stretches(this.#stretchIds)) {
      for (const id of ids) {
        const slot = this.#index.slotOf(id);
        if (!moved.has(slot)) slots[length++] = slot;
      }
      yield;
    }
    order().slots = slots.subarray(0, length);
  }

  *#sort(column: KeyColumn, order: () => Order): Generator<void> {
    const keys = this.#keys(column);
    const start = column === 'stored' ? this.#index.liveSlots() : this.of('identifier');
    order().slots = yield* sortByKeys(start, keys);
    if (column === 'stored') free(start);
    if (keys instanceof Int32Array) free(keys);
  }

  #putRight(column: SortColumn, order: Order, slots: Int32Array): Int32Array {
    if (!order.isStale && order.moved.size === 0) return slots;
    const kept = order.isStale ? without(slots, this.#leaving(order.moved)) : slots;
    order.slots =
      column === 'identifier'
        ? this.#placeByFile(kept, order.moved)
        : this.#placeByKey(column, kept, order.moved);
    if (kept !== slots && kept !== order.slots) free(kept);
    // A running sort may still read the old identifier order.
    if (column !== 'identifier' && slots !== order.slots) free(slots);
    order.moved.clear();
    order.isStale = false;
    if (column === 'identifier') this.#ranks = null;
    return order.slots;
  }

  /** By slot: 1 if it is dead or has moved. */
  #leaving(moved: ReadonlySet<number>): Uint8Array {
    const leaving = this.#index.deadSlots();
    for (const slot of moved) leaving[slot] = 1;
    return leaving;
  }

  #placeByKey(column: KeyColumn, kept: Int32Array, moved: ReadonlySet<number>): Int32Array {
    if (moved.size === 0) return kept;
    const keys = this.#keys(column);
    const ranks = column === 'stored' ? null : this.#ranksNow();
    const compare = (a: number, b: number) =>
      (keys[a] ?? 0) - (keys[b] ?? 0) || (ranks === null ? a - b : (ranks[a] ?? 0) - (ranks[b] ?? 0));
    const entering = [...moved].sort(compare);
    const places = placesAmong(kept, entering, compare);
    if (keys instanceof Int32Array) free(keys);
    return insertAt(kept, entering, places);
  }

  #placeByFile(kept: Int32Array, moved: ReadonlySet<number>): Int32Array {
    if (moved.size === 0) return kept;
    const index = this.#index;
    const placed = this.#source
      .place(Array.from(moved, (slot) => index.ids[slot] ?? 0))
      .map(({ id, next }) => ({ slot: index.slotOf(id), next: next === null ? -1 : index.slotOf(next) }));
    const places = new Map(placed.map(({ next }) => [next, -1]));
    const isNext = new Uint8Array(index.count);
    for (const { next } of placed) if (next >= 0) isNext[next] = 1;
    for (let at = 0; at < kept.length; at += 1) {
      const slot = kept[at] ?? 0;
      if (isNext[slot] === 1) places.set(slot, at);
    }
    // Backwards: the next row either was there before, or was just placed.
    let place = kept.length;
    const positions = placed
      .toReversed()
      .map(({ next }) => {
        if (next >= 0 && !moved.has(next)) place = places.get(next) ?? place;
        return place;
      })
      .toReversed();
    return insertAt(
      kept,
      placed.map(({ slot }) => slot),
      positions,
    );
  }

  #ranksNow(): Int32Array {
    const order = this.of('identifier');
    if (this.#ranks === null) {
      this.#ranks = new Int32Array(this.#index.count);
      for (let rank = 0; rank < order.length; rank += 1) this.#ranks[order[rank] ?? 0] = rank;
    }
    return this.#ranks;
  }

  /** By slot. Float64Array: the column itself; Int32Array: a copy that the caller owns. */
  #keys(column: KeyColumn): Float64Array | Int32Array {
    const { count, classifications, classes, marks, names, people } = this.#index;
    const values = this.#column(column).subarray(0, count);
    if (values instanceof Float64Array) return values;
    const keys = new Int32Array(count);
    if (column === 'state') {
      for (let slot = 0; slot < count; slot += 1)
        keys[slot] = stateRanks[(marks[slot] ?? 0) % stateBits] ?? 0;
      return keys;
    }
    if (column === 'storedBy') {
      const ranks = rankPeople(names);
      for (let slot = 0; slot < count; slot += 1) keys[slot] = ranks[people[slot] ?? nobody] ?? 0;
      return keys;
    }
    // Class numbers are in order of appearance; sorting needs their alphabetical rank.
    const codes = classifications.map((_, code) => code);
    codes.sort((a, b) => compareClassifications(classifications[a] ?? null, classifications[b] ?? null));
    const places = new Int32Array(codes.length);
    for (const [place, code] of codes.entries()) places[code] = place;
    for (let slot = 0; slot < count; slot += 1) keys[slot] = places[classes[slot] ?? 0] ?? 0;
    return keys;
  }

  #column(column: KeyColumn): Float64Array | Uint8Array | Uint16Array | Int32Array {
    const index = this.#index;
    switch (column) {
      case 'size':
        return index.lengths;
      case 'stored':
        return index.storedAt;
      case 'checked':
        return index.checkedAt;
      case 'state':
        return index.marks;
      case 'classification':
        return index.classes;
      case 'storedBy':
        return index.people;
    }
  }
}

/** By code: the person themselves, the others by name, and unknown people last. */
function rankPeople(names: readonly string[]): Int32Array {
  const others = names.map((_, code) => code).filter((code) => code !== me && code !== nobody);
  others.sort((a, b) => compareTexts(names[a] ?? '', names[b] ?? ''));
  const ranks = new Int32Array(names.length);
  for (const [rank, code] of [me, ...others, nobody].entries()) ranks[code] = rank;
  return ranks;
}
