import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const makeItems = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => bench.makeFile(`f${index}`, 'four')));
/** The dock's rows, by group, and its batches. */
async function dock(opened: number[] = []) {
  const page = await bench.engine.dock({ offset: 0, limit: 100, opened });
  const batches = page.rows.flatMap((row) => ('batch' in row ? [row.batch] : []));
  return { ...page, batches, only: batches[0] };
}
const posts = () => bench.server.requests.filter(({ method }) => method === 'POST').length;

test('ten transfers of one action are one row, nine have a row each', async () => {
  await bench.engine.actions.pause('all', true);
  await bench.upload(await makeItems(9));
  expect((await dock()).rows).toHaveLength(9);
  await bench.upload(await makeItems(10));
  const { rows, counts, entries, only } = await dock();
  expect(rows).toHaveLength(10);
  expect([counts.waiting, entries.waiting]).toEqual([10, 10]);
  expect(only).toMatchObject({
    action: 'upload',
    state: 'waiting',
    open: 10,
    next: { waitingFor: 'paused' },
    totalBytes: 40,
  });
  const opened = await dock([only?.id ?? 0]);
  expect([opened.counts.waiting, opened.entries.waiting, opened.rows.length]).toEqual([20, 10, 20]);
});

test('a batch moves while one of its transfers does, and ends with its failures counted', async () => {
  let isHeld = true;
  const items = await makeItems(12);
  bench.server.plan = ({ method, identifier }) => {
    if (method !== 'POST') return null;
    return identifier === items[7]?.identifier ? { status: 403 } : { holdRequest: () => !isHeld };
  };
  await bench.upload(items);
  await until(posts).toBe(4);
  const moving = await dock();
  expect([moving.counts.moving, moving.counts.waiting]).toEqual([1, 0]);
  expect(moving.only).toMatchObject({ state: 'moving', open: 12 });
  const opened = await dock([moving.only?.id ?? 0]);
  const states = opened.rows.flatMap((row) => ('transfer' in row ? [row.transfer.state] : []));
  expect(states.filter((state) => state === 'uploading')).toHaveLength(4);
  expect(states.filter((state) => state === 'waiting')).toHaveLength(8);
  isHeld = false;
  await bench.settled();
  const over = await dock();
  expect(over.only).toMatchObject({ state: 'done', open: 0, done: 11, failed: 1, next: null });
  expect(over.counts).toMatchObject({ needsYou: 1, moving: 0, waiting: 0, done: 1 });
});

test('a cancelled transfer that may have arrived counts as cancelled, and its batch as done', async () => {
  bench.server.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => false } : null);
  await bench.upload(await makeItems(12));
  await until(posts).toBe(4);
  const { only } = await dock();
  await bench.engine.actions.cancel({ kind: 'batch', batch: only?.id ?? 0 });
  await expect.poll(async () => (await dock()).counts).toMatchObject({ moving: 0, waiting: 0, done: 1 });
  expect((await dock()).only).toMatchObject({ state: 'done', open: 0, cancelled: 12, next: null });
});

test('transfers that an action leaves out do not count towards a batch', async () => {
  await bench.engine.actions.pause('all', true);
  const names = Array.from({ length: 12 }, (_, index) => `o${index}`);
  const known = (index: number) => ({ classification: index < 3 ? 'Internal' : 'Public' });
  const ids = await Promise.all(names.map((name, index) => bench.store(name, 'four', known(index))));
  await bench.engine.enqueue.reclassify(serviceId, ids, 'Internal');
  expect((await dock()).rows).toHaveLength(9);
  expect((await dock()).batches).toEqual([]);
  await bench.engine.enqueue.reclassify(serviceId, ids, 'Secret');
  expect((await dock()).only).toMatchObject({ action: 'reclassify', open: 12 });
});

test('a pause and a priority of a batch apply to transfers enqueued later', async () => {
  await bench.engine.actions.pause('all', true);
  const items = await makeItems(20);
  const { uploads } = bench.engine.enqueue;
  const pendingBatch = { count: 20 };
  await uploads(serviceId, items.slice(0, 10), 'direct', pendingBatch);
  const batch = (await dock()).only?.id ?? 0;
  await bench.engine.actions.pause({ batch }, true);
  await bench.engine.actions.setPriority({ batch, priority: 'now' });
  await uploads(serviceId, items.slice(10), 'direct', pendingBatch);
  expect((await dock()).only).toMatchObject({ open: 20, paused: 20 });
  const { rows } = await dock([batch]);
  const ofBatch = rows.flatMap((row) => ('transfer' in row ? [row.transfer.priority] : []));
  expect(ofBatch).toEqual(Array(20).fill('now'));
});
