import { deepEqual } from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { leftMs } from '../../../../src/main/clock.ts';
import { maxDelayMs } from '../../../../src/main/transfers/model/failure-policy.ts';
import type {
  StoredBatch,
  StoredGroup,
  TransferCounts,
} from '../../../../src/main/transfers/model/store-queries.ts';
import type { TransferStore } from '../../../../src/main/transfers/model/store-types.ts';
import type { Tab } from '../../../../src/shared/domain/transfer.ts';
import { groups, serviceIds, tabs } from './commands.ts';
import {
  byNewest,
  byTurn,
  causeOf,
  groupOf,
  isWaiting,
  isWatched,
  tabOf,
  type Entry,
  type Snapshot,
} from './snapshot.ts';

/** By batch: what the history has dropped by itself. */
export type Tally = Map<number, { done: number; cancelled: number; doneBytes: number }>;

const ascending = (a: number, b: number) => a - b;
const idsOf = (entries: readonly Entry[]) => entries.map(({ record }) => record.id);

/** Counts and pages say what the records say, also while a bulk change is being applied to each of them. */
export async function checkAtOnce(store: TransferStore, now: Snapshot): Promise<void> {
  await checkCounts(store, now);
  await checkPages(store, now, ['waiting', 'running', 'needsYou']);
}

/** Everything that the store answers says what its records say. */
export async function checkViews(
  db: DatabaseSync,
  store: TransferStore,
  now: Snapshot,
  trimmed: Tally,
): Promise<void> {
  await checkCounts(store, now);
  await checkPages(store, now, groups);
  await checkBatches(db, store, now, trimmed);
  await checkLookUps(store, now);
}

async function checkCounts(store: TransferStore, { entries }: Snapshot): Promise<void> {
  const keyOf = (entry: Entry) => {
    const { record } = entry;
    const { serviceId, direction, state } = record;
    const asksForWatched = state.name === 'asking' && isWatched(record);
    const isPaused = isWaiting(entry) && record.isPaused;
    const kind = { serviceId, tab: tabOf(record), direction, state: state.name };
    return { ...kind, asksForWatched, isPaused, isAlone: record.batch === undefined };
  };
  const sums = [...Map.groupBy(entries, (entry) => JSON.stringify(keyOf(entry)))].map(([key, same]) => ({
    ...(JSON.parse(key) as Omit<TransferCounts, 'count' | 'totalBytes'>),
    count: same.length,
    totalBytes: same.reduce((sum, { record }) => sum + (record.totalBytes ?? 0), 0),
  }));
  const inOrder = (all: readonly object[]) =>
    all.map((each) => JSON.stringify(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
  deepEqual(inOrder(await store.counts()), inOrder(sums));
  for (const id of serviceIds) {
    const open = entries.filter(({ record }) => record.serviceId === id && record.finishedAtMs === null);
    deepEqual(await store.unfinished(id), open.length);
  }
  const held = entries.flatMap((entry) => {
    const [code, tab] = [causeOf(entry), tabOf(entry.record)];
    const { serviceId } = entry.record;
    return code === null || tab === 'none'
      ? []
      : [JSON.stringify({ serviceId, tab, group: groupOf(entry.record), code })];
  });
  const causes = (await store.causes()).flatMap(({ serviceId, tab, group, code, count }) =>
    Array.from({ length: count }, () => JSON.stringify({ serviceId, tab, group, code })),
  );
  deepEqual(causes.sort(), held.sort());
}

async function checkPages(
  store: TransferStore,
  { entries }: Snapshot,
  which: readonly StoredGroup[],
): Promise<void> {
  const exceptIds = idsOf(entries).filter((id) => id % 3 === 0);
  for (const tab of tabs) {
    for (const group of which) {
      const isOver = group === 'done' || group === 'needsYou';
      const all = entries
        .filter(({ record }) => tabOf(record) === tab && groupOf(record) === group)
        .sort(isOver ? byNewest : byTurn);
      deepEqual(await page(store, tab, group, {}), { total: all.length, ids: idsOf(all) });
      deepEqual((await page(store, tab, group, { offset: 1, limit: 2 })).ids, idsOf(all.slice(1, 3)));
      const some = all.filter(
        ({ record: { id, identifier } }) =>
          identifier.toLowerCase().includes('%_') && !exceptIds.includes(id),
      );
      const found = { total: some.length, ids: idsOf(some) };
      deepEqual(await page(store, tab, group, { filter: '%_', exceptIds }), found);
    }
  }
}

async function page(store: TransferStore, tab: Tab, group: StoredGroup, options: object) {
  const plain = { tab, groups: [{ group }], offset: 0, limit: 1000, filter: '', exceptIds: [] };
  const [found] = await store.page({ ...plain, ...options });
  return { total: found?.total ?? 0, ids: (found?.records ?? []).map(({ id }) => id) };
}

async function checkLookUps(store: TransferStore, { nowMs, entries, rows }: Snapshot): Promise<void> {
  const dues = entries.flatMap((entry) =>
    isWaiting(entry) && !entry.record.isPaused ? (entry.record.nextAtMs ?? []) : [],
  );
  const lefts = dues.map((atMs) => leftMs(atMs, nowMs, maxDelayMs));
  deepEqual(await store.nextDueMs(), dues.length === 0 ? null : nowMs + Math.min(...lefts));
  const asking = entries.find(({ record }) => record.state.name === 'asking' && !isWatched(record));
  deepEqual((await store.firstAsking(null))?.id, asking?.record.id);
  const objectIds = rows.map(({ id }) => id);
  const of = (objectId: number) => entries.map(({ record }) => record).filter((r) => r.objectId === objectId);
  const newest = objectIds.flatMap(
    (id) => of(id).findLast(({ finishedAtMs }) => finishedAtMs === null)?.id ?? [],
  );
  deepEqual(
    (await store.ofObjects(objectIds)).map(({ id }) => id),
    newest,
  );
  for (const id of objectIds) {
    const failed = of(id).findLast(
      ({ direction, state }) =>
        direction !== 'delete' && (state.name === 'failed' || state.name === 'lost') && state.error !== null,
    );
    deepEqual((await store.failedOf(id))?.id, failed?.id);
  }
}

/** The counters of batches, and their entries in the dock, say what the records say. */
async function checkBatches(
  db: DatabaseSync,
  store: TransferStore,
  { entries }: Snapshot,
  trimmed: Tally,
): Promise<void> {
  const counted = db
    .prepare(
      `SELECT batch AS id, total(grp < 2) AS open, total(turn IS 2) AS paused, total(state = 1) AS asking,
         total(state IN (11, 12)) AS failed, total(state = 10) AS done, total(state = 13) AS cancelled,
         total(iif(grp < 2, total_bytes, 0)) AS openBytes, total(iif(state = 10, total_bytes, 0)) AS doneBytes
       FROM transfer WHERE batch IS NOT NULL GROUP BY batch`,
    )
    .all();
  const batchIds = db.prepare('SELECT id FROM batch ORDER BY id').all();
  deepEqual(
    batchIds.map(({ id }) => id),
    counted.map(({ id }) => id),
  );
  for (const { id, ...numbers } of counted) {
    const batch = await store.batch(Number(id));
    const dropped = trimmed.get(Number(id)) ?? { done: 0, cancelled: 0, doneBytes: 0 };
    const shownOf = (name: string) => Number(numbers[name]) + (dropped[name as keyof typeof dropped] ?? 0);
    for (const name of Object.keys(numbers))
      deepEqual(batch?.[name as keyof StoredBatch], shownOf(name), name);
  }
  const isShown = ({ record }: Entry) => tabOf(record) === 'transfers';
  const alone = entries.filter((entry) => isShown(entry) && entry.record.batch === undefined);
  const failed = entries.filter((entry) => isShown(entry) && groupOf(entry.record) === 'needsYou');
  const batches = counted.filter(
    (each) => Number(each['open']) + Number(each['done']) + Number(each['cancelled']) > 0,
  );
  const moving = batches.flatMap(({ id }) => (Number(id) % 3 === 0 ? [Number(id)] : []));
  for (const opened of [[], counted.map(({ id }) => Number(id))]) {
    const asked = {
      limit: 500,
      exceptIds: [],
      before: { needsYou: 0, waiting: 0, done: 0 },
      moving,
      givenUp: new Map<number, number>(),
      failing: [],
      opened,
      except: { needsYou: [], waiting: [] },
    };
    const whole = await store.dockPage({ ...asked, offset: 0 });
    const rows = Object.values(whole).flatMap((section) => section.rows);
    for (const section of Object.values(whole)) deepEqual(section.rows.length, section.total);
    const ids = rows.flatMap((row) => ('transfer' in row ? [row.transfer.id] : []));
    const below = entries.filter(
      ({ record }) => record.batch !== undefined && groupOf(record) !== 'needsYou',
    );
    const expected = [
      ...idsOf(failed),
      ...idsOf(alone.filter(({ record }) => groupOf(record) !== 'needsYou')),
      ...(opened.length > 0 ? idsOf(below) : []),
    ];
    deepEqual(ids.toSorted(ascending), expected.toSorted(ascending));
    deepEqual(
      rows.flatMap((row) => ('batch' in row ? [row.batch.id] : [])).sort(ascending),
      batches.map(({ id }) => Number(id)),
    );
    const pages = [];
    for (let offset = 0; offset < rows.length; offset += 3) {
      const part = await store.dockPage({ ...asked, offset, limit: 3 });
      pages.push(...Object.values(part).flatMap((section) => section.rows));
    }
    deepEqual(pages, rows);
  }
}
