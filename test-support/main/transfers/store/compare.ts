import { deepEqual } from 'node:assert/strict';
import { objectStateSchema } from '../../../../src/shared/domain/object.ts';
import { leftMs } from '../../../../src/main/clock.ts';
import { maxDelayMs } from '../../../../src/main/transfers/model/failure-policy.ts';
import type { TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type {
  StoredBatch,
  StoredGroup,
  TransferCounts,
} from '../../../../src/main/transfers/model/store-queries.ts';
import type { Tab } from '../../../../src/shared/domain/transfer.ts';
import { groups, serviceIds, tabs } from './commands.ts';
import { causeOf, groupOf, isWaiting, isWatched, tabOf, type Entry } from './model-entry.ts';
import { idsOf, type Pair } from './pair.ts';

/** What the window shows must match at once, a bulk change once it has been applied to each record. */
export async function check(pair: Pair): Promise<void> {
  const { store } = pair;
  await checkCounts(pair);
  await checkPages(pair, ['waiting', 'running', 'needsYou']);
  await store.settled();
  await checkPages(pair, groups);
  await checkBatches(pair);
  await checkRows(pair);
  await checkRecords(pair);
}

async function checkCounts(pair: Pair): Promise<void> {
  const { model, store } = pair;
  const counts = await store.counts();
  const sums: TransferCounts[] = [];
  for (const entry of model.entries) {
    const { record } = entry;
    const { serviceId, direction, state } = record;
    const asksForWatched = state.name === 'asking' && isWatched(record);
    const isPaused = isWaiting(entry) && record.isPaused;
    const isAlone = record.batch === undefined;
    const kind = { serviceId, tab: tabOf(record), direction, state: state.name };
    const key = { ...kind, asksForWatched, isPaused, isAlone };
    const found = sums.find((sum) => isLike(sum, key));
    const sum = {
      ...key,
      count: (found?.count ?? 0) + 1,
      totalBytes: (found?.totalBytes ?? 0) + (record.totalBytes ?? 0),
    };
    if (found) Object.assign(found, sum);
    else sums.push(sum);
  }
  const order = (all: readonly TransferCounts[]) =>
    all.map((each) => JSON.stringify(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
  deepEqual(order(counts), order(sums));
  for (const id of serviceIds) {
    const open = model.entries.filter(
      ({ record }) => record.serviceId === id && record.finishedAtMs === null,
    );
    deepEqual(await store.unfinished(id), open.length);
  }
  const causes = (await store.causes()).map(({ serviceId, tab, group, code, count }) =>
    JSON.stringify({ serviceId, tab, group, code, count }),
  );
  deepEqual(causes.sort(), causesOf(pair));
}

function causesOf({ model }: Pair): string[] {
  const causes = model.entries.flatMap((entry) => {
    const code = causeOf(entry);
    const tab = tabOf(entry.record);
    if (code === null || tab === 'none') return [];
    return { serviceId: entry.record.serviceId, tab, group: groupOf(entry.record), code };
  });
  const byText = Map.groupBy(causes, (cause) => JSON.stringify(cause));
  return [...byText.values()].map((same) => JSON.stringify({ ...same[0], count: same.length })).sort();
}

async function checkPages(pair: Pair, which: readonly StoredGroup[]): Promise<void> {
  const { model } = pair;
  for (const tab of tabs) {
    for (const group of which) {
      const all = model.page(tab, group);
      deepEqual(await page(pair, tab, group, {}), { total: all.length, ids: idsOf(all) });
      deepEqual((await page(pair, tab, group, { offset: 1, limit: 2 })).ids, idsOf(all.slice(1, 3)));
      const some = all.filter(
        ({ identifier: name, id }) => name.toLowerCase().includes('%_') && id % 3 !== 0,
      );
      const exceptIds = idsOf(model.entries.map(({ record }) => record).filter(({ id }) => id % 3 === 0));
      deepEqual(await page(pair, tab, group, { filter: '%_', exceptIds }), {
        total: some.length,
        ids: idsOf(some),
      });
    }
  }
}

async function page(
  pair: Pair,
  tab: Tab,
  group: StoredGroup,
  options: object,
): Promise<{ total: number; ids: number[] }> {
  const { store } = pair;
  const plain = { tab, groups: [{ group }], offset: 0, limit: 1000, filter: '', exceptIds: [] };
  const [found] = await store.page({ ...plain, ...options });
  return { total: found?.total ?? 0, ids: idsOf(found?.records ?? []) };
}

async function checkRows(pair: Pair): Promise<void> {
  const { model } = pair;
  const found = pair.opened.db
    .prepare('SELECT id, state, length_bytes, sha256, writer FROM object ORDER BY id')
    .all()
    .map((row) => ({ ...row }));
  const expected = model.rows.all
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, state: name, lengthBytes, sha256, writer }) => {
      const state = objectStateSchema.options.indexOf(name);
      return { id, state, length_bytes: lengthBytes, sha256, writer };
    });
  deepEqual(found, expected);
}

async function checkRecords(pair: Pair): Promise<void> {
  const { model, store } = pair;
  const expected = model.entries.map(({ record }) => shown(pair, record));
  const found = await store.getMany(expected.map(({ id }) => id));
  deepEqual(
    // Incarnations are random; `incarnations.test.ts` checks them.
    found.map((record) => {
      const { incarnation: _, ...rest } = record;
      return { ...rest, orderKey: 0 };
    }),
    expected.map((record) => ({ ...record, orderKey: 0 })),
  );
  const claimed = model.entries.filter((entry) => entry.claimed).map(({ record }) => record.id);
  deepEqual(
    idsOf(await store.interrupted()),
    claimed.sort((a, b) => a - b),
  );
  const waits = model.entries.filter(
    ({ record, claimed: isClaimed }) => !isClaimed && record.state.name === 'waiting',
  );
  const dues = waits.filter(({ record }) => !record.isPaused).flatMap(({ record }) => record.nextAtMs ?? []);
  const lefts = dues.map((atMs) => leftMs(atMs, model.nowMs, maxDelayMs));
  deepEqual(await store.nextDueMs(), dues.length === 0 ? null : model.nowMs + Math.min(...lefts));
  const asking = idsOf(
    expected.filter((record) => record.state.name === 'asking' && !isWatched(record)),
  ).sort((a, b) => a - b);
  deepEqual((await store.firstAsking(null))?.id, asking[0]);
  const objectIds = model.rows.all.map(({ id }) => id);
  const newest = objectIds.flatMap((objectId) => {
    const open = model.entries.filter(
      ({ record }) => record.objectId === objectId && record.finishedAtMs === null,
    );
    return open.length === 0 ? [] : Math.max(...open.map(({ record }) => record.id));
  });
  deepEqual(idsOf(await store.ofObjects(objectIds)), newest);
  for (const objectId of objectIds) {
    const failed = model.entries.filter(
      ({ record }) =>
        record.objectId === objectId &&
        record.direction !== 'delete' &&
        (record.state.name === 'failed' || record.state.name === 'lost') &&
        record.state.error !== null,
    );
    const last = failed
      .map(({ record }) => record.id)
      .toSorted((a, b) => a - b)
      .at(-1);
    deepEqual((await store.failedOf(objectId))?.id, last);
  }
}

function shown({ model }: Pair, record: TransferRecord): TransferRecord {
  return { ...record, objectId: model.rows.get(record.objectId)?.id ?? null };
}

function isLike(sum: TransferCounts, key: Omit<TransferCounts, 'count' | 'totalBytes'>): boolean {
  return (
    sum.serviceId === key.serviceId &&
    sum.tab === key.tab &&
    sum.direction === key.direction &&
    sum.state === key.state &&
    sum.asksForWatched === key.asksForWatched &&
    sum.isPaused === key.isPaused &&
    sum.isAlone === key.isAlone
  );
}

/** Compares the counters of batches, and their entries in the dock, with the records. */
async function checkBatches({ opened: { db }, model, store }: Pair): Promise<void> {
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
    const forgotten = model.forgotten.get(Number(id)) ?? { done: 0, cancelled: 0, doneBytes: 0 };
    const shownOf = (name: string) =>
      Number(numbers[name]) + (forgotten[name as keyof typeof forgotten] ?? 0);
    for (const name of Object.keys(numbers))
      deepEqual(batch?.[name as keyof StoredBatch], shownOf(name), name);
  }
  const isShown = ({ record }: Entry) => tabOf(record) === 'transfers';
  const alone = model.entries.filter((entry) => isShown(entry) && entry.record.batch === undefined);
  const failed = model.entries.filter((entry) => isShown(entry) && groupOf(entry.record) === 'needsYou');
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
    const below = model.entries.filter(
      ({ record }) => record.batch !== undefined && groupOf(record) !== 'needsYou',
    );
    const expected = [
      ...idsOf(failed.map(({ record }) => record)),
      ...idsOf(alone.map(({ record }) => record).filter((record) => groupOf(record) !== 'needsYou')),
      ...(opened.length > 0 ? idsOf(below.map(({ record }) => record)) : []),
    ];
    deepEqual(
      ids.toSorted((a, b) => a - b),
      expected.toSorted((a, b) => a - b),
    );
    deepEqual(
      rows.flatMap((row) => ('batch' in row ? [row.batch.id] : [])).sort((a, b) => a - b),
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
