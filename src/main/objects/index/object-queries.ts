import { levelOf, type ObjectQuery } from '../../../shared/domain/object.ts';
import { parseSearch, type Pattern } from '../../../shared/domain/search.ts';
import type { Families } from './families.ts';
import { maskOf, type Filter } from './filter-mask.ts';
import { byName, collatedMax } from './names.ts';
import type { ObjectIndex } from './object-index.ts';
import { free } from './sorting.ts';
import type { SortOrders } from './sort-orders.ts';
import { encodeNeedle } from './text-column.ts';

/** Valid until the next query or change, which may reuse its memory. */
export interface QueryResult {
  /** In the query's sort order. */
  readonly slots: Int32Array;
  /** By slot: 1 if shown. */
  readonly mask: Uint8Array;
  /** By slot: 1 if found, including hidden older versions. */
  readonly found: Uint8Array;
  /** Number of hidden older versions: they are not among the slots. */
  readonly folded: number;
  readonly totalBytes: number;
  readonly unknownLengths: number;
}

type Matches = Omit<QueryResult, 'slots'> & { readonly count: number };

/** Answers queries over the index. Results are cached until a change, so that scrolling and typing reuse them. */
export class ObjectQueries {
  readonly #index: ObjectIndex;
  readonly #orders: SortOrders;
  readonly #families: Families;
  readonly #words = new LruCache<{ needles: Pattern; mask: Uint8Array; hits: number }>(12);
  readonly #matches = new LruCache<Matches>(4);
  readonly #results = new LruCache<QueryResult>(2, ({ slots }) => free(slots));

  constructor(index: ObjectIndex, orders: SortOrders, families: Families) {
    this.#families = families;
    this.#index = index;
    this.#orders = orders;
  }

  noteChange(textChanged: boolean): void {
    this.#results.clear();
    this.#matches.clear();
    if (textChanged) this.#words.clear();
  }

  /** @param ids in *Needs attention* and *Recent*: see `maskOf` */
  run(query: ObjectQuery, ids: readonly number[]): QueryResult {
    const { place, search, sort } = query;
    const level = levelOf(query);
    return this.#results.getOrMake(JSON.stringify([filterOf(query), sort, folds(query), ids]), () => {
      const { count, ...matches } = this.match(query, ids);
      const isByUse = place.kind === 'recent' && sort.column === 'stored';
      const order = isByUse ? this.#oldestFirst(ids) : this.#orders.of(sort.column);
      const slots = new Int32Array(count);
      let length = 0;
      for (let at = 0; at < order.length; at += 1) {
        const slot = order[at] ?? 0;
        if (matches.mask[slot] === 1) slots[length++] = slot;
      }
      if (level !== null && sort.column === 'identifier') this.#sortByName(slots, level);
      if (sort.direction === 'descending') {
        slots.reverse();
        if (!isByUse) this.#orders.reverseTies(slots, sort.column);
      }
      // By their names alone, version 10 would stand before version 2.
      if (sort.column === 'identifier' && search.trim() !== '')
        this.#families.orderNewestFirst(slots, matches.mask);
      return { slots, ...matches };
    });
  }

  /** What a query shows, in no order. @param ids see `run` */
  match(query: ObjectQuery, ids: readonly number[]): Matches {
    return this.#match(filterOf(query), folds(query), ids);
  }

  /** Number of objects in a place, ignoring the search. @param ids see `run` */
  count({ kind, place }: ObjectQuery, ids: readonly number[]): number {
    return this.#match({ kind, place, search: '' }, false, ids).count;
  }

  /** As a person sorts names; equal ones keep their order. */
  #sortByName(slots: Int32Array, folder: string): void {
    if (slots.length > collatedMax) return;
    const nameOf = this.#index.text.namesIn(folder);
    const named = Array.from(slots, (slot) => ({ slot, name: nameOf(slot) }));
    slots.set(named.sort(byName(named.length)).map(({ slot }) => slot));
  }

  #oldestFirst(newestFirst: readonly number[]): Int32Array {
    return Int32Array.from(newestFirst.toReversed(), (id) => this.#index.slotOf(id));
  }

  #match(filter: Filter, isFolded: boolean, ids: readonly number[]): Matches {
    return this.#matches.getOrMake(JSON.stringify([filter, isFolded, ids]), () => {
      const search = parseSearch(filter.search);
      const mask = maskOf(this.#index, filter, search, ids);
      for (const [words, wanted] of [
        [search.words, 1],
        [search.without.words, 0],
      ] as const) {
        for (const word of words) keepWhere(mask, this.#word(word.map(encodeNeedle)), wanted);
      }
      const mayFold = isFolded && this.#families.areThere;
      const found = mayFold ? mask.slice() : mask;
      const folded = mayFold ? this.#families.fold(mask) : 0;
      const { lengths } = this.#index;
      const sum = { count: 0, totalBytes: 0, unknownLengths: 0 };
      for (let slot = 0; slot < mask.length; slot += 1) {
        if (mask[slot] !== 1) continue;
        sum.count += 1;
        const length = lengths[slot] ?? -1;
        if (length < 0) sum.unknownLengths += 1;
        else sum.totalBytes += length;
      }
      return { mask, found, folded, ...sum };
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

function filterOf(query: ObjectQuery): Filter {
  const { kind, place, search } = query;
  return { kind, place, search, oneLevel: levelOf(query) !== null };
}

const wholePlaces: ReadonlySet<ObjectQuery['place']['kind']> = new Set(['attention', 'gone', 'recent']);

/** Searches find every version; *Needs attention*, *Gone* and *Recent* never hide one. */
function folds({ place, search, allVersions }: ObjectQuery): boolean {
  return allVersions !== true && !wholePlaces.has(place.kind) && search.trim() === '';
}

function keepWhere(mask: Uint8Array, found: Uint8Array, wanted: 0 | 1): void {
  for (let slot = 0; slot < mask.length; slot += 1) {
    if (found[slot] !== wanted) mask[slot] = 0;
  }
}

/** The most recently used values, by key. */
class LruCache<T> {
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

  /** The most recently used value that fits. */
  find(fits: (value: T) => boolean): T | undefined {
    return [...this.#values.values()].findLast(fits);
  }

  clear(): void {
    for (const value of this.#values.values()) this.#dropped(value);
    this.#values.clear();
  }
}
