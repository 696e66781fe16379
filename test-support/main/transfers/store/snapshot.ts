import type { DatabaseSync } from 'node:sqlite';
import { readText } from '../../../../src/main/database/text.ts';
import { type ObjectState, objectStateSchema } from '../../../../src/shared/domain/object.ts';
import type { Tab } from '../../../../src/shared/domain/transfer.ts';
import { isFinished, type TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type { StoredGroup } from '../../../../src/main/transfers/model/store-queries.ts';
import type { TransferStore, Which } from '../../../../src/main/transfers/model/store-types.ts';

/** The columns of a list row that transfers change. */
export interface Row {
  readonly id: number;
  readonly serviceId: string;
  readonly kind: 'data' | 'secret';
  readonly identifier: string;
  readonly state: ObjectState;
  readonly lengthBytes: number | null;
  readonly sha256: string | null;
  readonly note: string;
  readonly writer: number | null;
}

export interface Entry {
  readonly record: TransferRecord;
  readonly claimed: boolean;
}

/** All that a store holds, read through the interface of the store, and the rows from the database. */
export interface Snapshot {
  readonly nowMs: number;
  readonly entries: readonly Entry[];
  readonly rows: readonly Row[];
}

export async function readSnapshot(db: DatabaseSync, store: TransferStore, nowMs: number): Promise<Snapshot> {
  const ids = db.prepare('SELECT id FROM transfer ORDER BY id').all();
  // Held deletions are among them, too, so that a start puts them away.
  const isHeld = ({ direction, isPaused }: TransferRecord) => direction === 'delete' && isPaused;
  const claimed = new Set((await store.interrupted()).filter((each) => !isHeld(each)).map(({ id }) => id));
  const records = await store.getMany(ids.map(({ id }) => Number(id)));
  return {
    nowMs,
    entries: records.map((record) => ({ record, claimed: claimed.has(record.id) })),
    rows: readRows(db),
  };
}

function readRows(db: DatabaseSync): Row[] {
  const rows = db
    .prepare(
      `SELECT object.id, service_id AS serviceId, kind, identifier, state, length_bytes AS lengthBytes, sha256, note, writer
       FROM object JOIN service ON service.id = object.service ORDER BY object.id`,
    )
    .all();
  return rows.map((row) => ({
    ...(row as unknown as Row),
    identifier: readText(String(row['identifier'])),
    kind: row['kind'] === 0 ? 'data' : 'secret',
    state: objectStateSchema.options[Number(row['state'])] ?? 'unknown',
  }));
}

export function rowOf({ rows }: Pick<Snapshot, 'rows'>, { objectId }: Pick<TransferRecord, 'objectId'>) {
  return rows.find(({ id }) => id === objectId);
}

export function rowNamed(
  { rows }: Pick<Snapshot, 'rows'>,
  { serviceId, kind }: Pick<TransferRecord, 'serviceId' | 'kind'>,
  identifier: string,
): Row | undefined {
  return rows.find(
    (row) => row.serviceId === serviceId && row.kind === kind && row.identifier === identifier,
  );
}

export function isIdle({ record, claimed }: Entry): boolean {
  return !claimed && !isFinished(record);
}

export function isWaiting(entry: Entry): boolean {
  return isIdle(entry) && entry.record.state.name === 'waiting';
}

export function isWatched({ work }: TransferRecord): boolean {
  return work.kind === 'upload' && work.isWatched === true;
}

export function tabOf({ direction, route }: TransferRecord): Tab | 'none' {
  if (direction === 'delete') return 'none';
  return route === 'direct' ? 'transfers' : 'jobs';
}

export function groupOf({ state: { name } }: TransferRecord): StoredGroup {
  if (name === 'waiting') return 'waiting';
  if (name === 'asking' || name === 'failed' || name === 'lost') return 'needsYou';
  return name === 'done' || name === 'cancelled' ? 'done' : 'running';
}

export function causeOf({ record: { state, trouble }, claimed }: Entry): string | null {
  if (state.name === 'failed' || state.name === 'lost') return state.error?.code ?? null;
  return state.name === 'waiting' && !claimed ? (trouble?.code ?? null) : null;
}

const priorities = ['now', 'normal', 'whenIdle'];

/** Compares by starting order. */
export function byTurn({ record: a }: Entry, { record: b }: Entry): number {
  return (
    priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || a.orderKey - b.orderKey || a.id - b.id
  );
}

/** Compares by the end, the newest first. */
export function byNewest({ record: a }: Entry, { record: b }: Entry): number {
  const [first, second] = [a.finishedAtMs ?? Infinity, b.finishedAtMs ?? Infinity];
  return first === second ? b.id - a.id : second - first;
}

export function matches(which: Which, entry: Entry): boolean {
  const { record } = entry;
  switch (which.kind) {
    case 'all':
      return which.tab === undefined || tabOf(record) === which.tab;
    case 'ids':
      return which.ids.includes(record.id);
    case 'service':
      return record.serviceId === which.serviceId;
    case 'batch':
      return record.batch === which.batch;
    case 'cause':
      return (
        record.serviceId === which.serviceId &&
        groupOf(record) === which.group &&
        causeOf(entry) === which.code
      );
  }
}
