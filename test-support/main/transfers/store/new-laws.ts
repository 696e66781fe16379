import { deepEqual, ok } from 'node:assert/strict';
import { isFinished } from '../../../../src/main/transfers/model/record.ts';
import type { NewTransfer } from '../../../../src/main/transfers/model/store-types.ts';
import type { Effect } from './effects.ts';
import { rowNamed, type Snapshot } from './snapshot.ts';

/** Whether the list has one of the secrets, or they contain one twice. */
export function isSecretTaken(before: Snapshot, given: readonly NewTransfer[]): boolean {
  const secrets = given.filter(({ kind }) => kind === 'secret');
  const isThere = secrets.some((each) => {
    const row = rowNamed(before, each, each.identifier);
    return row && !['failed', 'missing', 'gone', 'unknown'].includes(row.state);
  });
  return isThere || new Set(secrets.map(({ identifier }) => identifier)).size < secrets.length;
}

/** New records wait as they were given, behind all others; uploads have the row of their identifier, which is added once. */
export function checkEnqueued(
  before: Snapshot,
  after: Snapshot,
  given: readonly NewTransfer[],
  added: readonly { readonly id: number; readonly objectId: number | null }[],
  batch: number | null,
): Effect {
  const ids = added.map(({ id }) => id);
  const open = before.entries.filter(({ record }) => !isFinished(record));
  let lastKey = Math.max(-Infinity, ...open.map(({ record }) => record.orderKey));
  const rows = new Set(before.rows.map(({ id }) => id));
  for (const [index, { newRow: _, work, ...transfer }] of given.entries()) {
    const entry = after.entries.find(({ record }) => record.id === ids[index]);
    ok(entry && !entry.claimed && entry.record.orderKey > lastKey);
    const { record } = entry;
    lastKey = record.orderKey;
    const { objectId, state } = record;
    deepEqual([state.name, record.batch ?? null, record.finishedAtMs], ['waiting', batch, null]);
    deepEqual(record, { ...record, ...transfer, objectId, work: record.work });
    deepEqual(objectId, added[index]?.objectId ?? null);
    if (!('addedRow' in record.work) || !('addedRow' in work)) continue;
    const row = rowNamed(after, transfer, transfer.identifier);
    deepEqual([row?.id, record.work.addedRow], [objectId, !rows.has(objectId ?? 0)]);
    deepEqual(record.work, { ...work, addedRow: record.work.addedRow });
    if (record.work.addedRow)
      deepEqual([row?.state, row?.lengthBytes, row?.writer], ['uploading', record.totalBytes, record.id]);
    rows.add(objectId ?? 0);
  }
  // Of the rows that were there, only those of secrets change.
  const changed = before.rows.filter(
    ({ kind, id }) => kind === 'data' && added.some((each) => each.objectId === id),
  );
  for (const row of changed)
    deepEqual(
      after.rows.find(({ id }) => id === row.id),
      row,
    );
  return { any: ids };
}

/** An upload that gets another identifier writes the row of that; null: it keeps what it had. */
export function checkTaken(
  before: Snapshot,
  after: Snapshot,
  id: number,
  identifier: string,
  taken: { readonly objectId: number } | null,
): Effect {
  const record = before.entries.find((entry) => entry.record.id === id)?.record;
  if (!record || isFinished(record) || !('addedRow' in record.work)) deepEqual(taken, null);
  if (!taken || !record) return {};
  const row = rowNamed(after, record, identifier);
  deepEqual([row?.id, row?.writer], [taken.objectId, id]);
  const hadIt = rowNamed(before, record, identifier)?.writer === id;
  deepEqual(hadIt || row?.state === 'uploading', true);
  const now = after.entries.find((entry) => entry.record.id === id)?.record;
  const { work } = now ?? record;
  const wasThere = before.rows.some(({ id: each }) => each === taken.objectId);
  if ('addedRow' in work && record.identifier !== identifier) deepEqual(work.addedRow, !wasThere);
  deepEqual(now, { ...record, identifier, objectId: taken.objectId, work });
  return { any: [id] };
}
