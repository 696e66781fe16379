import type { SQLInputValue } from 'node:sqlite';
import type { ObjectStore } from '../../objects/object-store.ts';
import { batchSize } from '../model/batches.ts';
import type { TransferStore } from '../model/store-types.ts';
import { groupCodes, tabCodes } from './codes.ts';
import type { ForEachMatching } from './for-each-matching.ts';
import type { ApplyBulkChanges } from './apply-bulk-changes.ts';
import type { EndRecord } from './end-record.ts';
import { isToBeginAgain } from './bulk-conditions.ts';
import type { BulkChanges } from './bulk-changes.ts';
import type { TransferTable } from './transfer-table.ts';

/** The end time, as in the index. */
const endedAt = 'ifnull(t.finished_at_ms, 9007199254740991)';

export function createPrune(
  table: TransferTable,
  bulkChanges: BulkChanges,
  applyBulkChanges: ApplyBulkChanges,
  endRecord: EndRecord,
  selecting: ForEachMatching,
  rows: ObjectStore,
  nowMs: () => number,
) {
  async function removeAll(condition: string, values: SQLInputValue[], isForgotten = false): Promise<void> {
    await selecting.inBatches(() => {
      const found = table.find(`${condition} LIMIT ?`, ...values, batchSize);
      for (const stored of found) table.remove(stored, isForgotten);
      return { found: found.length, done: found.length };
    });
  }

  return {
    async clear(tab, group) {
      // First apply cancels, so that those records are cleared too. Failed records about to restart stay.
      await applyBulkChanges.applyCancels();
      const others = bulkChanges.areRetrying ? `AND NOT ${isToBeginAgain}` : '';
      if (tab === 'transfers' && group === 'done') table.transaction(() => table.batches.forgetHistory(null));
      await removeAll(`t.tab = ? AND t.grp = ? AND t.grp >= 2 AND t.finished_at_ms IS NOT NULL ${others}`, [
        tabCodes.code(tab),
        groupCodes.code(group),
      ]);
    },

    async clearBatch(batch) {
      await applyBulkChanges.applyCancels();
      table.transaction(() => table.batches.forgetHistory(batch));
      await removeAll('t.batch = ? AND t.grp >= 2 AND t.grp = ?', [batch, groupCodes.code('done')]);
    },

    async trim(maxDone, finishedBeforeMs) {
      for (const tab of tabCodes.words) {
        // Failed ones in no tab do not wait for the user.
        for (const group of tab === 'none' ? (['done', 'needsYou'] as const) : (['done'] as const)) {
          const place = 't.tab = ? AND t.grp = ? AND t.grp >= 2';
          const values = [tabCodes.code(tab), groupCodes.code(group)];
          await removeAll(`${place} AND ${endedAt} < ?`, [...values, finishedBeforeMs], true);
          const sql = `SELECT ${endedAt}, t.id FROM transfer t
                       WHERE ${place} ORDER BY ${endedAt} DESC, t.id DESC LIMIT 1 OFFSET ?`;
          const [last] = table.rows<[number, number]>(sql, ...values, maxDone);
          if (last) await removeAll(`${place} AND (${endedAt}, t.id) <= (?, ?)`, [...values, ...last], true);
        }
      }
    },

    /** Rows that were being written or deleted become `unknown`. */
    async removeService(serviceId) {
      const service = rows.service(serviceId)?.number;
      if (service === undefined) return;
      await selecting.inBatches(() => {
        const found = table.find('t.service = ? LIMIT ?', service, batchSize);
        for (const stored of found) {
          table.remove(endRecord.giveUp(bulkChanges.resolve(stored), nowMs()));
        }
        return { found: found.length, done: found.length };
      });
    },
  } satisfies Partial<TransferStore>;
}
