import { setImmediate } from 'node:timers/promises';
import {
  sortColumnSchema,
  type Collections,
  type ObjectQuery,
  type ObjectRecord,
} from '../../../shared/domain/object.ts';
import type { IndexSource } from '../index-source.ts';
import type { StoredService } from '../object-store.ts';
import { Families } from './families.ts';
import { ObjectIndex } from './object-index.ts';
import { ObjectQueries, type QueryResult } from './object-queries.ts';
import { SortOrders } from './sort-orders.ts';

/** How the file is read: in stretches of a few milliseconds, between which others have their turn. */
export interface Pace {
  readonly rows: number;
  readonly ids: number;
  /** A list up to this long is read before a person notices, and nothing answers in place of its index. */
  readonly awaitedRows: number;
  /** Ends when the others had it. */
  nextTurn(): Promise<unknown>;
}
export const usualPace: Pace = { rows: 512, ids: 8192, awaitedRows: 4096, nextTurn: () => setImmediate() };

/** Dead slots that are worth reading everything again. */
const deadShare = 0.25;

/** The index of one service: reads itself from the file in the background, and follows what is written. */
export class ServiceIndex {
  readonly ready: Promise<void>;
  isReady = false;
  readonly rows: ObjectIndex;
  readonly families: Families;
  readonly #orders: SortOrders;
  readonly #queries: ObjectQueries;
  readonly #source: IndexSource;
  readonly #service: number;
  readonly #pace: Pace;
  /** Rows up to this id have been read. */
  #readTo = 0;
  #stopped = false;

  constructor(source: IndexSource, service: StoredService, pace: Pace) {
    const { number, separator } = service;
    this.#source = source;
    this.#pace = pace;
    this.#service = number;
    this.rows = new ObjectIndex(separator, source.count(number));
    this.#orders = new SortOrders(this.rows, source.identifierOrder(number), pace.ids);
    this.families = new Families(this.rows, service, (kind, identifier) => {
      const id = source.idOf(number, kind, identifier);
      return id === null ? -1 : this.rows.slotOf(id);
    });
    this.#queries = new ObjectQueries(this.rows, this.#orders, this.families);
    this.ready = this.#read();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Worth dropping and reading again. */
  get isWorn(): boolean {
    return this.isReady && this.rows.deadCount > 1000 && this.rows.deadCount > this.rows.count * deadShare;
  }

  run(query: ObjectQuery): QueryResult {
    return this.#queries.run(
      query,
      query.place.kind === 'attention' ? this.#source.askingIds(this.#service) : [],
    );
  }

  /** How many its place has, whatever is searched for. */
  count(query: ObjectQuery): number {
    return this.#queries.count(query);
  }

  collections(): Collections {
    return this.rows.collections(this.#source.askingIds(this.#service));
  }

  /** Where a row stands in what a query finds, or the one that it is folded under; null: it is not there. */
  positionOf(query: ObjectQuery, id: number): number | null {
    const slot = this.rows.slotOf(id);
    if (slot < 0 || !this.rows.isLive(slot)) return null;
    const result = this.run(query);
    const position = result.slots.indexOf(this.#shownSlot(result, slot));
    return position < 0 ? null : position;
  }

  /** Each of these rows, or the one that it is folded under. */
  shownAs(query: ObjectQuery, ids: readonly number[]): number[] {
    const result = this.run(query);
    return ids.map((id) => {
      const slot = this.rows.slotOf(id);
      const isHere = slot >= 0 && this.rows.isLive(slot);
      return isHere ? (this.rows.ids[this.#shownSlot(result, slot)] ?? id) : id;
    });
  }

  #shownSlot({ mask, found, folded }: QueryResult, slot: number): number {
    if (folded === 0 || mask[slot] === 1 || found[slot] !== 1) return slot;
    return this.families.membersOf(slot).findLast((each) => mask[each] === 1) ?? slot;
  }

  /** The next row, from `from` on and round, whose name begins so: inside the folder of the place, else its last part. */
  findName(query: ObjectQuery, typed: string, from: number): { index: number; id: number } | null {
    const { slots } = this.run(query);
    const folder = query.place.kind === 'folder' ? query.place.path : '';
    const begins = this.rows.text.beginnings(typed, folder, this.rows.separator);
    let last = -1;
    for (let step = 0; step < slots.length; step += 1) {
      const index = (from + step) % slots.length;
      const how = begins(slots[index] ?? 0);
      if (how === 'name') return { index, id: this.rows.ids[slots[index] ?? 0] ?? 0 };
      if (how === 'lastPart' && last < 0) last = index;
    }
    return last < 0 ? null : { index: last, id: this.rows.ids[slots[last] ?? 0] ?? 0 };
  }

  has(id: number): boolean {
    const slot = this.rows.slotOf(id);
    return slot >= 0 && this.rows.isLive(slot);
  }

  /** In bytes, -1 for unknown; of those ids that are here. */
  *lengthsOf(ids: Iterable<number>): Generator<number> {
    for (const id of ids) if (this.has(id)) yield this.rows.lengths[this.rows.slotOf(id)] ?? -1;
  }

  noteSaved(record: ObjectRecord, textChanged: boolean): void {
    if (record.id > this.#readTo) return;
    const slot = this.rows.slotOf(record.id);
    if (slot < 0) {
      const added = this.rows.put(record, true);
      this.families.add(added, record.kind, record.identifier);
      this.#orders.noteAdded(added);
    } else {
      this.#orders.noteChange(slot, () => {
        this.rows.put(record, textChanged);
      });
    }
    this.#queries.noteChange(textChanged || slot < 0);
  }

  noteRemoved(id: number): void {
    const slot = this.rows.remove(id);
    if (slot < 0) return;
    this.families.remove(slot);
    this.#orders.noteRemoved(slot);
    this.#queries.noteChange(false);
  }

  async #read(): Promise<void> {
    if (!(await this.#work(this.#readRows()))) return;
    this.#readTo = Infinity;
    if (!(await this.#work(this.families.join()))) return;
    // With the order that the list begins with: the file answers it until then, and nobody waits for a sort.
    for (const column of ['identifier', 'stored'] as const) {
      if (!(await this.#work(this.#orders.prepare(column)))) return;
    }
    this.#source.dropPages();
    this.isReady = true;
    // Whoever asks for an order that could not be made meets the same error.
    this.#prepareRest().catch(() => undefined);
  }

  *#readRows(): Generator<void> {
    for (;;) {
      let read = 0;
      for (const row of this.#source.indexedAfter(this.#service, this.#readTo, this.#pace.rows)) {
        this.families.add(this.rows.put(row, true), row.kind, row.identifier);
        this.#readTo = row.id;
        read += 1;
      }
      if (read < this.#pace.rows) return;
      yield;
    }
  }

  async #prepareRest(): Promise<void> {
    if (!(await this.#work(this.rows.tree.prepare()))) return;
    for (const column of sortColumnSchema.options) {
      if (!(await this.#work(this.#orders.prepare(column)))) return;
    }
  }

  /** Does it with others in between. False: stopped before its end. */
  async #work(steps: Iterable<void>): Promise<boolean> {
    for (const _ of steps) {
      await this.#pace.nextTurn();
      if (this.#stopped) return false;
    }
    return true;
  }
}
