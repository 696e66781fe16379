import type { Answer } from '../../../shared/domain/service.ts';
import type { TransferRecord } from '../model/record.ts';
import { statesWhere, traitsOf } from '../model/state-traits.ts';
import type { TransferStore } from '../model/store-types.ts';
import { groupCodes, priorityCodes, stateCodes } from './codes.ts';
import type { Insert } from './insert.ts';
import { reorder } from './reorder.ts';
import type { ForEachMatching, WhichMany } from './for-each-matching.ts';
import type { BulkUpdates } from './bulk-updates.ts';
import { turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

const needsYou = String(groupCodes.code('needsYou'));
const failedStates = statesWhere(({ life }) => life === 'failed').map((name) => stateCodes.code(name));

/** Upper bound for the time that retrying all failed records takes. */
const longestRetryMs = 600_000;

/** User actions on records that are not in work. */
export function createActions(
  table: TransferTable,
  bulkUpdates: BulkUpdates,
  insert: Insert,
  selecting: ForEachMatching,
  nowMs: () => number,
) {
  async function sweep(action: 'cancel' | 'pause' | 'resume', which: WhichMany): Promise<number> {
    await table.counts.ready;
    const tab = which.kind === 'all' ? (which.tab ?? null) : null;
    return bulkUpdates.begin(action, selecting.servicesOf(which), tab, nowMs());
  }

  function answerOne(stored: StoredTransfer, serviceId: string, answer: Answer): boolean {
    const { record } = stored;
    const { work } = record;
    if (turnOf(stored) === null || record.serviceId !== serviceId || work.kind !== 'upload') return false;
    if (!isAsking(stored) && work.ifExists !== 'ask') return false;
    const agreed = answer === 'replace' ? agreedOf(record) : undefined;
    const answered = { ...work, ifExists: answer, ...(agreed && { agreed }) };
    const change = { work: answered, state: { name: 'waiting' } } as const;
    const sweep = isAsking(stored) ? bulkUpdates.stamp(stored.service) : stored.sweep;
    table.save(stored, { ...stored, sweep, record: { ...record, ...change } });
    return true;
  }

  return {
    async cancel(which) {
      if (which.kind === 'all' || which.kind === 'service') return sweep('cancel', which);
      const atMs = nowMs();
      return selecting.each(which, 't.turn IS NOT NULL', (stored) => {
        if (turnOf(stored) === null) return false;
        bulkUpdates.cancel(stored, atMs);
        return true;
      });
    },

    async pause(which, isPaused) {
      if (which.kind === 'all' || which.kind === 'service') {
        return sweep(isPaused ? 'pause' : 'resume', which);
      }
      const isOther =
        which.kind === 'batch' ? 't.turn < 3' : `t.turn < 3 AND t.paused = ${isPaused ? '0' : '1'}`;
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
      // Skip records that fail again while this runs. An end later than the bound dates from a clock that was ahead.
      const startMs = nowMs();
      const condition = `t.grp >= 2 AND t.grp = ${needsYou} AND t.state IN (${failedStates.join()}) AND t.kind = 0
        AND t.finished_at_ms NOT BETWEEN ${String(startMs + 1)} AND ${String(startMs + longestRetryMs)}`;
      return selecting.each(which, condition, (stored) => {
        if (!isInVain(stored)) return false;
        const { serviceId, origin } = stored.record;
        insert.beginAgain(stored, origins.get(serviceId) ?? origin, { takesOther });
        return true;
      });
    },

    async editAndRetry(id, change, origins) {
      return table.transaction(() => {
        const stored = selecting.load(id);
        if (stored === null || !isInVain(stored) || stored.record.work.kind !== 'upload') return false;
        const { serviceId, origin } = stored.record;
        insert.beginAgain(stored, origins.get(serviceId) ?? origin, { change });
        return true;
      });
    },

    async drop(which) {
      const condition = `t.grp >= 2 AND t.grp = ${needsYou} AND t.state IN (${failedStates.join()}) AND t.kind = 0`;
      return selecting.each(which, condition, (stored) => {
        if (!isInVain(stored)) return false;
        insert.forgetRow(stored.record);
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
      const isOther = `t.turn IS NOT NULL AND t.priority <> ${String(priorityCodes.code(priority))}`;
      await selecting.each(which, isOther, (stored) => {
        if (turnOf(stored) === null || stored.record.priority === priority) return false;
        table.saveRecord(stored, { priority });
        return true;
      });
    },

    async move(ids, before) {
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

function isAsking(stored: StoredTransfer): boolean {
  return turnOf(stored) === 'answer';
}

function isWaiting(stored: StoredTransfer): boolean {
  return turnOf(stored) !== null && !isAsking(stored);
}
