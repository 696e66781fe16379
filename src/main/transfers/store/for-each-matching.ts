import { setImmediate } from 'node:timers/promises';
import type { SQLInputValue } from 'node:sqlite';
import type { ObjectStore } from '../../objects/object-store.ts';
import { batchSize, sliceSize } from '../model/batches.ts';
import type { Which } from '../model/store-types.ts';
import { groupCodes, tabCodes } from './codes.ts';
import type { BulkChanges, BulkScope } from './bulk-changes.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** Selections that may cover a million records. */
export type WhichMany = Extract<Which, { kind: 'all' | 'service' | 'batch' }>;
/** Returns whether it changed the record. */
type Work = (stored: StoredTransfer) => boolean;

/** SQL condition on `transfer t` that an index covers. */
interface Place {
  readonly condition: string;
  readonly values: SQLInputValue[];
}

/** Selects records and works on them in batches, letting other work of the thread run in between. */
export class ForEachMatching {
  readonly #table: TransferTable;
  readonly #bulkChanges: BulkChanges;
  readonly #rows: ObjectStore;

  constructor(table: TransferTable, bulkChanges: BulkChanges, rows: ObjectStore) {
    this.#table = table;
    this.#bulkChanges = bulkChanges;
    this.#rows = rows;
  }

  /** The record with pending bulk changes applied; within a transaction. */
  load(id: number): StoredTransfer | null {
    const stored = this.#table.get(id);
    return stored && this.#bulkChanges.resolve(stored);
  }

  /** The scopes of a bulk action on everything, a service, one of its causes, or a batch. */
  scopesOf(which: Exclude<Which, { kind: 'ids' }>): BulkScope[] {
    if (which.kind === 'batch') {
      const range = this.#table.batches.rangeOf(which.batch);
      return range === null ? [] : [{ service: range.service, tab: null, batch: which.batch }];
    }
    const tab = which.kind === 'all' ? (which.tab ?? null) : null;
    return this.#servicesOf(which).map((service) => ({ service, tab, batch: null }));
  }

  #servicesOf(which: Exclude<Which, { kind: 'ids' | 'batch' }>): number[] {
    if (which.kind === 'all') return this.#table.rows<[number]>('SELECT id FROM service').map(([id]) => id);
    const service = this.#rows.service(which.serviceId);
    return service === null ? [] : [service.number];
  }

  /**
   * @param condition selects records of a cause, of a service or of all; for ids each record is passed to `work`
   * @param work changes a record if it applies
   * @returns how many were changed
   */
  async each(which: Which, condition: string, work: Work): Promise<number> {
    if (which.kind === 'ids') {
      let next = 0;
      return this.inBatches(() => {
        const batch = which.ids.slice(next, (next += sliceSize));
        return { found: batch.length, done: this.#workOn(batch, work) };
      }, sliceSize);
    }
    if (which.kind === 'batch') {
      const { firstId, lastId } = this.#table.batches.rangeOf(which.batch) ?? { firstId: 1, lastId: 0 };
      // The plus makes SQLite use the range of ids: with the index of batches it would read the whole batch for each
      // slice.
      return this.#throughIds(firstId - 1, lastId, `+t.batch = ? AND ${condition}`, [which.batch], work);
    }
    let sum = 0;
    for (const place of this.#placesOf(which)) {
      sum += await this.inBatches(() => {
        const sql = `${place.condition} AND ${condition} LIMIT ?`;
        const ids = this.#table.ids(sql, ...place.values, sliceSize);
        const done = this.#workOn(ids, work);
        return { found: done === 0 ? 0 : ids.length, done };
      }, sliceSize);
    }
    return sum;
  }

  /** Passes each record of a service once, by id. */
  async throughAll(serviceId: string, condition: string, work: Work): Promise<void> {
    const service = this.#rows.service(serviceId)?.number ?? 0;
    await this.#throughIds(0, Number.MAX_SAFE_INTEGER, `t.service = ? AND ${condition}`, [service], work);
  }

  async #throughIds(
    afterId: number,
    lastId: number,
    condition: string,
    values: readonly SQLInputValue[],
    work: Work,
  ): Promise<number> {
    let sum = 0;
    for (let from = afterId; ; await setImmediate()) {
      const to = this.#table.endOfSlice(from, lastId, sliceSize);
      if (to === null) return sum;
      const ids = this.#table.ids(`t.id > ? AND t.id <= ? AND ${condition}`, from, to, ...values);
      if (ids.length > 0) sum += this.#table.transaction(() => this.#workOn(ids, work));
      from = to;
    }
  }

  /** @param next processes one batch of `size`, within a transaction, and returns how many it found and changed */
  async inBatches(next: () => { found: number; done: number }, size = batchSize): Promise<number> {
    for (let sum = 0; ; await setImmediate()) {
      const { found, done } = this.#table.transaction(next);
      sum += done;
      if (found < size) return sum;
    }
  }

  #workOn(ids: readonly number[], work: Work): number {
    return ids.filter((id) => {
      const stored = this.load(id);
      return stored !== null && work(stored);
    }).length;
  }

  /** The index ranges of a selection. */
  #placesOf(which: Exclude<Which, { kind: 'ids' | 'batch' }>): Place[] {
    if (which.kind === 'cause') {
      const service = this.#rows.service(which.serviceId)?.number ?? 0;
      const values = [service, groupCodes.code(which.group), which.code];
      return [{ condition: 't.service = ? AND t.grp = ? AND t.error = ?', values }];
    }
    const tabs = which.kind === 'all' && which.tab !== undefined ? [which.tab] : tabCodes.words;
    return this.#servicesOf(which).flatMap((service) =>
      tabs.map((tab) => ({
        condition: 't.service = ? AND t.tab = ?',
        values: [service, tabCodes.code(tab)],
      })),
    );
  }
}
