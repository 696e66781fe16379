import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, startBench, until, type Bench } from '../../../test-support/main/transfers/bench.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { createMoving } from './moving.ts';

let bench: Bench;
let handlers: ReturnType<typeof createMoving>['handlers'];
beforeEach(async () => {
  bench = await startBench();
  handlers = createMoving({ ...bench, followFolders: async () => undefined }).handlers;
});
afterEach(() => bench.close());

const store = (identifier: string, known: Partial<ObjectRecord> = {}) =>
  bench.store(identifier, `bytes of ${identifier}`, { storedAtMs: 1, ...known });
const chosen = (...ids: number[]) => ({ kind: 'ids' as const, ids });
const inFolder = (folder: string) => ({ kind: 'folder' as const, folder });

test('moving into a folder keeps names, and leaves an object whose new name is taken', async () => {
  const a = await store('x/a.txt');
  const b = await store('y/b.txt');
  await store('z/b.txt');
  const there = await store('z/c.txt');
  const input = { selection: chosen(a, b, there), to: inFolder('z') };
  expect(await handlers['objects.planMove'](input)).toEqual({
    base: '',
    chosen: 3,
    count: 1,
    totalBytes: 16,
    rows: [{ id: a, identifier: 'x/a.txt', lengthBytes: 16, to: 'z/a.txt' }],
    taken: 1,
    leftOut: 1,
    error: null,
  });
  expect(await handlers['objects.move'](input)).toMatchObject({ count: 1, leftOut: 2, renamedId: null });
  await until(() => bench.rowOf('x/a.txt')).toMatchObject({ state: 'gone' });
  expect([...bench.server.objects.keys()].sort()).toEqual(['y/b.txt', 'z/a.txt', 'z/b.txt', 'z/c.txt']);
});

test('asks the service whether the new name of one object is taken', async () => {
  const a = await store('x/a.txt');
  bench.server.objects.set('x/b.txt', { bytes: Buffer.from('of a stranger'), classification: null });
  const plan = (identifier: string) =>
    handlers['objects.planMove']({ selection: chosen(a), to: { kind: 'name', identifier } });
  expect(await plan('x/b.txt')).toMatchObject({ count: 0, taken: 1 });
  expect(await plan('x/c.txt')).toMatchObject({ count: 1, taken: 0 });
  expect(await plan('x/c.txt')).not.toHaveProperty('isUnchecked');
});

test('moves only one of two objects with the same name into a folder', async () => {
  const ids = [await store('x/a.txt'), await store('y/a.txt')];
  const plan = await handlers['objects.planMove']({ selection: chosen(...ids), to: inFolder('z/') });
  expect(plan).toMatchObject({ count: 1, taken: 1 });
});

test('the plan for several objects names their common folder', async () => {
  const ids = [await store('x/y/a.txt'), await store('x/yes/b.txt'), await store('x/y/deep/c.txt')];
  const baseOf = async (...of: number[]) =>
    (await handlers['objects.planMove']({ selection: chosen(...of), to: inFolder('') })).base;
  expect(await baseOf(...ids)).toBe('x/');
  expect(await baseOf(ids[0] ?? 0, ids[2] ?? 0)).toBe('x/y/');
  expect(await baseOf(ids[1] ?? 0)).toBe('x/yes/b.txt');
});

test('everything in a folder keeps its relative path', async () => {
  const ids = [await store('x/a.txt'), await store('x/deep/b.txt')];
  const to = { kind: 'beginning', from: 'x/', to: 'new/name/' } as const;
  const { rows } = await handlers['objects.planMove']({ selection: chosen(...ids), to });
  expect(rows.map((row) => row.to)).toEqual(['new/name/a.txt', 'new/name/deep/b.txt']);
});

test('the top has no separator before the name', async () => {
  const a = await store('x/a.txt');
  const { rows } = await handlers['objects.planMove']({ selection: chosen(a), to: inFolder('') });
  expect(rows.map(({ to }) => to)).toEqual(['a.txt']);
});

test('all versions of an object get the new name', async () => {
  await store('report.txt');
  const newest = await store('report@2.txt');
  const to = { kind: 'name', identifier: 'minutes.txt' } as const;
  const plan = await handlers['objects.planMove']({ selection: chosen(newest), to });
  expect(plan).toMatchObject({ base: 'report.txt', chosen: 1, count: 2 });
  expect(plan.rows.map((row) => row.to)).toEqual(['minutes.txt', 'minutes@2.txt']);
  const { renamedId } = await handlers['objects.move']({ selection: chosen(newest), to });
  expect(renamedId).toBe((await bench.rowOf('minutes@2.txt'))?.id);
});

test('refuses an invalid identifier and moves nothing', async () => {
  const a = await store('a.txt');
  const input = { selection: chosen(a), to: { kind: 'name', identifier: '' } } as const;
  expect((await handlers['objects.planMove'](input)).error).toMatchObject({ code: 'badIdentifier' });
  await expect(handlers['objects.move'](input)).rejects.toMatchObject({ error: { code: 'badIdentifier' } });
  expect(await bench.all()).toEqual([]);
});

test('leaves objects of unknown classification, files in parts, and objects that are not stored', async () => {
  const added = await store('added.txt', { storedAtMs: null, classification: null });
  const missing = await store('missing.txt', { state: 'missing' });
  const parts = await store('large.bin', {
    parts: { count: 2, manifestBytes: 900, manifestSha256: 'a'.repeat(64) },
  });
  const plan = await handlers['objects.planMove']({
    selection: chosen(missing, parts, added),
    to: inFolder('z'),
  });
  expect(plan).toMatchObject({ count: 0, leftOut: 3 });
});

test('folders that are chosen move with what is in them, beside objects', async () => {
  const inside = [await store('x/y/a.txt'), await store('x/y/deep/b.txt'), await store('x/z/c.txt')];
  const alone = await store('x/other/d.txt');
  const selection = {
    kind: 'folders' as const,
    serviceId,
    paths: ['x/y', 'x/y/deep', 'x/z'],
    and: chosen(alone),
  };
  const plan = await handlers['objects.planMove']({ selection, to: inFolder('new') });
  expect(plan).toMatchObject({ base: 'x/', chosen: 4, count: 4 });
  expect(new Map(plan.rows.map(({ id, to }) => [id, to]))).toEqual(
    new Map([
      [inside[0], 'new/y/a.txt'],
      [inside[1], 'new/y/deep/b.txt'],
      [inside[2], 'new/z/c.txt'],
      [alone, 'new/d.txt'],
    ]),
  );
  const one = { ...selection, paths: ['x/z'], and: null };
  expect(await handlers['objects.planMove']({ selection: one, to: inFolder('') })).toMatchObject({
    base: 'x/',
    rows: [{ to: 'z/c.txt' }],
  });
});

test('moves nothing if one of the names is taken at the service, and says so until another is chosen', async () => {
  const ids = [await store('x/a.txt'), await store('x/b.txt')];
  bench.server.objects.set('z/b.txt', { bytes: Buffer.from('of a stranger'), classification: null });
  const input = { selection: chosen(...ids), to: inFolder('z') };
  expect(await handlers['objects.move']({ ...input, ifFree: true })).toMatchObject({ count: 0, taken: 1 });
  expect(await bench.all()).toEqual([]);
  // The list has not heard of it.
  expect(await handlers['objects.planMove'](input)).toMatchObject({ count: 1, taken: 1 });
  const free = { selection: chosen(...ids), to: inFolder('free'), ifFree: true } as const;
  expect(await handlers['objects.move'](free)).toMatchObject({ count: 2, taken: 0 });
});

test('a move that is undone cancels what waits and moves back what has moved', async () => {
  const ids = [await store('x/a.txt'), await store('x/b.txt')];
  const { transferIds } = await handlers['objects.move']({ selection: chosen(...ids), to: inFolder('z') });
  await until(() => bench.rowOf('x/a.txt')).toMatchObject({ state: 'gone' });
  await until(() => bench.rowOf('x/b.txt')).toMatchObject({ state: 'gone' });
  expect(await handlers['objects.undoMove']({ transferIds })).toEqual({
    leftOut: 0,
    transferIds: [expect.any(Number), expect.any(Number)],
  });
  await until(() => bench.rowOf('x/a.txt')).toMatchObject({ state: 'stored' });
  await until(() => bench.rowOf('z/b.txt')).toMatchObject({ state: 'gone' });
  await bench.settled();

  await bench.engine.actions.pause('all', true);
  const again = await handlers['objects.move']({ selection: chosen(...ids), to: inFolder('z') });
  expect(await handlers['objects.undoMove']({ transferIds: again.transferIds })).toEqual({
    leftOut: 0,
    transferIds: [],
  });
  await bench.engine.actions.pause('all', false);
  await bench.settled();
  expect([...bench.server.objects.keys()].toSorted()).toEqual(['x/a.txt', 'x/b.txt']);
});
