import type { ObjectQuery } from '../../../shared/domain/object.ts';
import { parseSearch, type Pattern } from '../../../shared/domain/search.ts';
import { maskOf, type Filter } from './filter-mask.ts';
import type { ObjectIndex } from './object-index.ts';
import { free, reverseTies } from './sorting.ts';
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

type Matches = Omit<QueryResult, 'slots'> & { readonly count: number };

/** Answers queries over the index. What was found stays until a change: scrolling and typing on build upon it. */
export class ObjectQueries {
  readonly #index: ObjectIndex;
  readonly #orders: SortOrders;
  readonly #words = new Recent<{ needles: Pattern; mask: Uint8Array; hits: number }>(12);
  readonly #matches = new Recent<Matches>(4);
  readonly #results = new Recent<QueryResult>(2, ({ slots }) => free(slots));

  #asking: readonly number[] = [];

  constructor(index: ObjectIndex, orders: SortOrders) {
    this.#index = index;
    this.#orders = orders;
  }

  noteChange(textChanged: boolean): void {
    this.#results.clear();
    this.#matches.clear();
    if (textChanged) this.#words.clear();
  }

  /** @param asking ids of what waits for an answer of a person, for a query of what needs one */
  run({ kind, place, search, sort }: ObjectQuery, asking: readonly number[]): QueryResult {
    if (place.kind === 'attention' && String(asking) !== String(this.#asking)) {
      this.noteChange(false);
      this.#asking = asking;
    }
    return this.#results.getOrMake(JSON.stringify([kind, place, search, sort]), () => {
      const { count, ...matches } = this.#match({ kind, place, search });
      const order = this.#orders.of(sort.column);
      const slots = new Int32Array(count);
      let length = 0;
      for (let at = 0; at < order.length; at += 1) {
        const slot = order[at] ?? 0;
        if (matches.mask[slot] === 1) slots[length++] = slot;
      }
      if (sort.direction === 'descending') {
        slots.reverse();
        if (sort.column === 'stored') reverseTies(slots, this.#index.storedAt);
      }
      return { slots, ...matches };
    });
  }

  /** How many a place has, whatever is searched for. */
  count({ kind, place }: ObjectQuery): number {
    return this.#match({ kind, place, search: '' }).count;
  }

  #match(filter: Filter): Matches {
    return this.#matches.getOrMake(JSON.stringify(filter), () => {
      const search = parseSearch(filter.search);
      const mask = maskOf(this.#index, filter, search, this.#asking);
      for (const [words, wanted] of [
        [search.words, 1],
        [search.without.words, 0],
      ] as const) {
        for (const word of words) keepWhere(mask, this.#word(word.map(encodeNeedle)), wanted);
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

  #word(needles: Pattern): Uint8Array {
    return this.#words.getOrMake(needles.join('*'), () => {
      const mask = new Uint8Array(this.#index.count);
      const wider = this.#words.find(
        (word) =>
          word.hits < mask.length / 16 &&
          word.needles.every((needle, at) => needles[at]?.includes(needle) === true),
      );
      const hits =
        wider === undefined
          ? this.#index.text.scan(needles, mask)
          : this.#index.text.scanWithin(needles, wider.mask, mask);
      return { needles, mask, hits };
    }).mask;
  }
}

function keepWhere(mask: Uint8Array, found: Uint8Array, wanted: 0 | 1): void {
  for (let slot = 0; slot < mask.length; slot += 1) {
    if (found[slot] !== wanted) mask[slot] = 0;
  }
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
  find(fits: (value: T) => boolean): T | undefined {
    return [...this.#values.values()].findLast(fits);
  }

  clear(): void {
    for (const value of this.#values.values()) this.#dropped(value);
    this.#values.clear();
  }
}
