import { deepEqual, ok } from 'node:assert/strict';
import type { Answer } from '../../../../src/shared/domain/service.ts';
import type { Priority, Tab } from '../../../../src/shared/domain/transfer.ts';
import { leftMs } from '../../../../src/main/clock.ts';
import { maxDelayMs } from '../../../../src/main/transfers/model/failure-policy.ts';
import { isFinished, isSmall, type TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type { StoredGroup } from '../../../../src/main/transfers/model/store-queries.ts';
import type { ClaimWish, Which } from '../../../../src/main/transfers/model/store-types.ts';
import type { Transition } from '../../../../src/main/transfers/model/transition.ts';
import type { Effect } from './effects.ts';
import {
  byNewest,
  byTurn,
  groupOf,
  isIdle,
  isWaiting,
  isWatched,
  matches,
  rowNamed,
  rowOf,
  tabOf,
  type Entry,
  type Row,
  type Snapshot,
} from './snapshot.ts';

const meant = ({ entries }: Snapshot, which: Which, is: (entry: Entry) => boolean) =>
  entries.filter((entry) => is(entry) && matches(which, entry));

function patchAll(entries: readonly Entry[], patch: Partial<TransferRecord>): Effect {
  return { records: new Map(entries.map(({ record }) => [record.id, patch])) };
}

export function pauseEffect(before: Snapshot, which: Which, isPaused: boolean): Effect {
  return patchAll(meant(before, which, isWaiting), { isPaused });
}

export function retryNowEffect(before: Snapshot, which: Which): Effect {
  const waiting = meant(before, which, isWaiting);
  return patchAll(
    waiting.filter(({ record }) => !record.isPaused),
    { nextAtMs: null },
  );
}

export function priorityEffect(before: Snapshot, which: Which, priority: Priority): Effect {
  return patchAll(meant(before, which, isIdle), { priority });
}

export function answerEffect(
  { entries }: Snapshot,
  serviceId: string,
  ids: readonly number[] | 'all' | 'allWatched',
  answer: Answer,
): Effect {
  const records = entries.flatMap((entry): [number, Partial<TransferRecord>][] => {
    const { record } = entry;
    const { work } = record;
    if (!isIdle(entry) || record.serviceId !== serviceId || work.kind !== 'upload') return [];
    const asks = record.state.name === 'asking';
    const isMeant =
      typeof ids === 'string'
        ? isWatched(record) === (ids === 'allWatched') && (asks || work.ifExists === 'ask')
        : asks && ids.includes(record.id);
    return isMeant ? [[record.id, { work: { ...work, ifExists: answer }, state: { name: 'waiting' } }]] : [];
  });
  return { records: new Map(records) };
}

export function cancelEffect(before: Snapshot, after: Snapshot, which: Which): Effect {
  const idle = meant(before, which, isIdle);
  const cancelled = { state: { name: 'cancelled' }, isPaused: false, trouble: null, nextAtMs: null } as const;
  return {
    ...patchAll(idle, { ...cancelled, finishedAtMs: before.nowMs }),
    rows: rowsOfEnded(before, after, idle),
  };
}

export function removeServiceEffect(before: Snapshot, after: Snapshot, serviceId: string): Effect {
  const own = before.entries.filter(({ record }) => record.serviceId === serviceId);
  return {
    gone: new Set(own.map(({ record }) => record.id)),
    rows: rowsOfEnded(before, after, own),
  };
}

/** Rows that ended records were writing: free, never said to be in work, and still there if something may be stored. */
function rowsOfEnded(before: Snapshot, after: Snapshot, ended: readonly Entry[]) {
  const rows = ended.flatMap(({ record, claimed }): (readonly [number, Partial<Row> | null])[] => {
    const row = rowOf(before, record);
    if (row?.writer !== record.id) return [];
    const now = rowOf(after, record);
    const { work } = record;
    const mayBeThere = claimed || (work.kind === 'upload' && work.mayBeThere);
    const isInWork = row.state === 'uploading' || (claimed && row.state === 'deleting');
    if (mayBeThere) return [[row.id, { writer: null, ...(isInWork && { state: 'unknown' }) }]];
    const isOnlyIts = 'addedRow' in work && work.addedRow && row.state === 'uploading' && row.note === '';
    deepEqual(now === undefined, isOnlyIts);
    const isOpen = row.state === 'uploading' || row.state === 'unknown';
    return [[row.id, now ? { writer: null, ...(isOpen && { state: 'failed' }) } : null]];
  });
  return new Map(rows);
}

export function clearEffect({ entries }: Snapshot, isMeant: (record: TransferRecord) => boolean): Effect {
  const over = entries.map(({ record }) => record).filter((record) => isFinished(record) && isMeant(record));
  return { gone: new Set(over.map(({ id }) => id)) };
}

export function isListed(tab: Tab, group: StoredGroup): (record: TransferRecord) => boolean {
  return (record) => tabOf(record) === tab && groupOf(record) === group;
}

/** The history of each tab keeps so many, and none that ended before that time. */
export function trimEffect({ entries }: Snapshot, most: number, beforeMs: number): Effect {
  const histories = Map.groupBy(
    entries.filter(
      ({ record }) =>
        groupOf(record) === 'done' || (tabOf(record) === 'none' && groupOf(record) === 'needsYou'),
    ),
    ({ record }) => `${tabOf(record)} ${groupOf(record)}`,
  );
  const gone = [...histories.values()].flatMap((history) => {
    const isYoung = ({ record }: Entry) => (record.finishedAtMs ?? 0) >= beforeMs;
    const kept = new Set(history.toSorted(byNewest).filter(isYoung).slice(0, most));
    return history.filter((entry) => !kept.has(entry)).map(({ record }) => record.id);
  });
  return { gone: new Set(gone) };
}

/** Those that are moved stand together, in the order given, before the target; the others keep their order. */
export function checkMove(
  before: Snapshot,
  after: Snapshot,
  ids: readonly number[],
  target: number | 'top' | null,
): Effect {
  const idle = before.entries.filter(isIdle).map(({ record }) => record);
  const moved = [...new Set(ids)].filter((id) => id !== target && idle.some((record) => record.id === id));
  if (moved.length === 0) return {};
  const inOrder = ({ entries }: Snapshot) =>
    entries
      .map(({ record }) => record)
      .filter((record) => ['waiting', 'running'].includes(groupOf(record)))
      .toSorted((a, b) => a.orderKey - b.orderKey);
  const others = inOrder(before).filter(({ id }) => !moved.includes(id));
  const key = target === null ? Infinity : (idle.find(({ id }) => id === target)?.orderKey ?? -Infinity);
  const above = others.filter(({ orderKey }) => orderKey < key).map(({ id }) => id);
  const below = others.filter(({ orderKey }) => orderKey >= key).map(({ id }) => id);
  const listed = inOrder(after).map(({ id }) => id);
  deepEqual(listed, [...above, ...moved.filter((id) => listed.includes(id)), ...below]);
  return { reordered: moved };
}

/** A record after a transition; the tests of row changes say what becomes of its row. */
export function transitionEffect(before: Snapshot, after: Snapshot, transition: Transition): Effect {
  const { id, change, keepsClaim = false } = transition;
  const entry = before.entries.find(({ record }) => record.id === id);
  if (!entry) return {};
  const record: TransferRecord = { ...entry.record, ...change };
  const isOver = isFinished(record);
  const { name } = record.state;
  const isQuiet = isOver || name === 'waiting' || name === 'asking';
  const isReleased = isQuiet && change.state !== undefined && !(name === 'waiting' && keepsClaim);
  const objectId = after.entries.find((each) => each.record.id === id)?.record.objectId ?? null;
  const isMovable = transition.row?.kind === 'stored' || transition.row?.kind === 'found';
  const finishedAtMs = isOver ? (record.finishedAtMs ?? before.nowMs) : null;
  const ended = isOver ? { nextAtMs: null, isPaused: false } : {};
  const row = rowOf(before, record);
  const letGo = isOver && row?.writer === id;
  const state = row?.state === 'uploading' || row?.state === 'deleting' ? 'unknown' : row?.state;
  return {
    records: new Map([[id, { ...change, finishedAtMs, ...ended, ...(isMovable && { objectId }) }]]),
    claimed: isQuiet ? [] : [id],
    released: isReleased ? [id] : [],
    ...(transition.row
      ? { anyRows: [entry.record.objectId, objectId] }
      : { rows: new Map(letGo && row ? [[row.id, { writer: null, ...(state && { state }) }]] : []) }),
  };
}

/** Records that were never started wait as before, and the rows that their deletions had taken are free again. */
export function unclaimEffect(before: Snapshot, after: Snapshot, ids: readonly number[]): Effect {
  const claimed = before.entries.filter((entry) => entry.claimed && ids.includes(entry.record.id));
  const deleting = claimed.flatMap(({ record }) => (record.state.name === 'deleting' ? [record] : []));
  const taken = before.rows.filter(({ writer }) => deleting.some(({ id }) => id === writer));
  for (const { id } of taken) {
    const row = rowOf(after, { objectId: id });
    ok(row?.writer === null && row.state !== 'deleting');
  }
  return {
    ...patchAll(claimed, { state: { name: 'waiting' } }),
    released: claimed.map(({ record }) => record.id),
    anyRows: taken.map(({ id }) => id),
  };
}

function queueKindOf(record: TransferRecord): ClaimWish['queue'] {
  if (record.direction === 'delete') return 'delete';
  if (record.route === 'deferred') return 'start';
  return isSmall(record) ? 'small' : 'large';
}

/** What may begin does so in its turn, as many as were asked for, unless another record has its identifier or its row is in use. */
export function checkClaim(
  before: Snapshot,
  after: Snapshot,
  wish: ClaimWish,
  taken: readonly number[],
): Effect {
  const { nowMs } = before;
  const due = before.entries.filter(
    (entry) =>
      isIdle(entry) &&
      entry.record.serviceId === wish.serviceId &&
      !entry.record.isPaused &&
      leftMs(entry.record.nextAtMs ?? nowMs, nowMs, maxDelayMs) === 0,
  );
  const ready = due
    .filter(isWaiting)
    .filter(({ record }) => record.origin === wish.origin && queueKindOf(record) === wish.queue)
    .filter(({ record }) => record.priority !== 'whenIdle' || wish.includesIdle)
    .toSorted(byTurn);
  const begun = ready.filter(({ record }) => taken.includes(record.id));
  deepEqual(
    taken,
    begun.map(({ record }) => record.id),
  );
  ok(taken.length <= wish.limit);
  const last = taken.length < wish.limit ? undefined : begun.at(-1);
  for (const { record } of last ? ready.slice(0, ready.indexOf(last)) : ready) {
    const isContested =
      record.direction === 'delete' ||
      rowNamed(before, record, record.identifier)?.state === 'deleting' ||
      before.entries.some(
        ({ record: other }) =>
          other.serviceId === record.serviceId &&
          other.identifier === record.identifier &&
          other.direction === 'delete' &&
          !isFinished(other),
      );
    ok(taken.includes(record.id) || isContested, `${String(record.id)} was passed over`);
  }
  for (const { record, claimed } of after.entries) {
    const { id, direction, route, state } = record;
    // There was nothing left to delete.
    if (taken.includes(id) && direction === 'delete' && state.name === 'failed') continue;
    const isDirect = taken.includes(id) && route === 'direct';
    if (isDirect)
      deepEqual(state.name, { upload: 'sending', download: 'receiving', delete: 'deleting' }[direction]);
    if (isDirect && direction === 'delete') deepEqual(rowOf(after, record)?.writer, id);
    if (taken.includes(id)) ok(claimed);
  }
  const untouched = due.filter((entry) => !ready.includes(entry));
  return { ...patchAll(untouched, { nextAtMs: null }), any: ready.map(({ record }) => record.id) };
}
