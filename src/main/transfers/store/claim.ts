import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '../../objects/object-store.ts';
import { kindCode, stateCode } from '../../objects/rows.ts';
import { leftMs } from '../../clock.ts';
import { maxDelayMs } from '../model/failure-policy.ts';
import type { State } from '../model/state.ts';
import type { TransferRecord } from '../model/record.ts';
import type { QueueKind, TransferStore } from '../model/store-types.ts';
import { directionCodes, queueCodes, priorityCodes, stateCodes } from './codes.ts';
import type { RowChanges } from './row-changes.ts';
import { isCancelled, isHeldBack, pausedNow } from './bulk-conditions.ts';
import type { BulkChanges } from './bulk-changes.ts';
import { recordsOf, turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

const [upload, deletion] = [directionCodes.code('upload'), directionCodes.code('delete')];
/** Due retries woken per claim; the rest waits for the next claim, so that this one is quick. */
const maxDue = 1000;

/** An upload waits for deletions of its identifier that are running or were created before it. */
const waitsForDeletion = `t.direction = ${String(upload)} AND t.kind = ${String(kindCode('data'))} AND (
  EXISTS (SELECT 1 FROM object o WHERE o.service = t.service AND o.kind = t.kind AND o.identifier = t.identifier
    AND o.state = ${String(stateCode('deleting'))} AND o.writer IS NOT NULL)
  OR EXISTS (SELECT 1 FROM transfer d WHERE d.service = t.service AND d.identifier = t.identifier
    AND d.direction = ${String(deletion)} AND d.finished_at_ms IS NULL AND d.origin = t.origin
    AND (d.id < t.id OR d.claimed = 1)))`;
/** A deletion waits for the writer of its row, and for uploads of its identifier that are in work. */
const waitsForUpload = `t.direction = ${String(deletion)} AND (
  EXISTS (SELECT 1 FROM object o WHERE o.id = t.object AND o.writer IS NOT NULL)
  OR EXISTS (SELECT 1 FROM transfer u WHERE u.service = t.service AND u.identifier = t.identifier
    AND u.claimed = 1 AND u.direction = ${String(upload)} AND u.kind = t.kind))`;
/** An upload waits while another one, as the writer of the row, replaces the object. */
const waitsForReplace = `t.direction = ${String(upload)} AND EXISTS (
  SELECT 1 FROM transfer r WHERE r.service = t.service AND r.identifier = t.identifier AND r.claimed = 1
    AND r.state = ${String(stateCodes.code('replacing'))} AND r.kind = t.kind AND r.id <> t.id
    AND EXISTS (SELECT 1 FROM object o WHERE o.id = r.object AND o.writer = r.id))`;
const claimable = `t.service = ? AND t.queue = ? AND t.turn = 0 AND t.origin = ? AND t.priority <= ?
  AND NOT ${isHeldBack} AND NOT (${waitsForDeletion}) AND NOT (${waitsForUpload})
  AND NOT (${waitsForReplace})
  ORDER BY t.priority, t.order_key, t.id LIMIT ?`;

/** Claims records for work, and puts them back. */
export function createClaim(
  table: TransferTable,
  bulkChanges: BulkChanges,
  changes: RowChanges,
  rows: ObjectStore,
  nowMs: () => number,
) {
  /** The user waits for these: only a cancel holds them back. */
  function takeNamed(ids: readonly number[], service: number, origin: string): StoredTransfer[] {
    return ids.flatMap((id) => {
      const found = table.get(id);
      if (found?.service !== service || found.record.origin !== origin) return [];
      const stored = bulkChanges.resolve(found);
      return turnOf(stored) === null ? [] : take(stored);
    });
  }

  /**
   * Makes records ready whose retry is due. A due time beyond the longest delay counts as due: the clock was set
   * back.
   */
  function wakeDue(service: number, queue: QueueKind): void {
    const atMs = nowMs();
    const due = table.find(
      `t.service = ? AND t.turn = 1 AND t.queue = ? AND (t.next_at_ms <= ? OR t.next_at_ms > ?)
       ORDER BY t.next_at_ms LIMIT ?`,
      service,
      queueCodes.code(queue),
      atMs,
      atMs + maxDelayMs,
      maxDue,
    );
    for (const stored of due) table.saveRecord(bulkChanges.resolve(stored), { nextAtMs: null });
  }

  /** Ends a deletion whose row is gone or cannot be deleted. */
  function take(stored: StoredTransfer): StoredTransfer {
    const { record } = stored;
    const claimed = { ...stored, isClaimed: true };
    if (record.direction !== 'delete') {
      const state = stateOfBegun(record);
      const { incarnation = randomUUID() } = record;
      const named = record.direction === 'upload' && { incarnation };
      return table.save(stored, { ...claimed, record: { ...record, state, ...named } });
    }
    const { held, rowBefore } = changes.apply({ kind: 'deleting' }, stored);
    if (held) {
      const state: State = { name: 'deleting', isAnswered: false, looks: 0 };
      return table.save(stored, { ...claimed, rowBefore, record: { ...record, state } });
    }
    const error = { code: 'notFound', what: 'object' } as const;
    return table.saveRecord(stored, { state: { name: 'failed', error }, finishedAtMs: nowMs() });
  }

  function putRowBack(stored: StoredTransfer): void {
    const history = { action: 'deleteFailed', detail: 'cancelled' } as const;
    changes.apply({ kind: 'deleted', state: null, history }, stored);
  }

  return {
    async claim({ serviceId, queue, limit, includesIdle, origin, ids }) {
      const service = rows.service(serviceId)?.number;
      if (service === undefined) return [];
      if (ids) return recordsOf(table.transaction(() => takeNamed(ids, service, origin)));
      if (bulkChanges.holdsBackAll(service)) return [];
      return table.transaction(() => {
        wakeDue(service, queue);
        bulkChanges.resolveFront(service, queue);
        const originNumber = table.originNumber(origin);
        const maxIdle = priorityCodes.code(includesIdle ? 'whenIdle' : 'normal');
        const claimed: TransferRecord[] = [];
        for (;;) {
          const found = table.find(
            claimable,
            service,
            queueCodes.code(queue),
            originNumber,
            maxIdle,
            limit - claimed.length,
          );
          if (found.length === 0) return claimed;
          for (const stored of found) claimed.push(take(stored).record);
          if (claimed.length >= limit) return claimed;
        }
      });
    },

    async unclaim(ids) {
      table.transaction(() => {
        for (const id of ids) {
          const before = table.get(id);
          if (!before?.isClaimed) continue;
          if (before.record.state.name === 'deleting') putRowBack(before);
          table.save(before, {
            ...before,
            isClaimed: false,
            bulkChange: bulkChanges.stamp(before.service),
            rowBefore: null,
            record: { ...before.record, state: { name: 'waiting' } },
          });
        }
      });
    },

    async interrupted() {
      // The direction is a literal, as in the partial index.
      const held = `t.direction = ${String(deletion)} AND t.finished_at_ms IS NULL AND t.claimed = 0
        AND ${pausedNow} = 1 AND NOT ${isCancelled}`;
      return ['t.claimed = 1', held].flatMap((which) => recordsOf(table.find(`${which} ORDER BY t.id`)));
    },

    /** When the first retry of any service is due, not before now, ms; null: none is pending. */
    async nextDueMs() {
      const atMs = nowMs();
      const retries = 'FROM transfer t WHERE t.service = service.id AND t.turn = 1';
      const dues = table.rows<[number | null, number | null]>(
        `SELECT (SELECT min(next_at_ms) ${retries}), (SELECT max(next_at_ms) ${retries}) FROM service`,
      );
      const lefts = dues.flat().flatMap((dueMs) => (dueMs === null ? [] : leftMs(dueMs, atMs, maxDelayMs)));
      return lefts.length === 0 ? null : atMs + Math.min(...lefts);
    },
  } satisfies Partial<TransferStore>;
}

function stateOfBegun({ work, route, direction, origin, state }: TransferRecord): State {
  if (work.kind === 'upload' && work.replace) return { name: 'replacing', looks: 0, absences: 0 };
  if (work.kind === 'upload' && (work.numberedFor ?? origin) !== origin)
    return { name: 'numbering', awaits: null, looks: 0 };
  if (route === 'deferred') return state;
  return direction === 'upload'
    ? { name: 'sending' }
    : { name: 'receiving', temporaryPath: null, deferred: null };
}
