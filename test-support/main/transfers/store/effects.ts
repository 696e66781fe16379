import { deepEqual, ok } from 'node:assert/strict';
import { isFinished, type TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type { Entry, Row, Snapshot } from './snapshot.ts';

/** What a command may change; all else must stay. */
export interface Effect {
  readonly records?: ReadonlyMap<number, Partial<TransferRecord>>;
  readonly gone?: ReadonlySet<number>;
  readonly claimed?: readonly number[];
  readonly released?: readonly number[];
  /** Records that get another place in the queue. */
  readonly reordered?: readonly number[];
  /** null: the row is removed. */
  readonly rows?: ReadonlyMap<number, Partial<Row> | null>;
  /** Rows of which other tests say how they change. */
  readonly anyRows?: readonly (number | null)[];
  /** Records that may change in any way, or be added, and their rows with them. */
  readonly any?: readonly number[];
}

export function checkEffect(before: Snapshot, after: Snapshot, effect: Effect): void {
  const any = new Set(effect.any);
  const touched = [...before.entries, ...after.entries].filter(({ record }) => any.has(record.id));
  const anyRows = new Set([...(effect.anyRows ?? []), ...touched.map(({ record }) => record.objectId)]);
  const keptRows = before.rows.flatMap((row) => {
    const patch = effect.rows?.get(row.id);
    return patch === null || anyRows.has(row.id) ? [] : { ...row, ...patch };
  });
  deepEqual(
    after.rows.filter(({ id }) => !anyRows.has(id)),
    keptRows,
  );
  const there = new Set(after.rows.map(({ id }) => id));
  const reordered = new Set(effect.reordered);
  const comparable = ({ record, claimed }: Entry) => {
    // Incarnations are random; `incarnations.test.ts` checks them.
    const { incarnation: _, ...rest } = record;
    const objectId = there.has(rest.objectId ?? 0) ? rest.objectId : null;
    return { ...rest, objectId, orderKey: reordered.has(rest.id) ? 0 : rest.orderKey, claimed };
  };
  const expected = before.entries.flatMap((entry): Entry[] => {
    const { id } = entry.record;
    if (effect.gone?.has(id) || any.has(id)) return [];
    const record = { ...entry.record, ...effect.records?.get(id) };
    const isClaimed = entry.claimed || effect.claimed?.includes(id) === true;
    return [{ record, claimed: isClaimed && effect.released?.includes(id) !== true }];
  });
  const kept = after.entries.filter(({ record }) => !any.has(record.id));
  deepEqual(kept.map(comparable), expected.map(comparable));
}

/** What holds after each command. */
export function checkInvariants({ entries, rows }: Snapshot): void {
  for (const { record, claimed } of entries) {
    const { name } = record.state;
    deepEqual(record.finishedAtMs !== null, isFinished(record));
    if (isFinished(record)) deepEqual([record.nextAtMs, record.isPaused, claimed], [null, false, false]);
    else if (name !== 'waiting') deepEqual(claimed, name !== 'asking');
  }
  for (const { id, writer } of rows) {
    if (writer === null) continue;
    const owner = entries.find(({ record }) => record.id === writer)?.record;
    ok(owner && !isFinished(owner), `the writer of row ${String(id)} is not at work`);
    deepEqual(owner.objectId, id);
  }
}
