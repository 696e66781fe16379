import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { databaseRetryMs } from '../model/back-off.ts';
import { batchSize, largestClaim } from '../model/batches.ts';
import { isFinished, type StateName, type Work } from '../model/record.ts';
import { traitsOf } from '../model/state-traits.ts';
import type { QueueKind, Tab } from '../model/store-types.ts';
import { queueCodes, sweepCodes, tabCodes, turnCodes } from './codes.ts';
import type { RowChanges } from './row-changes.ts';
import { storedTabOf, turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

interface Sweep {
  readonly id: number;
  readonly service: number;
  /** null: both tabs, and deletions. */
  readonly tab: Tab | null;
  readonly action: 'cancel' | 'pause' | 'resume';
  readonly atMs: number;
}

/** Condition on `transfer t`: a pending sweep pauses or cancels it, not written to its record yet. */
export const isHeldBack = `EXISTS (SELECT 1 FROM sweep s
  WHERE s.service = t.service AND s.id > t.sweep AND s.action < 2 AND (s.tab IS NULL OR s.tab = t.tab))`;
/** Condition on `transfer t`: a pending sweep cancels it, not written to its record yet. */
export const isCancelled = `(t.turn IS NOT NULL AND EXISTS (SELECT 1 FROM sweep s
  WHERE s.service = t.service AND s.id > t.sweep AND s.action = 0 AND (s.tab IS NULL OR s.tab = t.tab)))`;

/**
 * Pauses, resumes or cancels a million records at once: an action is stored as one row (a sweep), takes effect immediately for every
 * reader, and is applied to the records in the background, also after a kill.
 */
export class BulkUpdates {
  readonly #table: TransferTable;
  readonly #changes: RowChanges;
  #pending: Sweep[];
  /** Id of the newest sweep ever. It does not apply to records queued later. */
  #lastId: number;
  /** Id of the newest sweep when this process started. */
  readonly #firstId: number;
  /** By service: id of the newest sweep when a record was last queued. */
  readonly #stamped = new Map<number, number>();
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(table: TransferTable, changes: RowChanges) {
    this.#table = table;
    this.#changes = changes;
    this.#pending = table
      .rows<[number, number, number | null, number, number]>(
        'SELECT id, service, tab, action, at_ms FROM sweep ORDER BY id',
      )
      .map(([id, service, tab, action, atMs]) => ({
        id,
        service,
        tab: tab === null ? null : (tabCodes.word(tab) as Tab),
        action: sweepCodes.word(action),
        atMs,
      }));
    const [last] = table.rows<[number]>(`SELECT seq FROM sqlite_sequence WHERE name = 'sweep'`);
    this.#lastId = last?.[0] ?? 0;
    this.#firstId = this.#lastId;
    this.#work();
  }

  /** For a record that is queued now: no existing sweep applies to it. */
  stamp(service: number): number {
    this.#stamped.set(service, this.#lastId);
    return this.#lastId;
  }

  /** A pending sweep pauses or cancels every record of the service, so none can start. */
  holdsBackAll(service: number): boolean {
    const last = this.#pending.findLast((sweep) => sweep.service === service);
    if (last === undefined || last.tab !== null || last.action === 'resume') return false;
    return last.id > (this.#stamped.get(service) ?? this.#firstId);
  }

  /** Applies sweeps to the records at the front of a queue first. */
  settleFront(service: number, queue: QueueKind): void {
    const last = this.#pending.findLast((sweep) => sweep.service === service);
    if (last === undefined) return;
    for (const turn of ['ready', 'paused'] as const) {
      const front = this.#table.find(
        't.service = ? AND t.queue = ? AND t.turn = ? AND t.sweep < ? ORDER BY t.priority, t.order_key LIMIT ?',
        service,
        queueCodes.code(queue),
        turnCodes.code(turn),
        last.id,
        largestClaim,
      );
      for (const stored of front) this.settle(stored);
    }
  }

  get arePending(): boolean {
    return this.#pending.length > 0;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when all sweeps have been applied. */
  async done(): Promise<void> {
    while (this.#working && !this.#stopped) await this.#working;
  }

  /**
   * @param services their numbers
   * @returns how many records it applies to
   */
  begin(action: Sweep['action'], services: readonly number[], tab: Tab | null, atMs: number): number {
    const matches = (bucket: { service: number; tab: Tab | 'none'; isClaimed: boolean; state: StateName }) =>
      services.includes(bucket.service) &&
      (tab === null || bucket.tab === tab) &&
      !bucket.isClaimed &&
      traitsOf({ name: bucket.state }).life === 'queued' &&
      (bucket.state !== 'asking' || action === 'cancel');
    const { counts } = this.#table;
    const buckets = counts.buckets.filter(matches);
    const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
    const begun: Sweep[] = [];
    // Drop pending pauses and resumes that this sweep supersedes.
    const isOutdone = (sweep: Sweep) =>
      sweep.action !== 'cancel' && services.includes(sweep.service) && (tab === null || tab === sweep.tab);
    this.#table.transaction(() => {
      for (const { id } of this.#pending.filter(isOutdone)) {
        this.#table.rows('DELETE FROM sweep WHERE id = ?', id);
      }
      for (const service of services) {
        const [row] = this.#table.rows<[number]>(
          'INSERT INTO sweep (service, tab, action, at_ms) VALUES (?, ?, ?, ?) RETURNING id',
          service,
          tab === null ? null : tabCodes.code(tab),
          sweepCodes.code(action),
          atMs,
        );
        begun.push({ id: row?.[0] ?? 0, service, tab, action, atMs });
      }
    });
    this.#pending = [...this.#pending.filter((sweep) => !isOutdone(sweep)), ...begun];
    this.#lastId = begun.at(-1)?.id ?? this.#lastId;
    counts.sweep(buckets, action);
    this.#work();
    return count;
  }

  forgetService(service: number): void {
    this.#pending = this.#pending.filter((sweep) => sweep.service !== service);
  }

  /** Applies pending sweeps to a record; within a transaction. */
  settle(stored: StoredTransfer): StoredTransfer {
    let after = stored;
    for (const sweep of this.#pending) {
      if (turnOf(after) === null) break;
      if (!isMeantBy(sweep, after)) continue;
      after = this.#tell(sweep, after);
      this.#stamped.set(after.service, this.#lastId);
    }
    return after;
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

  /** Ends the record in any state; its row becomes `unknown` if the outcome is not known. */
  giveUp(stored: StoredTransfer, atMs: number): StoredTransfer {
    if (turnOf(stored) !== null) return this.cancel(stored, atMs);
    if (isFinished(stored.record)) return stored;
    const ended = this.#table.saveRecord(stored, { state: { name: 'cancelled' }, finishedAtMs: atMs });
    this.#changes.letGo(ended.record);
    return ended;
  }

  #tell(sweep: Sweep, stored: StoredTransfer): StoredTransfer {
    const told = { ...stored, sweep: sweep.id };
    // It was already counted as cancelled when the sweep began.
    if (sweep.action === 'cancel') return this.cancel(told, sweep.atMs, false);
    if (stored.record.state.name === 'asking') return this.#table.save(stored, told);
    const isPaused = sweep.action === 'pause';
    return this.#table.save(stored, { ...told, record: { ...stored.record, isPaused } });
  }

  #work(): void {
    if (this.#working || this.#pending.length === 0) return;
    this.#working = this.#workOff().finally(() => {
      this.#working = null;
    });
  }

  async #workOff(): Promise<void> {
    for (;;) {
      await setImmediate();
      const [sweep] = this.#pending;
      if (sweep === undefined || this.#stopped) return;
      const isWhole = await this.#patiently(() => this.#table.transaction(() => this.#tellSome(sweep)));
      if (isWhole) this.#pending = this.#pending.filter(({ id }) => id !== sweep.id);
    }
  }

  /** Retries after a database error (a full disk), so that the sweep is not lost. */
  async #patiently(work: () => boolean): Promise<boolean> {
    try {
      return work();
    } catch {
      await delay(databaseRetryMs, undefined, { ref: false });
      return false;
    }
  }

  /** @returns whether no record is left */
  #tellSome(sweep: Sweep): boolean {
    for (const turn of turnsOf[sweep.action]) {
      for (const queue of queueCodes.words) {
        const found = this.#table.find(
          `t.service = ? AND t.queue = ? AND t.turn = ? AND t.sweep < ? AND (? IS NULL OR t.tab = ?)
           ORDER BY t.priority, t.order_key LIMIT ?`,
          sweep.service,
          queueCodes.code(queue),
          turnCodes.code(turn),
          sweep.id,
          sweep.tab && tabCodes.code(sweep.tab),
          sweep.tab && tabCodes.code(sweep.tab),
          batchSize,
        );
        for (const stored of found) this.#tell(sweep, stored);
        if (found.length > 0) return false;
      }
    }
    this.#table.rows('DELETE FROM sweep WHERE id = ?', sweep.id);
    return true;
  }
}

/** Drops an unfinished Replace; its undo copies stay. */
function withoutReplace(work: Work): Work {
  if (work.kind !== 'upload') return work;
  const { replace: _, ...rest } = work;
  return rest;
}

/** Turns that the action changes. Paused records need no pause. */
const turnsOf = {
  cancel: turnCodes.words,
  pause: ['ready', 'retry'],
  resume: ['paused'],
} as const;

function isMeantBy(sweep: Sweep, { record, service, sweep: told }: StoredTransfer): boolean {
  return (
    sweep.id > told && sweep.service === service && (sweep.tab === null || sweep.tab === storedTabOf(record))
  );
}
