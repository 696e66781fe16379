import type { SQLInputValue } from 'node:sqlite';
import { batchSize } from '../batches.ts';
import type { Tab } from '../store-types.ts';
import { groupCodes, tabCodes } from './codes.ts';
import type { Selecting } from './selecting.ts';
import type { Sweeps } from './sweeps.ts';
import type { TransferTable } from './transfer-table.ts';

/** The moment of its end, as the index has it. */
const endedAt = 'ifnull(t.finished_at_ms, 9007199254740991)';

/** How records leave the file. */
export class Clearing {
  readonly #table: TransferTable;
  readonly #sweeps: Sweeps;
  readonly #selecting: Selecting;
  readonly #nowMs: () => number;

  constructor(table: TransferTable, sweeps: Sweeps, selecting: Selecting, nowMs: () => number) {
    this.#table = table;
    this.#sweeps = sweeps;
    this.#selecting = selecting;
    this.#nowMs = nowMs;
  }

  async clear(tab: Tab, group: 'done' | 'needsYou'): Promise<void> {
    await this.#removeAll('t.tab = ? AND t.grp = ? AND t.grp >= 2 AND t.finished_at_ms IS NOT NULL', [
      tabCodes.code(tab),
      groupCodes.code(group),
    ]);
  }

  async trim(mostDone: number, finishedBeforeMs: number): Promise<void> {
    for (const tab of tabCodes.words) {
      // Deletions are in no list: nobody is asked about those that failed.
      for (const group of tab === 'none' ? (['done', 'needsYou'] as const) : (['done'] as const)) {
        const place = 't.tab = ? AND t.grp = ? AND t.grp >= 2';
        const values = [tabCodes.code(tab), groupCodes.code(group)];
        await this.#removeAll(`${place} AND ${endedAt} < ?`, [...values, finishedBeforeMs]);
        const sql = `SELECT ${endedAt}, t.id FROM transfer t
                     WHERE ${place} ORDER BY ${endedAt} DESC, t.id DESC LIMIT 1 OFFSET ?`;
        const [last] = this.#table.rows<[number, number]>(sql, ...values, mostDone);
        if (last) await this.#removeAll(`${place} AND (${endedAt}, t.id) <= (?, ?)`, [...values, ...last]);
      }
    }
  }

  /** Rows of the list that were being written or deleted are not known until somebody looks. */
  async removeProfile(profile: number): Promise<void> {
    await this.#selecting.inBatches(() => {
      const found = this.#table.find('t.profile = ? LIMIT ?', profile, batchSize);
      for (const stored of found) {
        this.#table.remove(this.#sweeps.giveUp(this.#sweeps.settle(stored), this.#nowMs()));
      }
      return { found: found.length, done: found.length };
    });
  }

  async #removeAll(condition: string, values: SQLInputValue[]): Promise<void> {
    await this.#selecting.inBatches(() => {
      const found = this.#table.find(`${condition} LIMIT ?`, ...values, batchSize);
      for (const stored of found) this.#table.remove(stored);
      return { found: found.length, done: found.length };
    });
  }
}
