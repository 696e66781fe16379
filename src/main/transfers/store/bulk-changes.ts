import { largestClaim } from '../model/batches.ts';
import type { QueueKind } from '../model/store-types.ts';
import { type Tab, prioritySchema, type Priority } from '../../../shared/domain/transfer.ts';
import { storedTabOf } from '../model/record.ts';
import { traitsOf } from '../model/state.ts';
import { queueCodes, bulkActionCodes, tabCodes, turnCodes } from './codes.ts';
import type { Bucket } from './counts.ts';
import type { EndRecord } from './end-record.ts';
import { causeOf, turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** How a bulk change restarts failed transfers. */
interface Retry {
  /** null: the one they had. */
  readonly origin: string | null;
  readonly takesOther: boolean;
  /** Limits it to transfers that failed with this code. */
  readonly error?: string;
}

/** Which records a bulk change is for: all of a service, or some of them. */
export interface BulkScope {
  /** Number of the service. */
  readonly service: number;
  /** null: both tabs, and what is in none. */
  readonly tab: Tab | null;
  readonly batch: number | null;
}

export interface BulkAction {
  /** A priority: sets it. */
  readonly action: 'cancel' | 'pause' | 'resume' | 'retry' | Priority;
  /** Only for `retry`. */
  readonly retry?: Retry;
}

export interface BulkChange extends BulkScope, BulkAction {
  readonly id: number;
  readonly atMs: number;
}

/**
 * Pauses, resumes, cancels, retries or prioritises a million records at once: an action is stored as one row (a
 * bulk change), which `apply-bulk-changes.ts` applies to the records in the background, also after a kill. Every reader sees
 * pause, resume and cancel at once, but retries and priorities only when they are applied.
 */
export class BulkChanges {
  readonly #table: TransferTable;
  readonly #endRecord: EndRecord;
  #pending: BulkChange[];
  /** Id of the newest bulk change ever. It does not apply to records queued later. */
  #lastId: number;
  /** Id of the newest bulk change when this process started. */
  readonly #firstId: number;
  /** By service: id of the newest bulk change when a record was last queued. */
  readonly #stamped = new Map<number, number>();

  /** Applied to all records, but kept until an older retry ends. */
  readonly #applied = new Set<number>();

  constructor(table: TransferTable, endRecord: EndRecord) {
    this.#table = table;
    this.#endRecord = endRecord;
    this.#pending = table
      .rows<[number, number, number | null, number | null, number, number, string | null]>(
        'SELECT id, service, tab, batch, action, at_ms, retry FROM sweep ORDER BY id',
      )
      .map(([id, service, tab, batch, action, atMs, retry]) => ({
        id,
        service,
        tab: tab === null ? null : (tabCodes.word(tab) as Tab),
        batch,
        action: bulkActionCodes.word(action),
        atMs,
        ...(retry !== null && { retry: JSON.parse(retry) as Retry }),
      }));
    const [last] = table.rows<[number]>(`SELECT seq FROM sqlite_sequence WHERE name = 'sweep'`);
    this.#lastId = last?.[0] ?? 0;
    this.#firstId = this.#lastId;
  }

  /**
   * The next bulk change to apply: a cancel, else the oldest that is no retry, else the oldest retry. A retry may take
   * minutes, and nothing waits for it.
   */
  get first(): BulkChange | null {
    return (
      this.#pending.find(({ action }) => action === 'cancel') ??
      this.#pending.find(({ id, action }) => action !== 'retry' && !this.#applied.has(id)) ??
      this.#pending[0] ??
      null
    );
  }

  get arePending(): boolean {
    return this.#pending.length > 0;
  }

  /** Whether failed transfers are still to be restarted. */
  get areRetrying(): boolean {
    return this.#pending.some(({ action }) => action === 'retry');
  }

  /** For a record that is queued now: no existing bulk change applies to it. */
  stamp(service: number): number {
    this.#stamped.set(service, this.#lastId);
    return this.#lastId;
  }

  /** A pending bulk change pauses or cancels every record of the service, so none can start. */
  holdsBackAll(service: number): boolean {
    const last = this.#lastOfQueued(service);
    if (last === undefined || last.tab !== null || last.batch !== null || last.action === 'resume')
      return false;
    return last.id > (this.#stamped.get(service) ?? this.#firstId);
  }

  /** Applies pending bulk changes to the front of a queue, ahead of the rest. */
  resolveFront(service: number, queue: QueueKind): void {
    const last = this.#lastOfQueued(service);
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
      for (const stored of front) this.resolve(stored);
    }
  }

  /** The newest pending bulk change for queued records; a retry is for failed ones. */
  #lastOfQueued(service: number): BulkChange | undefined {
    return this.#pending.findLast(
      (bulkChange) => bulkChange.service === service && bulkChange.action !== 'retry',
    );
  }

  /** Combines all pending retries of a failed record: the newest origin, and `takesOther` if any of them has it. */
  retryOf(stored: StoredTransfer): Pick<Retry, 'origin' | 'takesOther'> {
    const retries = this.#pending.flatMap((bulkChange) =>
      bulkChange.retry && bulkChange.id > stored.bulkChange && isOf(bulkChange, stored)
        ? [bulkChange.retry]
        : [],
    );
    const origin = retries.at(-1)?.origin ?? null;
    return { origin, takesOther: retries.some(({ takesOther }) => takesOther) };
  }

  /** Stores an action. @returns the number of records it applies to */
  begin(wanted: BulkAction, scopes: readonly BulkScope[], atMs: number): number {
    const { action, retry } = wanted;
    const buckets = this.#table.counts.buckets.filter((bucket) =>
      scopes.some((scope) => isIn(scope, bucket) && matches(wanted, bucket)),
    );
    const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
    if (action === 'retry' && count === 0) return 0;
    const begun: BulkChange[] = [];
    const outdone = this.#pending.filter((bulkChange) =>
      scopes.some((scope) => isOutdone(bulkChange, wanted, scope)),
    );
    this.#table.transaction(() => {
      for (const { id } of outdone) this.#table.rows('DELETE FROM sweep WHERE id = ?', id);
      for (const scope of scopes) {
        const [row] = this.#table.rows<[number]>(
          'INSERT INTO sweep (service, tab, batch, action, at_ms, retry) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
          scope.service,
          scope.tab === null ? null : tabCodes.code(scope.tab),
          scope.batch,
          bulkActionCodes.code(action),
          atMs,
          retry === undefined ? null : JSON.stringify(retry),
        );
        begun.push({ ...scope, id: row?.[0] ?? 0, action, atMs, ...(retry && { retry }) });
      }
      if (action === 'cancel') {
        const batches = new Set(buckets.flatMap(({ batch }) => batch ?? []));
        for (const batch of batches) this.#table.batches.noteEnd(batch, atMs);
      }
    });
    this.#pending = [...this.#pending.filter((bulkChange) => !outdone.includes(bulkChange)), ...begun];
    this.#lastId = begun.at(-1)?.id ?? this.#lastId;
    if (action === 'cancel' || action === 'pause' || action === 'resume')
      this.#table.counts.countBulkChange(buckets, action);
    return count;
  }

  /**
   * Ends a bulk change that was applied to all of its records. While an older retry may add more, it stays, to be applied
   * once more.
   */
  end({ id, action, service }: BulkChange): void {
    const mayGetMore = (bulkChange: BulkChange) =>
      bulkChange.action === 'retry' && bulkChange.service === service && bulkChange.id < id;
    if (action !== 'retry' && action !== 'cancel' && this.#pending.some(mayGetMore)) {
      this.#applied.add(id);
      return;
    }
    this.#applied.delete(id);
    this.#table.transaction(() => this.#table.rows('DELETE FROM sweep WHERE id = ?', id));
    this.#pending = this.#pending.filter((bulkChange) => bulkChange.id !== id);
  }

  forgetService(service: number): void {
    this.#pending = this.#pending.filter((bulkChange) => bulkChange.service !== service);
  }

  /** Applies pending bulk changes to a queued record; within a transaction. */
  resolve(stored: StoredTransfer): StoredTransfer {
    let after = stored;
    for (const bulkChange of this.#pending) {
      if (turnOf(after) === null) break;
      if (bulkChange.id <= after.bulkChange || bulkChange.action === 'retry' || !isOf(bulkChange, after))
        continue;
      after = this.#tell(bulkChange, after);
      this.#stamped.set(after.service, this.#lastId);
    }
    return after;
  }

  #tell(bulkChange: BulkChange, stored: StoredTransfer): StoredTransfer {
    const told = { ...stored, bulkChange: bulkChange.id };
    // Already counted as cancelled when the bulk change began.
    if (bulkChange.action === 'cancel') return this.#endRecord.cancel(told, bulkChange.atMs, false);
    const { action } = bulkChange;
    if (isPriority(action))
      return this.#table.save(stored, { ...told, record: { ...stored.record, priority: action } });
    if (stored.record.state.name === 'asking') return this.#table.save(stored, told);
    const isPaused = action === 'pause';
    return this.#table.save(stored, { ...told, record: { ...stored.record, isPaused } });
  }
}

function isIn({ service, tab, batch }: BulkScope, bucket: Bucket): boolean {
  return (
    bucket.service === service &&
    (tab === null || bucket.tab === tab) &&
    (batch === null || bucket.batch === batch)
  );
}

function isOf({ tab, batch, service, retry }: BulkChange, stored: StoredTransfer): boolean {
  return (
    (retry?.error === undefined || retry.error === causeOf(stored)) &&
    service === stored.service &&
    (tab === null || tab === storedTabOf(stored.record)) &&
    (batch === null || batch === stored.record.batch)
  );
}

function matches(
  { action, retry }: BulkAction,
  { isClaimed, state, direction, error }: Pick<Bucket, 'isClaimed' | 'state' | 'direction' | 'error'>,
): boolean {
  const { life } = traitsOf({ name: state });
  if (action === 'retry')
    return life === 'failed' && direction !== 'delete' && (retry?.error ?? error) === error;
  return !isClaimed && life === 'queued' && (state !== 'asking' || action === 'cancel' || isPriority(action));
}

export function isPriority(action: BulkChange['action']): action is Priority {
  return prioritySchema.options.some((priority) => priority === action);
}

/**
 * Whether a new action replaces a pending one, which is for the same records or fewer. A cancel is never replaced.
 */
function isOutdone(
  pending: BulkChange,
  { action, retry }: BulkAction,
  { service, tab, batch }: BulkScope,
): boolean {
  if (pending.service !== service || pending.action === 'cancel') return false;
  if (batch !== null && batch !== pending.batch) return false;
  if (tab !== null && tab !== pending.tab) return false;
  if (action === 'cancel') return true;
  // A new retry replaces an older one, unless only the older one accepts other bytes.
  if (pending.action === 'retry' && action === 'retry')
    return (
      (retry?.error === undefined || retry.error === pending.retry?.error) &&
      (retry?.takesOther === true || pending.retry?.takesOther === false)
    );
  // Keep both: restarted records must still be paused.
  if (pending.action === 'retry' || action === 'retry') return false;
  return isPriority(action) === isPriority(pending.action);
}
