import { folderAbove } from '../../../shared/domain/folder.ts';
import type { Statements } from '../../database/statements.ts';
import type { NewBatch } from '../model/store-types.ts';
import { batchActionCodes } from './codes.ts';
import type { StoredTransfer } from './transfer-rows.ts';

export interface TransferChange {
  /** null: it is inserted. */
  readonly before: StoredTransfer | null;
  /** null: it is removed. */
  readonly after: StoredTransfer | null;
  /** Trimmed from the history, but still counted in its batch. */
  readonly isForgotten?: boolean;
}

interface Touched {
  endedAtMs: number | null;
  hasShrunk: boolean;
  done: number;
  doneBytes: number;
  cancelled: number;
}

/** The database rows of batches, beside those of their transfers. Change only within a transaction. */
export class BatchTable {
  readonly #rows: Statements['rows'];
  #lastId: number;

  constructor(rows: Statements['rows']) {
    this.#rows = rows;
    const [last] = rows<[number]>(`SELECT seq FROM sqlite_sequence WHERE name = 'batch'`);
    this.#lastId = last?.[0] ?? 0;
  }

  /** Ids are never reused. */
  newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Adds a batch, or narrows its folder to what these transfers have in common with those before. */
  grow(
    service: number,
    { id, action }: NewBatch,
    added: { ids: readonly number[]; identifiers: readonly string[]; separator: string; atMs: number },
  ): void {
    const { ids, identifiers, separator, atMs } = added;
    const [known] = this.#rows<[string]>('SELECT folder FROM batch WHERE id = ?', id);
    let folder = known?.[0] ?? folderAbove(identifiers[0] ?? '', separator);
    for (const identifier of identifiers) {
      while (folder !== '' && !identifier.startsWith(folder + separator)) {
        folder = folderAbove(folder, separator);
      }
    }
    this.#rows(
      `INSERT INTO batch (id, service, action, folder, created_at_ms, first_id, last_id) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET folder = excluded.folder, last_id = excluded.last_id`,
      id,
      service,
      batchActionCodes.code(action),
      folder,
      atMs,
      ids[0] ?? null,
      ids.at(-1) ?? null,
    );
  }

  /** All of its transfers have ids from the first to the last. null: there is no such batch */
  rangeOf(id: number): { service: number; firstId: number; lastId: number } | null {
    const sql = 'SELECT service, first_id, last_id FROM batch WHERE id = ?';
    const [found] = this.#rows<[number, number, number]>(sql, id);
    return found === undefined ? null : { service: found[0], firstId: found[1], lastId: found[2] };
  }

  noteEnd(id: number, atMs: number): void {
    this.#rows('UPDATE batch SET finished_at_ms = max(ifnull(finished_at_ms, 0), ?) WHERE id = ?', atMs, id);
  }

  /** Stops counting transfers that have left the history. @param id null: of any batch */
  forgetHistory(id: number | null): void {
    this.#rows(
      `UPDATE batch SET forgotten_done = 0, forgotten_cancelled = 0, forgotten_bytes = 0
       WHERE (? IS NULL OR id = ?) AND forgotten_done + forgotten_cancelled > 0`,
      id,
      id,
    );
  }

  /** Updates batches after the changes of a transaction. A batch without transfers is removed. */
  follow(changes: readonly TransferChange[]): void {
    for (const [id, { endedAtMs, hasShrunk, done, doneBytes, cancelled }] of touchedBy(changes)) {
      if (endedAtMs !== null) this.noteEnd(id, endedAtMs);
      if (!hasShrunk) continue;
      this.#rows(
        `UPDATE batch SET forgotten_done = forgotten_done + ?, forgotten_cancelled = forgotten_cancelled + ?,
           forgotten_bytes = forgotten_bytes + ? WHERE id = ?`,
        done,
        cancelled,
        doneBytes,
        id,
      );
      this.#rows(
        `DELETE FROM batch WHERE id = ? AND NOT EXISTS (SELECT 1 FROM transfer t WHERE t.batch = batch.id AND t.grp < 2)
           AND NOT EXISTS (SELECT 1 FROM transfer t WHERE t.batch = batch.id AND t.grp >= 2)`,
        id,
      );
    }
  }
}

function touchedBy(changes: readonly TransferChange[]): Map<number, Touched> {
  const touched = new Map<number, Touched>();
  for (const { before, after, isForgotten } of changes) {
    const id = (after ?? before)?.record.batch;
    if (id === undefined || (after !== null && after.record.finishedAtMs === null)) continue;
    const batch = touched.get(id) ?? {
      endedAtMs: null,
      hasShrunk: false,
      done: 0,
      doneBytes: 0,
      cancelled: 0,
    };
    touched.set(id, batch);
    if (after !== null) {
      batch.endedAtMs = Math.max(batch.endedAtMs ?? 0, after.record.finishedAtMs ?? 0);
      continue;
    }
    batch.hasShrunk = true;
    if (!isForgotten || before === null) continue;
    const isDone = before.record.state.name === 'done';
    batch[isDone ? 'done' : 'cancelled'] += 1;
    batch.doneBytes += isDone ? (before.record.totalBytes ?? 0) : 0;
  }
  return touched;
}
