import type { SQLInputValue } from 'node:sqlite';
import type { StoredBatch } from '../model/store-queries.ts';
import { batchActionCodes, groupCodes } from './codes.ts';
import type { BatchCounts } from './counts.ts';
import { orders } from './listed.ts';
import { isCancelled } from './bulk-conditions.ts';
import { recordsOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

type Values = [
  id: number,
  serviceId: string,
  action: number,
  folder: string,
  createdAtMs: number,
  finishedAtMs: number | null,
  forgottenDone: number,
  forgottenCancelled: number,
  forgottenBytes: number,
];

const done = `t.grp = ${String(groupCodes.code('done'))}`;
const isOpen = `NOT ${isCancelled} AND t.grp < 2`;
/** The id of the open transfer of batch `b` that is first in the queue. */
export const firstOpen = `SELECT t.id FROM transfer t WHERE t.batch = b.id AND ${isOpen} ORDER BY t.priority, t.order_key LIMIT 1`;

/** Reads batches and their transfers, with current counts. */
export function createBatches(table: TransferTable) {
  /** In the order of their ids. */
  function get(
    ids: readonly number[],
    counted: ReadonlyMap<number, BatchCounts> = table.counts.ofBatches(),
  ): StoredBatch[] {
    if (ids.length === 0) return [];
    const sql = `SELECT b.id, (SELECT service_id FROM service WHERE service.id = b.service), b.action, b.folder, b.created_at_ms,
        b.finished_at_ms, b.forgotten_done, b.forgotten_cancelled, b.forgotten_bytes
      FROM batch b WHERE b.id IN (SELECT value FROM json_each(?)) ORDER BY b.id`;
    const found = table.rows<Values>(sql, JSON.stringify(ids));
    // Skip batches without open transfers: the query could pass over a million that a bulk change still has to cancel.
    const open = ids.filter((id) => (counted.get(id)?.open ?? 0) > 0);
    const next = new Map(
      table
        .find(
          `t.id IN (SELECT (${firstOpen}) FROM batch b WHERE b.id IN (SELECT value FROM json_each(?)))`,
          JSON.stringify(open),
        )
        .map(({ record }) => [record.batch, record]),
    );
    return found.flatMap((values) => {
      const counts = counted.get(values[0]);
      return counts === undefined ? [] : describe(values, counts, next.get(values[0]) ?? null);
    });
  }

  /** @param except transfers shown elsewhere */
  function open(batch: number, limit: number, offset: number, except: readonly number[]) {
    const isHere = except.length > 0 ? 't.id NOT IN (SELECT value FROM json_each(?)) AND' : '';
    const values: SQLInputValue[] = except.length > 0 ? [JSON.stringify(except)] : [];
    const condition = `t.batch = ? AND ${isHere} NOT ${isCancelled} AND ${orders.waiting} LIMIT ? OFFSET ?`;
    return recordsOf(table.find(condition, batch, ...values, limit, offset));
  }

  function ended(batch: number, limit: number, offset: number) {
    const condition = `t.batch = ? AND ${done} AND ${orders.done} LIMIT ? OFFSET ?`;
    return recordsOf(table.find(condition, batch, limit, offset));
  }

  function countEnded(batch: number): number {
    const sql = `SELECT count(*) FROM transfer t WHERE t.batch = ? AND ${done} AND t.grp >= 2`;
    return table.rows<[number]>(sql, batch)[0]?.[0] ?? 0;
  }

  /** Which of these transfers are open ones of the batch. */
  function openAmong(ids: readonly number[], batch: number): number[] {
    if (ids.length === 0) return [];
    const condition = `t.id IN (SELECT value FROM json_each(?)) AND t.batch = ? AND ${isOpen}`;
    return table.ids(condition, JSON.stringify(ids), batch);
  }

  return { get, open, ended, countEnded, openAmong };
}

function describe(
  [id, serviceId, action, folder, createdAtMs, finishedAtMs, done, cancelled, bytes]: Values,
  counts: BatchCounts,
  next: StoredTransfer['record'] | null,
): StoredBatch {
  return {
    id,
    serviceId,
    action: batchActionCodes.word(action),
    folder,
    createdAtMs,
    ...counts,
    done: counts.done + done,
    cancelled: counts.cancelled + cancelled,
    doneBytes: counts.doneBytes + bytes,
    listed: counts.done + counts.cancelled,
    finishedAtMs,
    next,
  };
}
