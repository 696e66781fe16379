import { sortColumnSchema, type SortColumn } from '../../../shared/domain/object.ts';
import { compareClassifications, stateBits, type ObjectIndex } from './object-index.ts';
import { insertAt, keepOnly, mergeMoved, sortByKeys } from './sorting.ts';

/** Identifiers stay in the file: this is how the index asks it for their order (kind, then code points). */
export interface IdentifierOrder {
  /** All ids, in order. */
  all(): number[];
  /** The ids given, in order, each with the id that follows it; null at the end. */
  place(ids: readonly number[]): { id: number; next: number | null }[];
}

type KeyColumn = Exclude<SortColumn, 'identifier'>;
const keyColumns = sortColumnSchema.options.filter((column) => column !== 'identifier');

/** More rows than this at once are cheaper to put in place by reading all. */
const placedMax = 1000;

/**
 * The ascending order of all live slots by each column, equal ones by identifier; kept up to date when next asked for.
 * An order never holds a dead slot: its place was that of a row that is gone, and a search by halves that meets it goes
 * the wrong way.
 */
export class SortOrders {
  readonly #index: ObjectIndex;
  readonly #source: IdentifierOrder;
  #byIdentifier: Int32Array | null = null;
  /** The position of each slot in `#byIdentifier`. */
  #ranks = new Int32Array(0);
  readonly #added = new Set<number>();
  readonly #columns = new Map<KeyColumn, { order: Int32Array; moved: Set<number> }>();
  /** A row has left since the orders were last rid of such. */
  #hasLeft = false;

  constructor(index: ObjectIndex, source: IdentifierOrder) {
    this.#index = index;
    this.#source = source;
  }

  /** Builds what no order was built for; one column at a time, so that others may work in between. False: all done. */
  buildNext(): boolean {
    const missing = keyColumns.find((column) => !this.#columns.has(column));
    if (missing !== undefined) this.of(missing);
    return missing !== undefined;
  }

  noteAdded(slot: number): void {
    this.#added.add(slot);
    for (const column of this.#columns.values()) column.moved.add(slot);
  }

  /** Runs a change of one slot and remembers the columns that it moves. */
  noteChange(slot: number, change: () => void): void {
    const before = keyColumns.map((column) => this.#column(column)[slot]);
    change();
    for (const [position, column] of keyColumns.entries()) {
      if (before[position] !== this.#column(column)[slot]) this.#columns.get(column)?.moved.add(slot);
    }
  }

  noteRemoved(slot: number): void {
    this.#added.delete(slot);
    for (const { moved } of this.#columns.values()) moved.delete(slot);
    this.#hasLeft = true;
  }

  of(column: SortColumn): Int32Array {
    this.#dropLeft();
    const byIdentifier = this.#identifiers();
    if (column === 'identifier') return byIdentifier;
    const known = this.#columns.get(column);
    if (known === undefined || known.moved.size > this.#index.count / 8) {
      const order = sortByKeys(byIdentifier, this.#keys(column));
      this.#columns.set(column, { order, moved: new Set() });
      return order;
    }
    if (known.moved.size > 0) {
      const keys = this.#keys(column);
      const ranks = this.#ranks;
      known.order = mergeMoved(
        known.order,
        known.moved,
        (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || (ranks[a] ?? 0) - (ranks[b] ?? 0),
      );
      known.moved.clear();
    }
    return known.order;
  }

  #dropLeft(): void {
    if (!this.#hasLeft) return;
    const isLive = (slot: number) => this.#index.isLive(slot);
    if (this.#byIdentifier !== null) this.#rankBy(keepOnly(this.#byIdentifier, isLive));
    for (const known of this.#columns.values()) known.order = keepOnly(known.order, isLive);
    this.#hasLeft = false;
  }

  #identifiers(): Int32Array {
    const old = this.#byIdentifier;
    if (old !== null && this.#added.size === 0) return old;
    const index = this.#index;
    let order: Int32Array;
    if (old === null || this.#added.size > placedMax) {
      order = Int32Array.from(this.#source.all(), (id) => index.slotOf(id));
    } else {
      const ids = Array.from(this.#added, (slot) => index.ids[slot] ?? 0);
      const placed = this.#source.place(ids).map(({ id, next }) => ({
        slot: index.slotOf(id),
        next: next === null ? -1 : index.slotOf(next),
      }));
      // Backwards: what follows is old, or is new and was placed just before.
      let position = old.length;
      const positions = placed
        .toReversed()
        .map(({ next }) => {
          if (next >= 0 && !this.#added.has(next)) position = this.#ranks[next] ?? position;
          return position;
        })
        .toReversed();
      order = insertAt(
        old,
        placed.map(({ slot }) => slot),
        positions,
      );
    }
    this.#added.clear();
    this.#rankBy(order);
    return order;
  }

  #rankBy(order: Int32Array): void {
    this.#byIdentifier = order;
    this.#ranks = new Int32Array(this.#index.count);
    for (let rank = 0; rank < order.length; rank += 1) this.#ranks[order[rank] ?? 0] = rank;
  }

  /** By slot. */
  #keys(column: KeyColumn): Float64Array {
    const { count, classifications } = this.#index;
    const values = this.#column(column).subarray(0, count);
    if (values instanceof Float64Array) return values;
    // Class numbers are given as they come; what counts is their place in the alphabet.
    const codes = classifications.map((_, code) => code);
    codes.sort((a, b) => compareClassifications(classifications[a] ?? null, classifications[b] ?? null));
    const ranks = Int32Array.from(codes, (_, code) => codes.indexOf(code));
    const keys = new Float64Array(count);
    for (let slot = 0; slot < count; slot += 1) {
      const value = values[slot] ?? 0;
      keys[slot] = column === 'state' ? value % stateBits : (ranks[value] ?? 0);
    }
    return keys;
  }

  #column(column: KeyColumn): Float64Array | Uint8Array | Int32Array {
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
    }
  }
}
