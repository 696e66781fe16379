import { expect, it, vi } from 'vitest';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import { newUpload, serviceId } from '../../../../test-support/main/transfers/store/record-factory.ts';
import type { DockRow } from '../model/store-queries.ts';
import type { TransferStore } from '../model/store-types.ts';

const done = { name: 'done', outcome: null, savedPath: null } as const;
const failed = { name: 'failed', error: { code: 'forbidden', status: 403 } } as const;

async function open() {
  const opened = await openStores([serviceId], () => 7);
  const store = opened.stores.transfers;
  async function begin(names: readonly string[]): Promise<{ batch: number; ids: number[] }> {
    const batch = await store.newBatch();
    const added = await store.enqueue(serviceId, names.map(newUpload), { id: batch, action: 'upload' });
    return { batch, ids: added.map(({ id }) => id) };
  }
  return { ...opened, store, begin };
}

type Asked = Partial<Parameters<TransferStore['dockPage']>[0]>;
function sectionsOf(store: TransferStore, asked: Asked = {}) {
  return store.dockPage({
    offset: 0,
    limit: 100,
    exceptIds: [],
    before: { needsYou: 0, waiting: 0, done: 0 },
    moving: [],
    givenUp: new Map(),
    failing: [],
    opened: [],
    except: { needsYou: [], waiting: [] },
    ...asked,
  });
}

async function dock(store: TransferStore, asked: Asked = {}) {
  const sections = await sectionsOf(store, asked);
  const nameOf = (row: DockRow) =>
    'batch' in row ? `batch ${String(row.batch.id)}` : row.transfer.identifier;
  return Object.fromEntries(
    Object.entries(sections).map(([name, { rows }]) => [name, rows.map(nameOf)]),
  ) as Record<keyof typeof sections, string[]>;
}

it('a batch has one row, in the place of its first open or last ended transfer', async () => {
  using world = await open();
  const { store, begin } = world;
  await store.enqueue(serviceId, [newUpload('first')]);
  const { batch, ids } = await begin(['in/a', 'in/b', 'in/c']);
  await store.enqueue(serviceId, [newUpload('last')]);
  expect((await dock(store)).waiting).toEqual(['first', 'batch 1', 'last']);
  expect(await store.batch(batch)).toMatchObject({
    folder: 'in',
    open: 3,
    openBytes: 30,
    next: { id: ids[0] },
  });
  await store.reorder([ids[1] ?? 0], 'top');
  expect((await dock(store)).waiting).toEqual(['batch 1', 'first', 'last']);
  expect(await dock(store, { moving: [batch] })).toMatchObject({
    moving: ['batch 1'],
    waiting: ['first', 'last'],
  });
  expect(await dock(store, { givenUp: new Map([[batch, 2]]) })).toMatchObject({ done: [] });
  expect(await dock(store, { givenUp: new Map([[batch, 3]]) })).toMatchObject({
    waiting: ['first', 'last'],
    done: ['batch 1'],
  });
  expect((await dock(store, { opened: [batch] })).waiting).toEqual([
    'batch 1',
    'in/b',
    'in/a',
    'in/c',
    'first',
    'last',
  ]);
  expect((await dock(store, { opened: [batch], offset: 2, limit: 3 })).waiting).toEqual([
    'in/a',
    'in/c',
    'first',
  ]);
  const failing = [ids[0] ?? 0];
  expect((await dock(store, { opened: [batch], failing })).waiting).toEqual([
    'batch 1',
    'in/b',
    'in/c',
    'first',
    'last',
  ]);
  await store.apply([
    { id: ids[0] ?? 0, change: { state: done } },
    { id: ids[1] ?? 0, change: { state: failed } },
  ]);
  await store.cancel({ kind: 'batch', batch });
  expect(await dock(store, { opened: [batch] })).toEqual({
    needsYou: ['in/b'],
    moving: [],
    waiting: ['first', 'last'],
    done: ['batch 1', 'in/c', 'in/a'],
  });
  expect(await store.batch(batch)).toMatchObject({
    open: 0,
    failed: 1,
    done: 1,
    cancelled: 1,
    finishedAtMs: 7,
  });
  await store.clearBatch(batch);
  expect(await dock(store)).toMatchObject({ needsYou: ['in/b'], done: [] });
  await store.retry({ kind: 'batch', batch }, new Map());
  expect(await dock(store)).toMatchObject({ needsYou: [], waiting: ['first', 'last', 'batch 1'] });
});

it('a batch still counts transfers trimmed from the history, until a person clears it', async () => {
  using world = await open();
  const { batch, ids } = await world.begin(['in/a', 'in/b', 'in/c', 'in/d']);
  await world.store.apply(ids.slice(0, 3).map((id) => ({ id, change: { state: done } })));
  await world.store.trim(1, 0);
  world.reopen();
  const { transfers } = world.stores;
  expect(await transfers.batch(batch)).toMatchObject({ open: 1, done: 3, doneBytes: 30, listed: 1 });
  expect((await dock(transfers, { opened: [batch] })).waiting).toEqual(['batch 1', 'in/d', 'in/c']);
  await transfers.clearBatch(batch);
  expect(await transfers.batch(batch)).toMatchObject({ open: 1, done: 0, doneBytes: 0, listed: 0 });
});

it('retrying a batch reads each slice once, not the whole batch for each slice', async () => {
  using world = await open();
  const { store, begin, db } = world;
  const { batch, ids } = await begin(['a', 'b']);
  await store.apply(ids.map((id) => ({ id, change: { state: failed } })));
  const prepare = vi.spyOn(db, 'prepare');
  await store.retry({ kind: 'batch', batch }, new Map());
  const slices = prepare.mock.calls.flatMap(([sql]) =>
    sql.includes('t.batch = ?') && sql.includes('t.id > ?') ? [sql] : [],
  );
  prepare.mockRestore();
  const plans = slices.map((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).get()?.['detail']);
  expect(plans).toEqual(['SEARCH t USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']);
  expect(await store.batch(batch)).toMatchObject({ open: 2, failed: 0 });
});

it('an expanded batch that is still being cancelled has as many rows as its count', async () => {
  using world = await open();
  const { store, begin } = world;
  const count = 1200;
  const { batch } = await begin(Array.from({ length: count }, (_, n) => `in/${String(n)}`));
  await store.cancel({ kind: 'batch', batch });
  const ended = async () => (await sectionsOf(store, { limit: 2 * count, opened: [batch] })).done;
  const { total, rows } = await ended();
  expect(rows).toHaveLength(total);
  expect(rows[0]).toMatchObject({ batch: { cancelled: count, open: 0 } });
  await store.settled();
  expect((await ended()).rows).toHaveLength(count + 1);
});
