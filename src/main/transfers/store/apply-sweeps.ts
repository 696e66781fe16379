import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { databaseRetryMs } from '../model/back-off.ts';
import { isOfData } from '../../database/soundness.ts';
import { batchSize, sliceSize } from '../model/batches.ts';
import { priorityCodes, tabCodes } from './codes.ts';
import type { BeginAgain } from './begin-again.ts';
import type { EndRecord } from './end-record.ts';
import { isFailed } from './sweep-conditions.ts';
import { isPriority, type Sweep, type SweepAction, type Sweeps, type SweepScope } from './sweeps.ts';
import type { TransferTable } from './transfer-table.ts';

/** Ids that one statement changes: a few milliseconds, then other work of the thread gets its turn. */
const idsPerStatement = 4000;

const inScope = `t.id > ? AND t.id <= ? AND +t.service = ? AND t.sweep < ?
  AND (? IS NULL OR t.tab = ?) AND (? IS NULL OR +t.batch = ?)`;
const pause = `UPDATE transfer AS t SET paused = 1, turn = 2, sweep = ? WHERE ${inScope} AND t.turn < 2`;
const resume = `UPDATE transfer AS t SET paused = 0, turn = next_at_ms IS NOT NULL, sweep = ?
  WHERE ${inScope} AND t.turn = 2`;
const prioritise = `UPDATE transfer AS t SET priority = ?, sweep = ? WHERE ${inScope} AND t.turn IS NOT NULL`;
/** Out of the way of those that may start: they are passed over for as long as it takes to cancel them. */
const hold = `UPDATE transfer AS t SET paused = 1, turn = 2 WHERE ${inScope} AND t.turn < 2`;

/** How far a sweep has come: by the ids of its records. */
interface Place {
  readonly sweep: Sweep;
  readonly afterId: number;
  readonly lastId: number;
  /** Of a cancel: everything that it cancels is out of the way. */
  readonly isHeld: boolean;
  /** Up to this id each record is a slice of its own: one of them cannot be written. */
  readonly singlyTo: number;
}

/** Applies sweeps to their records, oldest first and slice by slice: each slice is a transaction, and others are served in between. */
export class ApplySweeps {
  readonly #table: TransferTable;
  readonly #sweeps: Sweeps;
  readonly #endRecord: EndRecord;
  readonly #beginAgain: BeginAgain['beginAgain'];
  #place: Place | null = null;
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(table: TransferTable, sweeps: Sweeps, endRecord: EndRecord, { beginAgain }: BeginAgain) {
    this.#table = table;
    this.#sweeps = sweeps;
    this.#endRecord = endRecord;
    this.#beginAgain = beginAgain;
    this.#work();
  }

  /**
   * Writes an action down. It goes on by itself; for a batch that one slice holds, it is over when this returns.
   * @returns how many records it is for
   */
  begin(action: SweepAction, scopes: readonly SweepScope[], atMs: number): number {
    const isFirst = !this.#sweeps.arePending;
    const count = this.#sweeps.begin(action, scopes, atMs);
    if (isFirst && scopes.every(({ batch }) => batch !== null && this.#isSmall(batch))) this.#applyAll();
    this.#work();
    return count;
  }

  #isSmall(batch: number): boolean {
    const range = this.#table.batches.rangeOf(batch);
    return range === null || range.lastId - range.firstId < batchSize;
  }

  #applyAll(): void {
    try {
      for (let next = this.#sweeps.first; next !== null; next = this.#sweeps.first) this.#applyNext(next);
    } catch {
      // A full disk: it is tried again in the background.
    }
  }

  /** Applies what is cancelled, without waiting for what begins again. */
  async applyCancels(): Promise<void> {
    for (
      let next = this.#sweeps.first;
      next?.action === 'cancel' && !this.#stopped;
      next = this.#sweeps.first
    ) {
      this.#applyNext(next);
      await setImmediate();
    }
  }

  /** Resolves when all sweeps have been applied. */
  async done(): Promise<void> {
    while (this.#working && !this.#stopped) await this.#working;
  }

  stop(): void {
    this.#stopped = true;
  }

  #work(): void {
    if (this.#working || !this.#sweeps.arePending) return;
    this.#working = this.#workOff().finally(() => {
      this.#working = null;
    });
  }

  async #workOff(): Promise<void> {
    for (;;) {
      await setImmediate();
      const sweep = this.#sweeps.first;
      if (sweep === null || this.#stopped) return;
      try {
        this.#applyNext(sweep);
      } catch {
        // A full disk: the sweep is not lost.
        await delay(databaseRetryMs, undefined, { ref: false });
      }
    }
  }

  #startOf(sweep: Sweep): Place {
    const range = sweep.batch === null ? null : this.#table.batches.rangeOf(sweep.batch);
    const lastId = range?.lastId ?? (sweep.batch === null ? Number.MAX_SAFE_INTEGER : 0);
    return { sweep, afterId: (range?.firstId ?? 1) - 1, lastId, isHeld: false, singlyTo: 0 };
  }

  /** One slice of it. */
  #applyNext(sweep: Sweep): void {
    const place = this.#place?.sweep === sweep ? this.#place : this.#startOf(sweep);
    const { afterId, lastId, isHeld, singlyTo } = place;
    const isByRecord = sweep.action === 'retry' || isHeld;
    const size = afterId < singlyTo ? 1 : isByRecord ? sliceSize : idsPerStatement;
    const to = this.#table.endOfSlice(afterId, lastId, size);
    if (to === null && sweep.action === 'cancel' && !isHeld) {
      this.#place = { ...this.#startOf(sweep), isHeld: true };
    } else if (to === null) {
      this.#sweeps.end(sweep);
    } else {
      try {
        this.#table.transaction(() => this.#applyTo({ ...place, lastId: to }));
        this.#place = { ...place, afterId: to };
      } catch (cause) {
        if (!isOfData(cause)) throw cause;
        if (size === 1) this.#fail(sweep, to, cause);
        this.#place = { ...place, ...(size === 1 ? { afterId: to } : { singlyTo: to }) };
      }
    }
  }

  /** Fails the one record to which the sweep cannot be applied, so that it ends. What cannot even be failed stays as it is. */
  #fail({ id: sweep, action }: Sweep, id: number, why: unknown): void {
    try {
      const stored = this.#table.get(id);
      if (stored === null) return;
      const isCancel = action === 'cancel';
      this.#table.transaction(() => this.#endRecord.fail({ ...stored, sweep }, String(why), isCancel));
    } catch (cause) {
      if (!isOfData(cause)) throw cause;
    }
  }

  #applyTo({ sweep, afterId, lastId, isHeld }: Place): void {
    const { id, service, tab, batch, action, retry } = sweep;
    const tabCode = tab && tabCodes.code(tab);
    const scope = [afterId, lastId, service, id, tabCode, tabCode, batch, batch];
    if (action === 'pause') this.#table.rows(pause, id, ...scope);
    else if (action === 'resume') this.#table.rows(resume, id, ...scope);
    else if (isPriority(action)) this.#table.rows(prioritise, priorityCodes.code(action), id, ...scope);
    else if (action === 'cancel' && !isHeld) this.#table.rows(hold, ...scope);
    else if (action === 'cancel') {
      const queued = this.#table.find(`${inScope} AND t.turn IS NOT NULL`, ...scope);
      for (const stored of queued) this.#sweeps.settle(stored);
    } else if (retry !== undefined) {
      for (const stored of this.#table.find(`${inScope} AND ${isFailed}`, ...scope)) {
        const { origin, takesOther } = retry;
        this.#sweeps.settle(this.#beginAgain(stored, origin, { takesOther, sweep: id }));
      }
    }
  }
}
