import type { SQLInputValue } from 'node:sqlite';
import type { ObjectState } from '../../../shared/domain/object.ts';
import { kindCode, kinds } from '../../objects/rows.ts';
import { failureOf, isFinished, sizeOf, storedTabOf, type TransferRecord } from '../model/record.ts';
import { groupOf, type State } from '../model/state.ts';
import type { QueueKind } from '../model/store-types.ts';
import { insertion } from '../../database/statements.ts';
import { pausedNow } from './bulk-conditions.ts';
import {
  directionCodes,
  groupCodes,
  queueCodes,
  priorityCodes,
  routeCodes,
  stateCodes,
  tabCodes,
  turnCodes,
} from './codes.ts';

/** A record with columns that only the store needs. */
export interface StoredTransfer {
  readonly record: TransferRecord;
  /** The number of its service. */
  readonly service: number;
  /** In work: no action on the database changes it. */
  readonly isClaimed: boolean;
  /** The newest bulk change that was applied to it or does not concern it. */
  readonly bulkChange: number;
  /** For a deletion that has taken its row: the row's former state. */
  readonly rowBefore: ObjectState | null;
}

/** The JSON column; defaults are left out. */
interface Body {
  readonly work: TransferRecord['work'];
  /** Only for states with a payload. */
  readonly state?: State;
  readonly tries?: number;
  readonly trouble?: TransferRecord['trouble'];
  readonly activityToken?: string;
  readonly incarnation?: string;
  readonly rowBefore?: ObjectState;
}

export const transferColumns = `t.id, (SELECT service_id FROM service WHERE service.id = t.service),
  (SELECT address FROM origin WHERE origin.id = t.origin), t.kind, t.route, t.direction, t.identifier,
  (SELECT object.id FROM object WHERE object.id = t.object), t.total_bytes, t.priority, t.order_key, ${pausedNow},
  t.state, t.next_at_ms, t.created_at_ms, t.finished_at_ms, t.body, t.service, t.claimed, t.sweep, t.batch`;

/** A row of `transferColumns`, read with `setReturnArrays`. */
export type TransferValues = [
  id: number,
  serviceId: string,
  origin: string,
  kind: number,
  route: number,
  direction: number,
  identifier: string,
  objectId: number | null,
  totalBytes: number | null,
  priority: number,
  orderKey: number,
  paused: number,
  state: number,
  nextAtMs: number | null,
  createdAtMs: number,
  finishedAtMs: number | null,
  body: string,
  service: number,
  claimed: number,
  bulkChange: number,
  batch: number | null,
];

/** Does not validate: only this code writes the database, which is checked when it is opened. */
export function toStored(values: TransferValues): StoredTransfer {
  const body = JSON.parse(values[16]) as Body;
  return {
    record: {
      id: values[0],
      serviceId: values[1],
      origin: values[2],
      kind: kinds[values[3]] ?? 'data',
      route: routeCodes.word(values[4]),
      direction: directionCodes.word(values[5]),
      identifier: values[6],
      objectId: values[7],
      totalBytes: values[8],
      priority: priorityCodes.word(values[9]),
      orderKey: values[10],
      isPaused: values[11] === 1,
      work: body.work,
      state: body.state ?? ({ name: stateCodes.word(values[12]) } as State),
      tries: body.tries ?? 0,
      trouble: body.trouble ?? null,
      nextAtMs: values[13],
      activityToken: body.activityToken ?? null,
      ...(body.incarnation !== undefined && { incarnation: body.incarnation }),
      createdAtMs: values[14],
      finishedAtMs: values[15],
      ...(values[20] !== null && { batch: values[20] }),
    },
    service: values[17],
    isClaimed: values[18] === 1,
    bulkChange: values[19],
    rowBefore: body.rowBefore ?? null,
  };
}

/** Columns that never change except for the origin, in the order of `inserted`; the rest is in `changingValues`. */
export function fixedValues({ record, service }: StoredTransfer, origin: number): SQLInputValue[] {
  const { id, kind, route, direction, createdAtMs, batch = null } = record;
  const tab = tabCodes.code(storedTabOf(record));
  const codes = [kindCode(kind), routeCodes.code(route), directionCodes.code(direction)];
  return [id, service, origin, ...codes, tab, createdAtMs, batch];
}

export const inserted = insertion(
  `INSERT INTO transfer (id, service, origin, kind, route, direction, tab, created_at_ms, batch, identifier,
    object, priority, order_key, paused, claimed, queue, turn, state, grp, next_at_ms, error, total_bytes,
    finished_at_ms, restores, sweep, body)`,
  26,
);

export const updateSql = `UPDATE transfer SET identifier = ?, object = ?, priority = ?, order_key = ?, paused = ?,
    claimed = ?, queue = ?, turn = ?, state = ?, grp = ?, next_at_ms = ?, error = ?, total_bytes = ?,
    finished_at_ms = ?, restores = ?, sweep = ?, body = ? WHERE id = ?`;
/** For a record that restarts at another origin. */
export const updateOriginSql = 'UPDATE transfer SET origin = ? WHERE id = ?';

export function changingValues(stored: StoredTransfer): SQLInputValue[] {
  const { record, isClaimed, bulkChange, rowBefore } = stored;
  const { work, state, tries, trouble, activityToken, incarnation } = record;
  const body: Body = {
    work,
    ...(Object.keys(state).length > 1 && { state }),
    ...(tries > 0 && { tries }),
    ...(trouble && { trouble }),
    ...(activityToken !== null && { activityToken }),
    ...(incarnation !== undefined && { incarnation }),
    ...(rowBefore && { rowBefore }),
  };
  const turn = turnOf(stored);
  return [
    record.identifier,
    record.objectId,
    priorityCodes.code(record.priority),
    record.orderKey,
    Number(record.isPaused),
    Number(isClaimed),
    queueCodes.code(queueKindOf(record)),
    turn === null ? null : turnCodes.code(turn),
    stateCodes.code(state.name),
    groupCodes.code(groupOf(state.name)),
    record.nextAtMs,
    causeOf(stored),
    record.totalBytes,
    record.finishedAtMs,
    (work.kind === 'upload' && work.kept?.file) || null,
    bulkChange,
    JSON.stringify(body),
  ];
}

function queueKindOf(record: TransferRecord): QueueKind {
  if (record.direction === 'delete') return 'delete';
  if (record.route === 'deferred') return 'start';
  return sizeOf(record);
}

/** null: in work or finished. */
export function turnOf({ record, isClaimed }: Pick<StoredTransfer, 'record' | 'isClaimed'>) {
  if (isClaimed || isFinished(record)) return null;
  if (record.state.name === 'asking') return 'answer';
  if (record.isPaused) return 'paused';
  return record.nextAtMs === null ? 'ready' : 'retry';
}

/** The cause it is counted under: the code of the error it waits for or failed with. */
export function causeOf({ record, isClaimed }: StoredTransfer): string | null {
  const waits = record.state.name === 'waiting' && !isClaimed;
  return (waits ? record.trouble : failureOf(record))?.code ?? null;
}

export function recordsOf(stored: readonly StoredTransfer[]): TransferRecord[] {
  return stored.map(({ record }) => record);
}
