import { deepEqual, ok } from 'node:assert/strict';
import { isFinished } from '../../../../src/main/transfers/model/record.ts';
import type { State } from '../../../../src/main/transfers/model/state.ts';
import type { TransferEdit, Which } from '../../../../src/main/transfers/model/store-types.ts';
import type { Effect } from './effects.ts';
import { isIdle, matches, rowNamed, rowOf, type Entry, type Snapshot } from './snapshot.ts';

/** What ended without success, and may be begun again or removed; what a person cancelled only by its id. */
export function inVain({ entries }: Snapshot, which: Which): Entry[] {
  return entries.filter((entry) => {
    const { state, kind, direction } = entry.record;
    const isOver = state.name === 'failed' || state.name === 'lost';
    const isNamed = which.kind === 'ids' && state.name === 'cancelled';
    const is = (isOver || isNamed) && kind === 'data' && direction !== 'delete';
    return is && !isIdle(entry) && matches(which, entry);
  });
}

/** Only the row that was added for an upload which has stored nothing goes with it. */
export function dropEffect(before: Snapshot, after: Snapshot, which: Which): Effect {
  const gone = inVain(before, which);
  const rows = gone.flatMap(({ record }) => {
    const row = rowOf(before, record);
    if (!row || rowOf(after, record)) return [];
    const { work } = record;
    deepEqual([row.state, row.writer, row.note], ['failed', null, '']);
    ok(work.kind === 'upload' && work.addedRow);
    return [[row.id, null] as const];
  });
  return { gone: new Set(gone.map(({ record }) => record.id)), rows: new Map(rows) };
}

const fresh = {
  state: { name: 'waiting' },
  tries: 0,
  trouble: null,
  nextAtMs: null,
  isPaused: false,
  activityToken: null,
  finishedAtMs: null,
} as const;

function mayHaveArrived(state: State): boolean {
  if (state.name === 'lost') return true;
  return state.name === 'failed' && state.error.code === 'connectionLost' && state.error.outcomeUnknown;
}

/**
 * Records that begin again wait as if they were new, behind all others, at the present origins. Each upload has the row of its
 * identifier. Only for another origin, or another identifier, is it forgotten that something may be stored.
 */
export function checkRestarted(
  before: Snapshot,
  after: Snapshot,
  again: readonly Entry[],
  origins: ReadonlyMap<string, string>,
  edit: TransferEdit = {},
): Effect {
  const ids = new Set(again.map(({ record }) => record.id));
  const open = after.entries.filter(({ record }) => !isFinished(record));
  const keysOf = (isAgain: boolean) =>
    open.flatMap(({ record: { id, orderKey } }) => (ids.has(id) === isAgain ? [orderKey] : []));
  ok(Math.min(...keysOf(true)) > Math.max(...keysOf(false)));
  for (const { record } of again) {
    const now = after.entries.find((entry) => entry.record.id === record.id)?.record;
    ok(now);
    const origin = origins.get(record.serviceId) ?? record.origin;
    const { identifier = record.identifier } = edit;
    const { incarnation: _, ...rest } = now;
    const { incarnation: __, ...was } = record;
    const { work, orderKey, objectId, totalBytes } = rest;
    const kept = { work, orderKey, objectId, totalBytes };
    deepEqual(rest, { ...was, ...fresh, ...kept, origin, identifier });
    const isElsewhere = origin !== record.origin;
    if (record.work.kind === 'download') {
      deepEqual(work, isElsewhere ? { ...record.work, isMoved: true } : record.work);
      deepEqual(totalBytes, isElsewhere ? null : record.totalBytes);
    }
    if (work.kind !== 'upload' || record.work.kind !== 'upload') continue;
    const mayBeThere =
      !isElsewhere &&
      identifier === record.identifier &&
      (record.work.mayBeThere || mayHaveArrived(record.state));
    deepEqual([work.mayBeThere, totalBytes], [mayBeThere, edit.file?.sizeBytes ?? record.totalBytes]);
    const row = rowNamed(after, now, identifier);
    deepEqual(row?.id, objectId);
    const former = rowNamed(before, now, identifier);
    if (row?.writer === record.id) deepEqual([row.state, row.lengthBytes], ['uploading', totalBytes]);
    else deepEqual([work.addedRow, row?.state === 'failed' && row.id === record.objectId], [false, false]);
    // A row that says something of an object is left to it.
    if (former && former.state !== 'failed' && row?.writer !== record.id) deepEqual(row, former);
    deepEqual(work.addedRow && former !== undefined && !record.work.addedRow, false);
  }
  return { any: [...ids] };
}
