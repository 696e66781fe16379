import { isFinished } from '../model/record.ts';
import type { Work } from '../model/work.ts';
import type { RowChanges } from './row-changes.ts';
import { turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** Ends records that are not in work, with their rows of the list. */
export class EndRecord {
  readonly #table: TransferTable;
  readonly #changes: RowChanges;
  readonly #nowMs: () => number;

  constructor(table: TransferTable, changes: RowChanges, nowMs: () => number) {
    this.#table = table;
    this.#changes = changes;
    this.#nowMs = nowMs;
  }

  /** Cancels for the user: its row is removed, or becomes `unknown` if something may be stored. */
  cancel(stored: StoredTransfer, atMs: number, counts = true): StoredTransfer {
    const { record } = stored;
    const { work } = record;
    const isOpen = work.kind === 'upload' && (work.mayBeThere || work.replace?.isOut === true);
    const history = { action: 'uploadFailed', detail: 'cancelled' } as const;
    if (isOpen) this.#changes.apply({ kind: 'release', state: 'unknown', history }, stored);
    else if (record.direction === 'upload') this.#changes.apply({ kind: 'remove' }, stored);
    this.#table.letGoOfReplace(stored);
    const change = {
      work: withoutReplace(work),
      isPaused: false,
      state: { name: 'cancelled' },
      trouble: null,
      nextAtMs: null,
      finishedAtMs: atMs,
    } as const;
    return this.#table.save(stored, { ...stored, record: { ...record, ...change } }, counts);
  }

  /**
   * Marks a transfer as failed if a bulk change cannot be applied to it. @param why shown as the reference: this thread has
   * no log
   */
  fail(stored: StoredTransfer, why: string, isCountedAsCancelled: boolean): void {
    const given = { ...stored.record, isPaused: false, trouble: null, nextAtMs: null };
    const before = isCountedAsCancelled
      ? { ...stored, record: { ...given, state: { name: 'cancelled' } as const } }
      : stored;
    const error = { code: 'unexpected', reference: why } as const;
    const record = { ...given, state: { name: 'failed', error } as const, finishedAtMs: this.#nowMs() };
    this.#table.save(before, { ...stored, record });
    this.#changes.letGo(record);
  }

  /** Ends the record in any state; its row becomes `unknown` if the outcome is not known. */
  giveUp(stored: StoredTransfer, atMs: number): StoredTransfer {
    if (turnOf(stored) !== null) return this.cancel(stored, atMs);
    if (isFinished(stored.record)) return stored;
    const ended = this.#table.saveRecord(stored, { state: { name: 'cancelled' }, finishedAtMs: atMs });
    this.#changes.letGo(ended.record);
    return ended;
  }
}

/** Drops an unfinished Replace; its undo copies stay. */
function withoutReplace(work: Work): Work {
  if (work.kind !== 'upload') return work;
  const { replace: _, ...rest } = work;
  return rest;
}
