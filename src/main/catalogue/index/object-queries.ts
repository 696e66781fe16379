import type { ObjectQuery } from '../../../shared/domain/object.ts';
import { foldText, parseSearch, type SearchFilter } from '../../../shared/domain/search.ts';
import { goneCode, kindCode, states } from '../rows.ts';
import { onItsWayMs, stateBits, type ObjectIndex } from './object-index.ts';
import { free } from './sorting.ts';
import type { SortOrders } from './sort-orders.ts';
import { encodeNeedle } from './text-column.ts';

/** To be used at once: a later question or change may take its memory back. */
export interface QueryResult {
  /** In the order asked. */
  readonly slots: Int32Array;
  /** By slot: 1 for what was found. */
  readonly mask: Uint8Array;
  readonly totalBytes: number;
  readonly unknownLengths: number;
}

type Filter = Pick<ObjectQuery, 'kind' | 'place' | 'search'>;
type Matches = Omit<QueryResult, 'slots'> & { readonly count: number };

/** Answers queries over the index. What was found stays until a change: scrolling and typing on build upon it. */
export class ObjectQueries {
  readonly #index: ObjectIndex;
  readonly #orders: SortOrders;
  readonly #words = new Recent<{ mask: Uint8Array; hits: number }>(12);
  readonly #matches = new Recent<Matches>(4);
  readonly #results = new Recent<QueryResult>(2, ({ slots }) => free(slots));

  constructor(index: ObjectIndex, orders: SortOrders) {
    this.#index = index;
    this.#orders = orders;
  }

  noteChange(textChanged: boolean): void {
    this.#results.clear();
    this.#matches.clear();
    if (textChanged) this.#words.clear();
  }

  run({ kind, place, search, sort }: ObjectQuery): QueryResult {
    return this.#results.getOrMake(JSON.stringify([kind, place, search, sort]), () => {
      const { count, ...matches } = this.#match({ kind, place, search });
      const order = this.#orders.of(sort.column);
      const slots = new Int32Array(count);
      let length = 0;
      for (let at = 0; at < order.length; at += 1) {
        const slot = order[at] ?? 0;
        if (matches.mask[slot] === 1) slots[length++] = slot;
      }
      if (sort.direction === 'descending') slots.reverse();
      return { slots, ...matches };
    });
  }

  #match(filter: Filter): Matches {
    return this.#matches.getOrMake(JSON.stringify(filter), () => {
      const search = parseSearch(filter.search);
      const mask = this.#maskOf(filter, search);
      for (const word of search.words) {
        const found = this.#word(encodeNeedle(word));
        for (let slot = 0; slot < mask.length; slot += 1) mask[slot] = (mask[slot] ?? 0) & (found[slot] ?? 0);
      }
      const { lengths } = this.#index;
      const sum = { count: 0, totalBytes: 0, unknownLengths: 0 };
      for (let slot = 0; slot < mask.length; slot += 1) {
        if (mask[slot] !== 1) continue;
        sum.count += 1;
        const length = lengths[slot] ?? -1;
        if (length < 0) sum.unknownLengths += 1;
        else sum.totalBytes += length;
      }
      return { mask, ...sum };
    });
  }

  #word(needle: string): Uint8Array {
    return this.#words.getOrMake(needle, () => {
      const mask = new Uint8Array(this.#index.count);
      const wider = this.#words.find((word, { hits }) => needle.includes(word) && hits < mask.length / 16);
      const hits =
        wider === undefined
          ? this.#index.text.scan(needle, mask)
          : this.#index.text.scanWithin(needle, wider.mask, mask);
      return { mask, hits };
    }).mask;
  }

  /** Everything but the words. */
  #maskOf({ kind, place }: Filter, search: SearchFilter): Uint8Array {
    const index = this.#index;
    const wanted = new Uint8Array(256);
    for (const [code, state] of states.entries()) {
      const inPlace = (place.kind === 'gone') === (code === goneCode);
      const inSearch = search.states.length === 0 || search.states.includes(state);
      wanted[kindCode(kind) * stateBits + code] = inPlace && inSearch ? 1 : 0;
    }
    const mask = new Uint8Array(index.count);
    const keep = (test: (slot: number) => boolean) => {
      for (let slot = 0; slot < mask.length; slot += 1) if (mask[slot] === 1 && !test(slot)) mask[slot] = 0;
    };
    for (let slot = 0; slot < mask.length; slot += 1) mask[slot] = wanted[index.marks[slot] ?? 255] ?? 0;

    if (place.kind === 'unfiled') keep((slot) => index.folders[slot] === -1);
    if (place.kind === 'folder') {
      const inside = index.tree.within(place.path);
      keep((slot) => inside?.[index.folders[slot] ?? -1] === 1);
    }
    if (place.kind === 'classification') {
      const code = index.classifications.indexOf(place.value);
      keep((slot) => index.classes[slot] === code);
    }
    if (search.classes.length > 0) {
      const codes = index.classifications.map((value) => hasClass(search, foldText(value ?? '')));
      keep((slot) => codes[index.classes[slot] ?? -1] === true);
    }
    const { minBytes, maxBytes, storedFromMs, storedBeforeMs } = search;
    if (minBytes !== null || maxBytes !== null) {
      const [min, max] = [Math.max(minBytes ?? 0, 0), maxBytes ?? Infinity];
      keep((slot) => within(index.lengths[slot], min, max));
    }
    if (storedFromMs !== null || storedBeforeMs !== null) {
      const [min, max] = [Math.max(storedFromMs ?? 0, 0), (storedBeforeMs ?? onItsWayMs) - 1];
      keep((slot) => within(index.storedAt[slot], min, max));
    }
    return mask;
  }
}

function within(value = -1, min: number, max: number): boolean {
  return value >= min && value <= max;
}

function hasClass({ classes }: SearchFilter, folded: string): boolean {
  return classes.some(({ value, exact }) => (exact ? folded === value : folded.startsWith(value)));
}

/** The last few things made, by key. */
class Recent<T> {
  readonly #values = new Map<string, T>();
  readonly #limit: number;
  readonly #dropped: (value: T) => void;

  constructor(limit: number, dropped: (value: T) => void = () => undefined) {
    this.#limit = limit;
    this.#dropped = dropped;
  }

  getOrMake(key: string, make: () => T): T {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const [oldest, left] of this.#values) {
      if (this.#values.size <= this.#limit) break;
      this.#values.delete(oldest);
      this.#dropped(left);
    }
    return value;
  }

  /** The newest that fits. */
  find(fits: (key: string, value: T) => boolean): T | undefined {
    return [...this.#values].findLast(([key, value]) => fits(key, value))?.[1];
  }

  clear(): void {
    for (const value of this.#values.values()) this.#dropped(value);
    this.#values.clear();
  }
}
