import { sortColumnSchema, type SortColumn } from '../../../shared/domain/object.ts';
import { compareClassifications, type ObjectIndex } from './object-index.ts';
import { insertAt, mergeMoved, sortByKeys } from './sorting.ts';

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
 * The ascending order of all slots by each column, equal ones by identifier; kept up to date when next asked for.
 * Dead slots may remain in them.
 */
export class SortOrders {
  readonly #index: ObjectIndex;
  readonly #source: IdentifierOrder;
  #byIdentifier: Int32Array | null = null;
  /** The position of each slot in `#byIdentifier`. */
  #ranks = new Int32Array(0);
  readonly #added = new Set<number>();
  readonly #columns = new Map<KeyColumn, { order: Int32Array; moved: Set<number> }>();

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
    const before = keyColumns.map((column) => this.#columns.has(column) && this.#key(column, slot));
    change();
    for (const [position, column] of keyColumns.entries()) {
      if (before[position] !== this.#key(column, slot)) this.#columns.get(column)?.moved.add(slot);
    }
  }

  of(column: SortColumn): Int32Array {
    const byIdentifier = this.#identifiers();
    if (column === 'identifier') return byIdentifier;
    const known = this.#columns.get(column);
    if (known === undefined || known.moved.size > this.#index.count / 8) {
      const keys = new Float64Array(this.#index.count);
      const ranks = column === 'classification' ? this.#classRanks() : null;
      for (let slot = 0; slot < keys.length; slot += 1) {
        const key = this.#key(column, slot);
        keys[slot] = ranks === null ? key : (ranks[key] ?? 0);
      }
      const order = sortByKeys(byIdentifier, keys);
      this.#columns.set(column, { order, moved: new Set() });
      return order;
    }
    if (known.moved.size > 0) {
      const ranks = column === 'classification' ? this.#classRanks() : null;
      const key = (slot: number) => {
        const own = this.#key(column, slot);
        return ranks === null ? own : (ranks[own] ?? 0);
      };
      known.order = mergeMoved(
        known.order,
        known.moved,
        (a, b) => key(a) - key(b) || (this.#ranks[a] ?? 0) - (this.#ranks[b] ?? 0),
      );
      known.moved.clear();
    }
    return known.order;
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
    this.#byIdentifier = order;
    this.#added.clear();
    this.#ranks = new Int32Array(index.count);
    for (const [rank, slot] of order.entries()) this.#ranks[slot] = rank;
    return order;
  }

  #key(column: KeyColumn, slot: number): number {
    const index = this.#index;
    switch (column) {
      case 'size':
        return index.lengths[slot] ?? -1;
      case 'stored':
        return index.storedAt[slot] ?? -1;
      case 'checked':
        return index.checkedAt[slot] ?? -1;
      case 'state':
        return (index.marks[slot] ?? 0) % 8;
      case 'classification':
        return index.classes[slot] ?? 0;
    }
  }

  /** Class numbers are given as they come; this is their place in the alphabet. */
  #classRanks(): number[] {
    const { classifications } = this.#index;
    const ranks: number[] = [];
    const codes = classifications.map((_, code) => code);
    codes.sort((a, b) => compareClassifications(classifications[a] ?? null, classifications[b] ?? null));
    for (const [rank, code] of codes.entries()) ranks[code] = rank;
    return ranks;
  }
}
