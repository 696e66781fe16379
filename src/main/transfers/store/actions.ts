import type { Answer } from '../../../shared/domain/service.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { TransferRecord } from '../model/record.ts';
import type { TransferStore, Which } from '../model/store-types.ts';
import { traitsOf } from '../model/state.ts';
import { type StoredTransfer, turnOf } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';
import type { ApplyBulkChanges } from './apply-bulk-changes.ts';
import { priorityCodes } from './codes.ts';
import type { EndRecord } from './end-record.ts';
import type { BeginAgain } from './begin-again.ts';
import type { ForEachMatching, WhichMany } from './for-each-matching.ts';
import { isFailed } from './bulk-conditions.ts';
import type { BulkAction, BulkChanges } from './bulk-changes.ts';

/** Number of following records that get new keys when there is no number left between two keys. */
const spread = 1000;
/** Least step relative to the key: below it, keys would soon be equal. */
const leastStep = 1e-12;

/** Moves records, in the order given, before another one or to the top. @param load null: it must not be moved */
function reorder(
  table: TransferTable,
  load: (id: number) => StoredTransfer | null,
  ids: readonly number[],
  before: number | 'top' | null,
): void {
  const moved = [...new Set(ids)].flatMap((id) => (id === before ? [] : (load(id) ?? [])));
  if (moved.length === 0) return;
  if (before === null) {
    for (const stored of moved) table.saveRecord(stored, { orderKey: table.nextOrderKey() });
    return;
  }
  // If the target has started meanwhile, move before all waiting ones.
  const key = before === 'top' ? null : (load(before)?.record.orderKey ?? null);
  const floor = key === null ? null : table.keyBefore(key);
  if (key === null || floor === null) {
    const first = table.takeFirstOrderKeys(moved.length);
    moved.forEach((stored, index) => table.saveRecord(stored, { orderKey: first + index }));
  } else if ((key - floor) / (moved.length + 1) > leastStep * Math.max(1, Math.abs(key))) {
    spreadBetween(table, moved, floor, key);
  } else {
    const isMoved = new Set(moved.map(({ record }) => record.id));
    const following = table
      .fromKey(key, spread + moved.length)
      .filter(({ record }) => !isMoved.has(record.id));
    // The last one keeps its key, as the upper bound of the others.
    const last = following.length < spread ? null : following.pop();
    const end = last?.record.orderKey ?? table.nextOrderKey();
    spreadBetween(table, [...moved, ...following], floor, end);
  }
}

function spreadBetween(
  table: TransferTable,
  stored: readonly StoredTransfer[],
  floor: number,
  end: number,
): void {
  const step = (end - floor) / (stored.length + 1);
  stored.forEach((each, index) => table.saveRecord(each, { orderKey: floor + step * (index + 1) }));
}

/** User actions on records that are not in work. */
export function createActions(
  table: TransferTable,
  bulkChanges: BulkChanges,
  applyBulkChanges: ApplyBulkChanges,
  endRecord: EndRecord,
  { beginAgain, forgetRow }: BeginAgain,
  selecting: ForEachMatching,
  rows: ObjectStore,
  nowMs: () => number,
) {
  async function bulkChange(action: BulkAction, which: WhichMany): Promise<number> {
    await table.counts.ready;
    return applyBulkChanges.begin(action, selecting.scopesOf(which), nowMs());
  }

  function answerOne(stored: StoredTransfer, serviceId: string, answer: Answer): boolean {
    const { record } = stored;
    const { work } = record;
    if (turnOf(stored) === null || record.serviceId !== serviceId || work.kind !== 'upload') return false;
    if (!isAsking(stored) && work.ifExists !== 'ask') return false;
    const agreed = answer === 'replace' ? agreedOf(record) : undefined;
    const { takenNames: _, ...asked } = work;
    const answered = { ...asked, ifExists: answer, ...(agreed && { agreed }) };
    const change = { work: answered, state: { name: 'waiting' } } as const;
    const bulkChange = isAsking(stored) ? bulkChanges.stamp(stored.service) : stored.bulkChange;
    table.save(stored, { ...stored, bulkChange, record: { ...record, ...change } });
    return true;
  }

  return {
    async cancel(which) {
      if (isMany(which)) return bulkChange({ action: 'cancel' }, which);
      const atMs = nowMs();
      return selecting.each(which, 't.turn IS NOT NULL', (stored) => {
        if (turnOf(stored) === null) return false;
        endRecord.cancel(stored, atMs);
        return true;
      });
    },

    async pause(which, isPaused) {
      if (isMany(which)) return bulkChange({ action: isPaused ? 'pause' : 'resume' }, which);
      const isOther = `t.turn < 3 AND t.paused = ${isPaused ? '0' : '1'}`;
      return selecting.each(which, isOther, (stored) => {
        if (!isWaiting(stored) || stored.record.isPaused === isPaused) return false;
        table.saveRecord(stored, { isPaused });
        return true;
      });
    },

    async retryNow(which) {
      return selecting.each(which, 't.turn = 1', (stored) => {
        if (turnOf(stored) !== 'retry') return false;
        table.saveRecord(stored, { nextAtMs: null });
        return true;
      });
    },

    async retry(which, origins, takesOther = false) {
      if (which.kind === 'ids')
        return selecting.each(which, '', (stored) => {
          if (!isInVain(stored)) return false;
          const { serviceId, origin } = stored.record;
          beginAgain(stored, origins.get(serviceId) ?? origin, { takesOther });
          return true;
        });
      if (which.kind === 'cause' && which.group !== 'needsYou') return 0;
      await table.counts.ready;
      const atMs = nowMs();
      const error = which.kind === 'cause' && { error: which.code };
      return selecting.scopesOf(which).reduce((sum, scope) => {
        const origin = origins.get(rows.serviceId(scope.service) ?? '') ?? null;
        const retry = { origin, takesOther, ...error };
        return sum + applyBulkChanges.begin({ action: 'retry', retry }, [scope], atMs);
      }, 0);
    },

    async editAndRetry(id, change, origins) {
      return table.transaction(() => {
        const stored = selecting.load(id);
        if (stored === null || !isInVain(stored) || stored.record.work.kind !== 'upload') return false;
        const { serviceId, origin } = stored.record;
        beginAgain(stored, origins.get(serviceId) ?? origin, { change });
        return true;
      });
    },

    async drop(which) {
      return selecting.each(which, isFailed, (stored) => {
        if (!isInVain(stored) && !isUnsentDeletion(stored)) return false;
        forgetRow(stored.record);
        table.remove(stored);
        return true;
      });
    },

    async answer(serviceId, ids, answer) {
      const work = (stored: StoredTransfer) => answerOne(stored, serviceId, answer);
      if (typeof ids !== 'string') {
        await selecting.each({ kind: 'ids', ids }, '', (stored) => isAsking(stored) && work(stored));
        return;
      }
      const isAlike = `json_extract(t.body, '$.work.isWatched') IS ${ids === 'allWatched' ? 'NOT NULL' : 'NULL'}`;
      await selecting.each({ kind: 'service', serviceId }, `t.turn = 3 AND ${isAlike}`, work);
      await selecting.throughAll(serviceId, `t.turn IS NOT NULL AND t.direction = 0 AND ${isAlike}`, work);
    },

    async setPriority(which, priority) {
      if (which.kind === 'batch') {
        await bulkChange({ action: priority }, which);
        return;
      }
      const isOther = `t.turn IS NOT NULL AND t.priority <> ${String(priorityCodes.code(priority))}`;
      await selecting.each(which, isOther, (stored) => {
        if (turnOf(stored) === null || stored.record.priority === priority) return false;
        table.saveRecord(stored, { priority });
        return true;
      });
    },

    async reorder(ids, before) {
      table.transaction(() => {
        const load = (id: number) => {
          const stored = selecting.load(id);
          return stored !== null && turnOf(stored) !== null ? stored : null;
        };
        reorder(table, load, ids, before);
      });
    },
  } satisfies Partial<TransferStore>;
}

function isMany(which: Which): which is WhichMany {
  return which.kind === 'all' || which.kind === 'service' || which.kind === 'batch';
}

/** What the user saw when agreeing to the replacement. */
function agreedOf({
  state,
}: TransferRecord): { lengthBytes: number | null; sha256: string | null } | undefined {
  if (state.name !== 'asking') return undefined;
  if (state.there) return { lengthBytes: state.there.lengthBytes, sha256: state.there.sha256 };
  return { lengthBytes: state.seen.present ? state.seen.lengthBytes : null, sha256: null };
}

/** Ended without success and may be retried. */
function isInVain({ record }: StoredTransfer): boolean {
  const { kind, direction, state } = record;
  return traitsOf(state).isRetryable === true && kind === 'data' && direction !== 'delete';
}

function isUnsentDeletion({ record: { direction, state } }: StoredTransfer): boolean {
  return direction === 'delete' && state.name === 'failed' && state.error.code === 'cancelled';
}

function isAsking(stored: StoredTransfer): boolean {
  return turnOf(stored) === 'answer';
}

function isWaiting(stored: StoredTransfer): boolean {
  return turnOf(stored) !== null && !isAsking(stored);
}
