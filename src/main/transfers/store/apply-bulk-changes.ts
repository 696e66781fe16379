import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { databaseRetryMs } from '../model/failure-policy.ts';
import { isOfData } from '../../database/soundness.ts';
import { batchSize, sliceSize } from '../model/batches.ts';
import { groupCodes, priorityCodes, tabCodes } from './codes.ts';
import type { BeginAgain } from './begin-again.ts';
import type { EndRecord } from './end-record.ts';
import { isFailed } from './bulk-conditions.ts';
import {
  isPriority,
  type BulkChange,
  type BulkAction,
  type BulkChanges,
  type BulkScope,
} from './bulk-changes.ts';
import type { TransferTable } from './transfer-table.ts';

/** Ids per statement: takes a few milliseconds, then the thread can do other work. */
const idsPerStatement = 4000;

const inScope = `t.id > ? AND t.id <= ? AND +t.service = ? AND t.sweep < ?
  AND (? IS NULL OR t.tab = ?) AND (? IS NULL OR +t.batch = ?) AND (? IS NULL OR t.error = ?)`;
const pause = `UPDATE transfer AS t SET paused = 1, turn = 2, sweep = ? WHERE ${inScope} AND t.turn < 2`;
const resume = `UPDATE transfer AS t SET paused = 0, turn = next_at_ms IS NOT NULL, sweep = ?
  WHERE ${inScope} AND t.turn = 2`;
const prioritise = `UPDATE transfer AS t SET priority = ?, sweep = ? WHERE ${inScope} AND t.turn IS NOT NULL`;
/** Takes records out of the ready queue at once, since cancelling them one by one takes longer. */
const hold = `UPDATE transfer AS t SET paused = 1, turn = 2 WHERE ${inScope} AND t.turn < 2`;
/** For a cancel: an earlier retry no longer restarts failed records. */
const keepFailed = `UPDATE transfer AS t SET sweep = ? WHERE ${inScope} AND ${isFailed}`;

/** Progress of a bulk change, by the ids of its records. */
interface Place {
  readonly bulkChange: BulkChange;
  readonly afterId: number;
  /** End of the current slice, if it takes more than one step. */
  readonly to: number;
  readonly lastId: number;
  /** For a cancel: `hold` was applied to all of its records. */
  readonly isHeld: boolean;
  /** Up to this id records are applied one by one, because one of them cannot be written. */
  readonly singlyTo: number;
}

/**
 * Applies bulk changes to their records: cancels first, retries last. Each slice is a transaction; other work of the thread
 * runs in between.
 */
export class ApplyBulkChanges {
  readonly #table: TransferTable;
  readonly #bulkChanges: BulkChanges;
  readonly #endRecord: EndRecord;
  readonly #beginAgain: BeginAgain['beginAgain'];
  #place: Place | null = null;
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(
    table: TransferTable,
    bulkChanges: BulkChanges,
    endRecord: EndRecord,
    { beginAgain }: BeginAgain,
  ) {
    this.#table = table;
    this.#bulkChanges = bulkChanges;
    this.#endRecord = endRecord;
    this.#beginAgain = beginAgain;
    this.#work();
  }

  /**
   * Stores an action and applies it in the background. If no other bulk change is pending, a small batch is done when this
   * returns, and so is the first slice of any other retry.
   * @returns the number of records it applies to
   */
  begin(action: BulkAction, scopes: readonly BulkScope[], atMs: number): number {
    const isFirst = !this.#bulkChanges.arePending;
    const count = this.#bulkChanges.begin(action, scopes, atMs);
    if (isFirst && scopes.every(({ batch }) => batch !== null && this.#isSmall(batch))) this.#apply();
    else if (isFirst && action.action === 'retry') this.#apply(1);
    this.#work();
    return count;
  }

  #isSmall(batch: number): boolean {
    const range = this.#table.batches.rangeOf(batch);
    return range === null || range.lastId - range.firstId < batchSize;
  }

  #apply(slices = Infinity): void {
    try {
      for (let done = 0; done < slices; done += 1) {
        const next = this.#bulkChanges.first;
        if (next === null) return;
        this.#applyNext(next);
      }
    } catch {
      // Disk full: it is retried in the background.
    }
  }

  /** Applies pending cancels, without waiting for retries. */
  async applyCancels(): Promise<void> {
    for (
      let next = this.#bulkChanges.first;
      next?.action === 'cancel' && !this.#stopped;
      next = this.#bulkChanges.first
    ) {
      this.#applyNext(next);
      await setImmediate();
    }
  }

  /** Resolves when all bulk changes have been applied. */
  async done(): Promise<void> {
    while (this.#working && !this.#stopped) await this.#working;
  }

  stop(): void {
    this.#stopped = true;
  }

  #work(): void {
    if (this.#working || !this.#bulkChanges.arePending) return;
    this.#working = this.#workOff().finally(() => {
      this.#working = null;
    });
  }

  async #workOff(): Promise<void> {
    for (;;) {
      await setImmediate();
      const bulkChange = this.#bulkChanges.first;
      if (bulkChange === null || this.#stopped) return;
      try {
        this.#applyNext(bulkChange);
      } catch {
        // Disk full: the bulk change stays pending.
        await delay(databaseRetryMs, undefined, { ref: false });
      }
    }
  }

  #startOf(bulkChange: BulkChange): Place {
    const { firstId, lastId } = this.#rangeOf(bulkChange);
    return { bulkChange, afterId: firstId - 1, to: 0, lastId, isHeld: false, singlyTo: 0 };
  }

  #rangeOf({ batch, action }: BulkChange): { firstId: number; lastId: number } {
    if (batch !== null) return this.#table.batches.rangeOf(batch) ?? { firstId: 1, lastId: 0 };
    if (action !== 'retry') return { firstId: 1, lastId: Number.MAX_SAFE_INTEGER };
    // From an index alone: failed records are few and recent, even in a long history.
    const [range] = this.#table.rows<[number | null, number | null]>(
      'SELECT min(id), max(id) FROM transfer WHERE tab IN (?, ?) AND grp >= 2 AND grp = ?',
      tabCodes.code('transfers'),
      tabCodes.code('jobs'),
      groupCodes.code('needsYou'),
    );
    return { firstId: range?.[0] ?? 1, lastId: range?.[1] ?? 0 };
  }

  #applyNext(bulkChange: BulkChange): void {
    const place = this.#place?.bulkChange === bulkChange ? this.#place : this.#startOf(bulkChange);
    const { afterId, lastId, isHeld, singlyTo } = place;
    const size = afterId < singlyTo ? 1 : isHeld ? sliceSize : idsPerStatement;
    const to = place.to > afterId ? place.to : this.#table.endOfSlice(afterId, lastId, size);
    if (to === null && bulkChange.action === 'cancel' && !isHeld) {
      this.#place = { ...this.#startOf(bulkChange), isHeld: true };
    } else if (to === null) {
      this.#bulkChanges.end(bulkChange);
    } else {
      try {
        const reached = this.#table.transaction(() => this.#applyTo({ ...place, lastId: to }));
        this.#place = { ...place, to, afterId: reached };
      } catch (cause) {
        if (!isOfData(cause)) throw cause;
        if (size === 1) this.#fail(bulkChange, to, cause);
        this.#place = { ...place, to: 0, ...(size === 1 ? { afterId: to } : { singlyTo: to }) };
      }
    }
  }

  /**
   * Fails the one record to which the bulk change cannot be applied, so that the bulk change can end. If even that cannot be
   * written, the record stays as it is.
   */
  #fail({ id: bulkChange, action }: BulkChange, id: number, why: unknown): void {
    try {
      const stored = this.#table.get(id);
      if (stored === null) return;
      const isCancel = action === 'cancel';
      this.#table.transaction(() => this.#endRecord.fail({ ...stored, bulkChange }, String(why), isCancel));
    } catch (cause) {
      if (!isOfData(cause)) throw cause;
    }
  }

  /** @returns the last id reached */
  #applyTo({ bulkChange, afterId, lastId, isHeld }: Place): number {
    const { id, service, tab, batch, action, retry } = bulkChange;
    const tabCode = tab && tabCodes.code(tab);
    const error = retry?.error ?? null;
    const scope = [afterId, lastId, service, id, tabCode, tabCode, batch, batch, error, error];
    if (action === 'pause') this.#table.rows(pause, id, ...scope);
    else if (action === 'resume') this.#table.rows(resume, id, ...scope);
    else if (isPriority(action)) this.#table.rows(prioritise, priorityCodes.code(action), id, ...scope);
    else if (action === 'cancel' && !isHeld) {
      this.#table.rows(hold, ...scope);
      if (this.#bulkChanges.areRetrying) this.#table.rows(keepFailed, id, ...scope);
    } else if (action === 'cancel') {
      const queued = this.#table.find(`${inScope} AND t.turn IS NOT NULL`, ...scope);
      for (const stored of queued) this.#bulkChanges.resolve(stored);
    } else {
      // Limit matches, not ids: other records may lie between them, as in a long history.
      const failed = this.#table.find(
        `${inScope} AND ${isFailed} ORDER BY t.id LIMIT ?`,
        ...scope,
        sliceSize,
      );
      for (const stored of failed) {
        const { origin, takesOther } = this.#bulkChanges.retryOf(stored);
        const at = origin ?? stored.record.origin;
        this.#bulkChanges.resolve(this.#beginAgain(stored, at, { takesOther, bulkChange: id }));
      }
      if (failed.length === sliceSize) return failed.at(-1)?.record.id ?? lastId;
    }
    return lastId;
  }
}
