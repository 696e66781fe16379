import type { SQLInputValue } from 'node:sqlite';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import type { Statements } from '../../database/statements.ts';
import { isFinished, type TransferRecord } from '../model/record.ts';
import { groupCodes, priorityCodes, tabCodes } from './codes.ts';
import { BatchTable, type TransferChange } from './batch-table.ts';
import { Counts } from './counts.ts';
import {
  changingValues,
  fixedValues,
  inserted,
  toStored,
  transferColumns,
  updateOriginSql,
  updateSql,
  type StoredTransfer,
  type TransferValues,
} from './transfer-rows.ts';

/** Reads, writes and counts records in the database. The meaning of a change is up to the callers. */
export class TransferTable {
  readonly rows: Statements['rows'];
  readonly counts: Counts;
  readonly batches: BatchTable;
  readonly #insertRows: Statements['insertRows'];
  readonly #writer: ObjectWriter;
  /** Changes of the current transaction, for the counts and the batches. */
  #changes: TransferChange[] = [];
  readonly #origins = new Map<string, number>();
  #lastId: number;
  #orderKeys: { first: number; last: number };

  constructor(statements: Statements, writer: ObjectWriter) {
    this.rows = statements.rows;
    this.#insertRows = statements.insertRows;
    this.#writer = writer;
    this.counts = new Counts(statements);
    const [last] = this.rows<[number]>(`SELECT seq FROM sqlite_sequence WHERE name = 'transfer'`);
    this.#lastId = last?.[0] ?? 0;
    this.batches = new BatchTable(this.rows);
    this.#orderKeys = this.#readOrderKeys();
    writer.follow({
      serviceRemoved: (_, service) => {
        this.counts.dropService(service);
      },
    });
  }

  /** Records, and rows of the list with them, change only within a transaction. */
  transaction<T>(work: () => T): T {
    const changes: TransferChange[] = (this.#changes = []);
    const result = this.#run(() => {
      const worked = work();
      this.batches.follow(changes);
      return worked;
    });
    for (const { before, after } of changes) this.counts.note(before, after);
    return result;
  }

  #run<T>(work: () => T): T {
    try {
      return this.#writer.transaction(work);
    } catch (error) {
      // The rollback removed origins that were added.
      this.#origins.clear();
      throw error;
    }
  }

  /** Ids are never reused. */
  newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** A key behind all others. */
  nextOrderKey(): number {
    this.#orderKeys.last += 1;
    return this.#orderKeys.last;
  }

  /** Reserves `count` keys before all others. @returns the first of them */
  takeFirstOrderKeys(count: number): number {
    this.#orderKeys.first -= count;
    return this.#orderKeys.first;
  }

  get(id: number): StoredTransfer | null {
    return this.find('t.id = ?', id)[0] ?? null;
  }

  /** In this order; unknown ids are left out. */
  getMany(ids: readonly number[]): StoredTransfer[] {
    const found = this.find('t.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
    const byId = new Map(found.map((stored) => [stored.record.id, stored]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** @param condition SQL about `transfer t`, with its order and limit */
  find(condition: string, ...values: SQLInputValue[]): StoredTransfer[] {
    const sql = `SELECT ${transferColumns} FROM transfer t WHERE ${condition}`;
    return this.rows<TransferValues>(sql, ...values).map(toStored);
  }

  /** @param condition SQL about `transfer t`, with its order and limit */
  ids(condition: string, ...values: SQLInputValue[]): number[] {
    return this.rows<[number]>(`SELECT t.id FROM transfer t WHERE ${condition}`, ...values).map(([id]) => id);
  }

  /** The last id of a slice of records; null: there are none between the two ids. */
  endOfSlice(afterId: number, lastId: number, size: number): number | null {
    const [row] = this.rows<[number | null]>(
      'SELECT max(id) FROM (SELECT id FROM transfer WHERE id > ? AND id <= ? ORDER BY id LIMIT ?)',
      afterId,
      lastId,
      size,
    );
    return row?.[0] ?? null;
  }

  insert(stored: readonly StoredTransfer[]): void {
    const values = stored.map((each) => [
      ...fixedValues(each, this.originNumber(each.record.origin)),
      ...changingValues(each),
    ]);
    this.#insertRows(inserted, values);
    for (const after of stored) {
      this.#changes.push({ before: null, after });
      this.#noteMove(null, after.record);
    }
  }

  save(before: StoredTransfer, after: StoredTransfer, counts = true): StoredTransfer {
    const { id, origin } = after.record;
    this.rows(updateSql, ...changingValues(after), id);
    if (origin !== before.record.origin) this.rows(updateOriginSql, this.originNumber(origin), id);
    if (counts) this.#changes.push({ before, after });
    this.#noteMove(before.record, after.record);
    return after;
  }

  /** Keeps account of the objects under way to another identifier: the list shows each of them once. */
  #noteMove(before: TransferRecord | null, after: TransferRecord | null): void {
    const [was, is] = [moveOf(before), moveOf(after)];
    if (was?.objectId === is?.objectId && was?.target === is?.target) return;
    if (is === null) this.rows('DELETE FROM moving WHERE transfer = ?', before?.id ?? 0);
    else {
      const sql = `INSERT OR REPLACE INTO moving (transfer, object, target)
        SELECT ?, id, ? FROM object WHERE id = ?`;
      this.rows(sql, after?.id ?? 0, is.target, is.objectId);
    }
    const ids = new Set([was?.objectId, was?.target, is?.objectId, is?.target]);
    const records = [...ids].flatMap((id) => this.#writer.rows.get(id ?? 0) ?? []);
    this.#writer.noteSaved(records.map((record) => ({ record, textChanged: false, isMoving: true })));
  }

  saveRecord(before: StoredTransfer, change: Partial<TransferRecord>): StoredTransfer {
    return this.save(before, { ...before, record: { ...before.record, ...change } });
  }

  /** Gives up a Replace: its undo copies stay, and what it stored on the service is added to the list. */
  letGoOfReplace({ record: { id, work }, service }: StoredTransfer): void {
    if (work.kind !== 'upload' || work.replace === undefined) return;
    const { mine, old, staged, beside } = work.replace;
    this.rows('UPDATE kept SET transfer = NULL WHERE transfer = ?', id);
    for (const [identifier, bytes, classification] of [
      [staged, mine, work.classification],
      // A manifest with a local undo copy is deleted together with it.
      [old?.file === null ? beside : null, old, old?.classification ?? null],
    ] as const) {
      if (identifier === null || bytes === null) continue;
      const { lengthBytes, sha256 } = bytes;
      const patch = { state: 'unknown', lengthBytes, sha256, classification } as const;
      this.#writer.add(service, { kind: 'data', identifier, patch });
    }
  }

  /** @param isForgotten trimmed from the history: its batch still counts it */
  remove(before: StoredTransfer, isForgotten = false): void {
    this.letGoOfReplace(before);
    this.rows('DELETE FROM transfer WHERE id = ?', before.record.id);
    this.#noteMove(before.record, null);
    this.#changes.push({ before, after: null, isForgotten });
  }

  originNumber(address: string): number {
    const known = this.#origins.get(address);
    if (known !== undefined) return known;
    this.rows('INSERT INTO origin (address) VALUES (?) ON CONFLICT DO NOTHING', address);
    const [row] = this.rows<[number]>('SELECT id FROM origin WHERE address = ?', address);
    if (row === undefined) throw new Error('An origin was written and is not there');
    this.#origins.set(address, row[0]);
    return row[0];
  }

  /** The greatest key before this one among unfinished records; null: none. */
  keyBefore(key: number): number | null {
    return this.#orderKey('max', 'AND order_key < ?', key);
  }

  /** Unfinished records from a key on, ordered by key regardless of priority. */
  fromKey(key: number, limit: number): StoredTransfer[] {
    const condition = `${inOrder} AND t.order_key >= ? ORDER BY t.order_key LIMIT ?`;
    return ordered
      .flatMap((codes) => this.find(condition, ...codes, key, limit))
      .sort((a, b) => a.record.orderKey - b.record.orderKey)
      .slice(0, limit);
  }

  #readOrderKeys(): { first: number; last: number } {
    return { first: this.#orderKey('min', '') ?? 0, last: this.#orderKey('max', '') ?? 0 };
  }

  #orderKey(which: 'min' | 'max', condition: string, ...values: number[]): number | null {
    const sql = `SELECT ${which}(order_key) FROM transfer t WHERE ${inOrder} ${condition}`;
    const keys = ordered.flatMap(
      (codes) => this.rows<[number | null]>(sql, ...codes, ...values)[0]?.[0] ?? [],
    );
    return keys.length === 0 ? null : Math[which](...keys);
  }
}

/** What an unfinished transfer moves, and the row of its copy, once that is not stored yet; null: it is none of a move. */
function moveOf(record: TransferRecord | null): { objectId: number; target: number | null } | null {
  if (record === null || isFinished(record)) return null;
  const { work, objectId } = record;
  if (work.kind === 'upload' && work.moves?.objectId !== undefined)
    return { objectId: work.moves.objectId, target: objectId };
  return work.kind === 'delete' && work.only && objectId !== null ? { objectId, target: null } : null;
}

/** The index of unfinished records has one range for each of these. */
const inOrder = 't.tab = ? AND t.grp = ? AND t.grp < 2 AND t.priority = ?';
const ordered = tabCodes.words.flatMap((tab) =>
  (['waiting', 'running'] as const).flatMap((group) =>
    priorityCodes.words.map((priority) => [
      tabCodes.code(tab),
      groupCodes.code(group),
      priorityCodes.code(priority),
    ]),
  ),
);
