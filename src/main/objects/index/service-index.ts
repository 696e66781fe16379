import { type IndexedRow, newestInFolders, ObjectIndex } from './object-index.ts';
import { setImmediate } from 'node:timers/promises';
import {
  levelOf,
  type Collections,
  type ObjectQuery,
  sortColumnSchema,
} from '../../../shared/domain/object.ts';
import { foldText } from '../../../shared/domain/search.ts';
import type { IndexSource } from '../index-source.ts';
import type { Saved } from '../object-writer.ts';
import type { CataloguePage } from '../catalogue.ts';
import type { StoredService } from '../object-store.ts';
import { Families } from './families.ts';
import { ObjectQueries, type QueryResult } from './object-queries.ts';
import { SortOrders } from './sort-orders.ts';

/** How the database is read: in short steps, with other work in between. */
export interface Pace {
  readonly rows: number;
  readonly ids: number;
  /** Callers wait for the index of lists up to this length, which load quickly. */
  readonly awaitedRows: number;
  /** Resolves after other work has had its turn. */
  nextTurn(): Promise<unknown>;
}
export const usualPace: Pace = { rows: 512, ids: 8192, awaitedRows: 4096, nextTurn: () => setImmediate() };

/** Share of dead slots above which the index is rebuilt. */
const deadShare = 0.25;

/** The index of one service: loads itself from the database in the background, and follows later writes. */
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
  /** Rows up to this id have been loaded. */
  #readTo = 0;
  /** See `newestInFolders`; null: to be recomputed, because rows have changed. */
  #newest: Float64Array | null = null;
  /** The last folder order asked for (`FolderTree.order`), with its key; null: rows have changed since. */
  #lastOrder: { of: string; order: readonly number[] } | null = null;
  /** Folders that are listed without objects. */
  #kept: ReadonlySet<string>;
  #stopped = false;
  /** Rows whose record alone does not tell whether, and as of when, they are listed. */
  readonly #renamed = new Set<number>();

  constructor(source: IndexSource, service: StoredService, kept: ReadonlySet<string>, pace: Pace) {
    const { number, separator } = service;
    this.#source = source;
    this.#pace = pace;
    this.#service = number;
    this.rows = new ObjectIndex(separator, source.count(number), source.ownName(number));
    this.#kept = kept;
    for (const path of kept) this.rows.tree.keep(path, true);
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

  /** Whether the index should be dropped and rebuilt. */
  get isWorn(): boolean {
    return this.isReady && this.rows.deadCount > 1000 && this.rows.deadCount > this.rows.count * deadShare;
  }

  run(query: ObjectQuery): QueryResult {
    return this.#queries.run(query, this.#idsOfPlace(query));
  }

  /** By slot: 1 if the query shows it; without the cost of the order. Valid until the next query or change. */
  maskOf(query: ObjectQuery): Uint8Array {
    return this.#queries.match(query, this.#idsOfPlace(query)).mask;
  }

  /** Number of objects in the query's place, ignoring the search. */
  count(query: ObjectQuery): number {
    return this.#queries.count(query, this.#idsOfPlace(query));
  }

  /** Ids for places that the indexed columns cannot decide. */
  #idsOfPlace({ place, kind }: ObjectQuery): number[] {
    if (place.kind === 'attention') return this.#source.askingIds(this.#service);
    return place.kind === 'recent' ? this.#source.recentIds(this.#service, kind) : [];
  }

  collections(): Collections {
    return this.rows.collections(this.#source.askingIds(this.#service));
  }

  /** A page of the folders listed before the query's objects; null: the query lists none. */
  folderRows(
    query: ObjectQuery,
    offset: number,
    limit: number,
  ): NonNullable<CataloguePage['folders']> | null {
    const parent = levelOf(query);
    if (parent === null) return null;
    const order = this.#folderOrder(query, parent);
    const rows = order
      .slice(offset, offset + limit)
      .map((at) => this.rows.tree.row(at, parent, this.#newestInFolders));
    return { total: order.length, rows, ...(this.#kept.has(parent) && { isKept: true }) };
  }

  /** Position of a folder among those listed before the query's objects; null: not among them. */
  folderIndex(query: ObjectQuery, path: string): number | null {
    const parent = levelOf(query);
    const folder = this.rows.tree.numberOf(path);
    if (parent === null || folder === null) return null;
    const index = this.#folderOrder(query, parent).indexOf(folder);
    return index < 0 ? null : index;
  }

  #folderOrder({ sort }: ObjectQuery, parent: string): readonly number[] {
    const of = JSON.stringify([parent, sort]);
    if (this.#lastOrder?.of !== of)
      this.#lastOrder = { of, order: this.rows.tree.order(parent, sort, this.#newestInFolders) };
    return this.#lastOrder.order;
  }

  get #newestInFolders(): Float64Array {
    return (this.#newest ??= newestInFolders(this.rows));
  }

  /** Position in the query's result of this row, or of the row that it is hidden behind; null: not in the result. */
  positionOf(query: ObjectQuery, id: number): number | null {
    const slot = this.rows.slotOf(id);
    if (slot < 0 || !this.rows.isLive(slot)) return null;
    const result = this.run(query);
    const position = result.slots.indexOf(this.#shownSlot(result, slot));
    return position < 0 ? null : position;
  }

  /** For each row, itself or the row that it is hidden behind. */
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

  /** See `Catalogue.findName`. */
  findName(query: ObjectQuery, typed: string, from: number): { index: number; id: number | null } | null {
    const { slots } = this.run(query);
    const parent = levelOf(query);
    const { tree } = this.rows;
    const folders =
      parent === null ? [] : this.#folderOrder(query, parent).map((at) => foldText(tree.nameIn(parent, at)));
    const folded = foldText(typed);
    const total = folders.length + slots.length;
    const folder = query.place.kind === 'folder' ? query.place.path : '';
    const begins = this.rows.text.beginnings(typed, folder, this.rows.separator);
    let last = -1;
    for (let step = 0; step < total; step += 1) {
      const at = (from + folders.length + step) % total;
      const index = at - folders.length;
      if (folders[at]?.startsWith(folded)) return { index, id: null };
      if (index < 0) continue;
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

  /** In bytes, -1 for unknown; skips unknown ids. */
  *lengthsOf(ids: Iterable<number>): Generator<number> {
    for (const id of ids) if (this.has(id)) yield this.rows.lengths[this.rows.slotOf(id)] ?? -1;
  }

  noteSaved(saved: readonly Saved[]): void {
    const loaded = saved.filter(({ record }) => record.id <= this.#readTo);
    for (const { record, isMoving } of loaded) if (isMoving === true) this.#renamed.add(record.id);
    const asked = loaded.flatMap(({ record: { id } }) => (this.#renamed.has(id) ? [id] : []));
    const renamed = asked.length === 0 ? null : this.#source.renamed(asked);
    // The record still has the marks from before the change.
    const marks = this.#source.hasTeam(this.#service)
      ? this.#source.teamMarks(loaded.map(({ record }) => record.id))
      : null;
    for (const { record, textChanged } of loaded) {
      const { isShared: _, isOwnStored: _own, storedBy: _by, firstStoredAtMs: _at, ...facts } = record;
      const isAway = record.state === 'gone' && record.movedTo !== undefined;
      const known = renamed?.get(record.id) ?? (isAway && { renamed: 'from' as const });
      this.#save({ ...facts, ...known, ...marks?.get(record.id) }, textChanged);
    }
  }

  #save(row: IndexedRow, textChanged: boolean): void {
    const slot = this.rows.slotOf(row.id);
    if (slot < 0) {
      const added = this.rows.put(row, true);
      this.families.add(added, row.kind, row.identifier);
      this.#orders.noteAdded(added);
    } else {
      this.#orders.noteChange(slot, () => {
        this.rows.put(row, textChanged);
      });
    }
    this.#queries.noteChange(textChanged || slot < 0);
    this.#forgetFolders();
  }

  noteRemoved(id: number): void {
    const slot = this.rows.remove(id);
    if (slot < 0) return;
    this.families.remove(slot);
    this.#orders.noteRemoved(slot);
    this.#queries.noteChange(false);
    this.#forgetFolders();
  }

  keepFolders(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    for (const path of before) if (!after.has(path)) this.rows.tree.keep(path, false);
    for (const path of after) if (!before.has(path)) this.rows.tree.keep(path, true);
    this.#kept = after;
    this.#forgetFolders();
  }
  #forgetFolders(): void {
    this.#newest = null;
    this.#lastOrder = null;
  }

  async #read(): Promise<void> {
    if (!(await this.#work(this.#readRows()))) return;
    this.#readTo = Infinity;
    if (!(await this.#work(this.families.join()))) return;
    // Including the default order: the database answers until it is ready, so no caller waits for a sort.
    for (const column of ['identifier', 'stored'] as const) {
      if (!(await this.#work(this.#orders.prepare(column)))) return;
    }
    this.#source.dropPages();
    this.isReady = true;
    // The error reaches the next caller that needs that order.
    this.#prepareRest().catch(() => undefined);
  }

  *#readRows(): Generator<void> {
    for (;;) {
      let read = 0;
      for (const row of this.#source.indexedAfter(this.#service, this.#readTo, this.#pace.rows)) {
        this.families.add(this.rows.put(row, true), row.kind, row.identifier);
        if (row.renamed !== undefined || row.firstStoredAtMs !== undefined) this.#renamed.add(row.id);
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
      if (column === 'storedBy' && !this.#source.hasTeam(this.#service)) continue;
      if (!(await this.#work(this.#orders.prepare(column)))) return;
    }
  }

  /** Runs the steps with other work in between. @returns false: stopped before the end */
  async #work(steps: Iterable<void>): Promise<boolean> {
    for (const _ of steps) {
      await this.#pace.nextTurn();
      if (this.#stopped) return false;
    }
    return true;
  }
}
