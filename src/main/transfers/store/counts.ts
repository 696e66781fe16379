import { setImmediate } from 'node:timers/promises';
import type { Statements } from '../../database/statements.ts';
import { groupOf, type StateName } from '../model/state.ts';
import { causeOf, turnOf, type StoredTransfer } from './transfer-rows.ts';
import { isCancelled, pausedNow } from './bulk-conditions.ts';
import { directionCodes, stateCodes, tabCodes, turnCodes } from './codes.ts';
import { isOfWatched, storedTabOf, type EngineDirection } from '../model/record.ts';
import type { StoredGroup } from '../model/store-queries.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';

export interface Bucket {
  readonly service: number;
  readonly tab: Tab | 'none';
  readonly direction: EngineDirection;
  readonly group: StoredGroup;
  readonly state: StateName;
  readonly isClaimed: boolean;
  /** Its prompt belongs to a watched folder. */
  readonly asksForWatched: boolean;
  /** Paused individually, not with its service. */
  readonly isPaused: boolean;
  readonly error: string | null;
  readonly batch: number | null;
  count: number;
  totalBytes: number;
}
type Kind = Omit<Bucket, 'count' | 'totalBytes'>;

export interface BatchCounts {
  /** Waiting or running; paused ones, too. */
  open: number;
  paused: number;
  asking: number;
  failed: number;
  done: number;
  cancelled: number;
  openBytes: number;
  doneBytes: number;
}

const noTransfers: BatchCounts = {
  open: 0,
  paused: 0,
  asking: 0,
  failed: 0,
  done: 0,
  cancelled: 0,
  openBytes: 0,
  doneBytes: 0,
};

/** Records counted at a time: takes a few milliseconds, then the thread can do other work. */
const stretchRecords = 16_384;

/** Counts of records by kind, in memory: read from the database once, and updated with every write. */
export class Counts {
  readonly ready: Promise<void>;
  readonly #rows: Statements['rows'];
  readonly #buckets = new Map<string, Bucket>();
  /** Records up to this id have been counted. */
  #readTo = 0;
  #stopped = false;

  constructor({ rows }: Statements) {
    this.#rows = rows;
    this.ready = this.#read();
    this.ready.catch(() => undefined);
  }

  stop(): void {
    this.#stopped = true;
  }

  get buckets(): Bucket[] {
    return [...this.#buckets.values()].filter(({ count }) => count > 0);
  }

  /** Of each batch that has transfers. */
  ofBatches(): Map<number, BatchCounts> {
    const batches = new Map<number, BatchCounts>();
    for (const { batch, group, state, isPaused, count, totalBytes } of this.buckets) {
      if (batch === null) continue;
      const sums = batches.get(batch) ?? { ...noTransfers };
      batches.set(batch, sums);
      if (isPaused) sums.paused += count;
      if (group === 'waiting' || group === 'running') {
        sums.open += count;
        sums.openBytes += totalBytes;
      } else if (group === 'needsYou') sums[state === 'asking' ? 'asking' : 'failed'] += count;
      else sums[state === 'done' ? 'done' : 'cancelled'] += count;
      if (state === 'done') sums.doneBytes += totalBytes;
    }
    return batches;
  }

  note(before: StoredTransfer | null, after: StoredTransfer | null): void {
    if (((before ?? after)?.record.id ?? 0) > this.#readTo) return;
    if (before) this.#add(kindOf(before), -1, -(before.record.totalBytes ?? 0));
    if (after) this.#add(kindOf(after), 1, after.record.totalBytes ?? 0);
  }

  /** Counts all records of these buckets as if a bulk change had been applied to them. */
  countBulkChange(buckets: readonly Bucket[], action: 'cancel' | 'pause' | 'resume'): void {
    const cancelled = {
      state: 'cancelled',
      group: 'done',
      isClaimed: false,
      asksForWatched: false,
      isPaused: false,
      error: null,
    } as const;
    const change = action === 'cancel' ? cancelled : { isPaused: action === 'pause' };
    for (const bucket of buckets) {
      const { count, totalBytes } = bucket;
      this.#add({ ...bucket, ...change }, count, totalBytes);
      this.#add(bucket, -count, -totalBytes);
    }
  }

  dropService(service: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.service === service) this.#buckets.delete(key);
  }

  #add(kind: Kind, count: number, totalBytes: number): void {
    const { service, tab, direction, state, isClaimed, asksForWatched, isPaused, error, batch } = kind;
    const key = [service, tab, direction, state, isClaimed, asksForWatched, isPaused, error, batch].join(' ');
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = { ...kind, count: 0, totalBytes: 0 };
      this.#buckets.set(key, bucket);
    }
    bucket.count += count;
    bucket.totalBytes += totalBytes;
    if (bucket.count === 0) this.#buckets.delete(key);
  }

  async #read(): Promise<void> {
    while (!this.#stopped) {
      const [stretch] = this.#rows<[number | null, number]>(
        'SELECT max(id), count(*) FROM (SELECT id FROM transfer WHERE id > ? ORDER BY id LIMIT ?)',
        this.#readTo,
        stretchRecords,
      );
      const [lastId = null, found = 0] = stretch ?? [];
      if (lastId !== null) this.#readStretch(lastId);
      if (found < stretchRecords) break;
      await setImmediate();
    }
    this.#readTo = Infinity;
  }

  /** Counts records as pending bulk changes will leave them. */
  #readStretch(lastId: number): void {
    type Row = [
      service: number,
      tab: number,
      direction: number,
      state: number,
      claimed: number,
      error: string | null,
      count: number,
      totalBytes: number,
      swept: number,
      watched: number,
      paused: number,
      batch: number | null,
    ];
    const rows = this.#rows<Row>(
      `SELECT service, tab, direction, state, claimed, error, count(*), total(total_bytes),
         ${isCancelled} AS swept,
         CASE WHEN turn = ? THEN json_extract(body, '$.work.isWatched') IS NOT NULL ELSE 0 END AS watched,
         turn < ? AND ${pausedNow} AS is_paused, batch
       FROM transfer t WHERE id > ? AND id <= ?
       GROUP BY service, tab, direction, state, claimed, error, swept, watched, is_paused, batch`,
      turnCodes.code('answer'),
      turnCodes.code('answer'),
      this.#readTo,
      lastId,
    );
    this.#readTo = lastId;
    for (const [
      service,
      tab,
      way,
      code,
      claimed,
      error,
      count,
      totalBytes,
      swept,
      watched,
      paused,
      batch,
    ] of rows) {
      const state = swept ? 'cancelled' : stateCodes.word(code);
      const kind = {
        service,
        tab: tabCodes.word(tab),
        direction: directionCodes.word(way),
        state,
        group: groupOf(state),
        isClaimed: claimed === 1,
        asksForWatched: watched === 1 && !swept,
        isPaused: paused === 1 && !swept,
        error: swept ? null : error,
        batch,
      };
      this.#add(kind, count, totalBytes);
    }
  }
}

function kindOf(stored: StoredTransfer): Kind {
  const { record, service, isClaimed } = stored;
  const { name: state } = record.state;
  return {
    service,
    tab: storedTabOf(record),
    direction: record.direction,
    group: groupOf(state),
    state,
    isClaimed,
    asksForWatched: state === 'asking' && isOfWatched(record),
    isPaused: turnOf(stored) === 'paused',
    error: causeOf(stored),
    batch: record.batch ?? null,
  };
}
