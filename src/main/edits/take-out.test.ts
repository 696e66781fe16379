import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import {
  serviceId,
  startEditBench,
  textOf,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';
import { factBits } from '../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import * as fs from '../local-files/fs.ts';
import { createGrants } from '../local-files/grants.ts';
import { copySchema } from './edit-folders.ts';
import { createTakeOut } from './take-out.ts';

vi.mock(import('../local-files/fs.ts'), async (original) => {
  const real = await original();
  return { ...real, open: vi.fn<typeof real.open>(real.open) };
});

let bench: EditBench;
let dragged: readonly string[];
let copied: readonly string[];
let stepMs: number;
const grants = createGrants();
beforeEach(async () => {
  bench = await startEditBench();
  dragged = [];
  copied = [];
  stepMs = 0;
});
afterEach(() => bench.close());

let nowMs = 0;
const open = () =>
  createTakeOut({
    catalogue: bench.bench.catalogue,
    copies: bench.edits.copies,
    grants,
    desktop: {
      setDragFiles: (paths) => void (dragged = paths),
      checkFileClipboard: () => undefined,
      writeFilesToClipboard: async (paths) => void (copied = paths),
    },
    clock: { monotonicMs: () => (nowMs += stepMs) },
  }).handlers;

const prepare = (
  takeOut: ReturnType<typeof open>,
  selection: { kind: 'ids'; ids: number[] },
  count = selection.ids.length,
) => takeOut['takeOut.prepare']({ selection, count });

async function selectionOf(...identifiers: string[]): Promise<{ kind: 'ids'; ids: number[] }> {
  const rows = await Promise.all(identifiers.map((identifier) => bench.bench.rowOf(identifier)));
  return { kind: 'ids', ids: rows.map((row) => row?.id ?? 0) };
}
const downloads = () => bench.bench.server.requests.filter(({ method }) => method === 'GET').length;

test('fetches small objects once, under their names, readable only by this person', async () => {
  await bench.bench.store('reports/a.txt', 'one');
  await bench.bench.store('reports/b.txt', 'two');
  const selection = await selectionOf('reports/a.txt', 'reports/b.txt');
  const before = downloads();
  const takeOut = open();
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  expect(dragged.map((path) => path.split('/').at(-1))).toEqual(['a.txt', 'b.txt']);
  expect(await Promise.all(dragged.map(textOf))).toEqual(['one', 'two']);
  const [path = ''] = dragged;
  // Writable, unlike a copy opened for viewing.
  expect(modeOf(path)).toBe(modeHere(0o600));
  expect(modeOf(dirname(path))).toBe(modeHere(0o700));
  await prepare(takeOut, selection);
  expect(downloads() - before).toBe(2);
  expect(bench.opened).toEqual([]);
});

test('fetches an object again if its digest is only claimed', async () => {
  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  await prepare(open(), selection);
  const before = downloads();
  const { catalogue } = bench.bench;
  const getMany = catalogue.getMany.bind(catalogue);
  vi.spyOn(catalogue, 'getMany').mockImplementation(async (ids) =>
    (await getMany(ids)).map((row) => ({ ...row, unverified: factBits.digest })),
  );
  await prepare(open(), selection);
  expect(downloads() - before).toBe(1);
});

test('copies a local file with the same bytes instead of fetching, whatever its size', async () => {
  await bench.bench.store('large.bin', 'x'.repeat(3_000_000));
  const selection = await selectionOf('large.bin');
  const takeOut = open();
  const before = downloads();
  await expect(prepare(takeOut, selection)).rejects.toMatchObject({
    error: { code: 'notTakenOut', problem: 'largeToDrag' },
  });
  bench.local = () => Buffer.from('x'.repeat(3_000_000));
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  expect(await textOf(dragged[0] ?? '')).toBe('x'.repeat(3_000_000));
  expect(downloads()).toBe(before);
});

test('a large object that was copied as a file can be dragged', async () => {
  await bench.bench.store('large.bin', 'x'.repeat(3_000_000));
  const selection = await selectionOf('large.bin');
  const takeOut = open();
  expect(await takeOut['takeOut.copy']({ selection })).toEqual({ count: 1, isCopied: true });
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  expect(dragged).toEqual(copied);
});

test('gives another program no copy that a program has changed', async () => {
  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  const takeOut = open();
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  const [changed = ''] = dragged;
  writeFileSync(changed, 'theirs');
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  expect(dragged).not.toContain(changed);
  expect(await textOf(dragged[0] ?? '')).toBe('one');
  // The next start does not remove the changed copy.
  await bench.restart();
  await until(() => bench.left.length).toBe(1);
  expect(await textOf(changed)).toBe('theirs');
});

test('removes copies at the next start', async () => {
  await bench.bench.store('a.txt', 'one');
  const takeOut = open();
  await prepare(takeOut, await selectionOf('a.txt'));
  expect(await bench.files()).toHaveLength(1);
  await bench.restart();
  await until(() => bench.files()).toEqual([]);
  expect(bench.left).toEqual([]);
});

test('lets a copy made for playing be dragged, and removes it on cancel and at the next start', async () => {
  await bench.bench.store('film.mp4', 'x'.repeat(1_000_000));
  const selection = await selectionOf('film.mp4');
  const row = await bench.bench.rowOf('film.mp4');
  if (!row) throw new Error('not listed');
  const { engine, server } = bench.bench;
  const check = async () => bench.edits.copies.take(row, 'film.mp4', true, 'look');
  // The response stalls half-way.
  server.plan = () => ({ cutAnswerAtBytes: 500_000, cutBy: 'stall' });
  const asked = check();
  await until(downloads).toBe(1);
  const [given] = await Promise.allSettled([asked, engine.actions.cancel({ kind: 'all' })]);
  expect(given).toMatchObject({ reason: { error: { code: 'cancelled' } } });
  await until(() => bench.files()).toEqual([]);
  server.plan = () => null;
  const path = await check();
  const takeOut = open();
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  expect(dragged).toEqual([path]);
  await bench.restart();
  await until(() => bench.files()).toEqual([]);
});

test('refuses a selection that contains a secret', async () => {
  await bench.bench.store('a.txt', 'one');
  const [added] = await bench.bench.catalogue.add(serviceId, [
    { kind: 'secret', identifier: 'key', patch: {} },
  ]);
  const { ids } = await selectionOf('a.txt');
  const selection = { kind: 'ids' as const, ids: [...ids, added?.record.id ?? 0] };
  const before = bench.bench.server.requests.length;
  for (const name of ['takeOut.prepare', 'takeOut.copy'] as const)
    await expect(open()[name]({ selection, count: 1 })).rejects.toMatchObject({
      error: { code: 'notTakenOut', problem: 'secret' },
    });
  expect(bench.bench.server.requests).toHaveLength(before);
  expect(await bench.files()).toEqual([]);
});

test('reports an object that is gone, and fetches it once it is back', async () => {
  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  const stored = bench.bench.server.objects.get('a.txt');
  bench.bench.server.objects.delete('a.txt');
  const takeOut = open();
  await expect(prepare(takeOut, selection)).rejects.toMatchObject({
    error: { code: 'missing' },
  });
  expect(await bench.files()).toEqual([]);
  if (stored) bench.bench.server.objects.set('a.txt', stored);
});

test('recognises the files of its own drag', async () => {
  await bench.bench.store('a.txt', 'one');
  const takeOut = open();
  const selection = await selectionOf('a.txt');
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  const owns = (...paths: string[]) => takeOut['takeOut.owns']({ grants: grants.grant(paths) });
  expect(await owns(...dragged)).toEqual({ isOwn: true });
  expect(await owns('/home/max/a.txt')).toEqual({ isOwn: false });
  expect(await owns(...dragged, '/home/max/a.txt')).toEqual({ isOwn: false });
});

test('writes nothing if the objects to fetch are too large', async () => {
  await bench.bench.store('here.txt', 'one');
  await bench.bench.store('large.bin', 'x'.repeat(3_000_000));
  bench.local = (identifier) => (identifier === 'here.txt' ? Buffer.from('one') : null);
  const write = vi.spyOn(bench.bench.documents, 'write');
  await expect(prepare(open(), await selectionOf('here.txt', 'large.bin'))).rejects.toMatchObject({
    error: { problem: 'largeToDrag' },
  });
  expect(write).not.toHaveBeenCalled();
  expect(await bench.files()).toEqual([]);
});

test('records a copy before it writes it, and its digest once it is complete', async () => {
  await bench.bench.store('here.txt', 'one');
  bench.local = () => Buffer.from('one');
  const { documents } = bench.bench;
  const write = documents.write.bind(documents);
  const noted: { isComplete: boolean; files: number }[] = [];
  vi.spyOn(documents, 'write').mockImplementation(async (collection, changes) => {
    const [change] = changes;
    const isComplete = copySchema.parse(change?.value).sha256 !== null;
    noted.push({ isComplete, files: (await bench.files()).length });
    return write(collection, changes);
  });
  await prepare(open(), await selectionOf('here.txt'));
  expect(noted).toEqual([
    { isComplete: false, files: 0 },
    { isComplete: true, files: 1 },
  ]);
});

test('objects with the same file name get distinct names', async () => {
  const identifiers = ['2025/a.txt', '2026/A.txt', '2027/a.txt'];
  for (const identifier of identifiers) await bench.bench.store(identifier, identifier);
  const takeOut = open();
  const selection = await selectionOf(...identifiers);
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  expect(dragged.map((path) => path.split('/').at(-1))).toEqual(['a.txt', 'A (1).txt', 'a (2).txt']);
  expect(await Promise.all(dragged.map(textOf))).toEqual(identifiers);
});

test.each([
  ['paused', () => bench.bench.engine.actions.pause('all', true)],
  ['paused', () => bench.bench.engine.actions.pause({ serviceId }, true)],
  ['token', () => bench.bench.setToken(null)],
  ['token', () => bench.bench.setToken('another')],
] as const)('refuses instead of waiting: %s', async (problem, stop) => {
  await bench.bench.store('a.txt', 'one');
  await stop();
  const selection = await selectionOf('a.txt');
  for (const name of ['takeOut.prepare', 'takeOut.copy'] as const)
    await expect(open()[name]({ selection, count: 1 })).rejects.toMatchObject({
      error: { code: 'notTakenOut', problem },
    });
  expect(await bench.files()).toEqual([]);
  expect(await bench.bench.all()).toEqual([]);
});

test('every caller that waits for a copy gets the failure', async () => {
  await bench.bench.store('a.txt', 'one');
  bench.bench.server.objects.delete('a.txt');
  const selection = await selectionOf('a.txt');
  const takeOut = open();
  const both = await Promise.allSettled([
    prepare(takeOut, selection),
    takeOut['takeOut.copy']({ selection }),
  ]);
  expect(both).toMatchObject([
    { reason: { error: { code: 'missing' } } },
    { reason: { error: { code: 'missing' } } },
  ]);
});

test('hands out no copy that cannot be read back', async () => {
  await bench.bench.store('a.txt', 'one');
  const { engine } = bench.bench;
  const recordsOf = engine.recordsOf.bind(engine);
  vi.spyOn(engine, 'recordsOf').mockImplementation(async (ids) => {
    const records = await recordsOf(ids);
    const isDone = records[0]?.state.name === 'done';
    if (isDone) for (const name of await bench.files()) rmSync(join(bench.userData, name));
    return records;
  });
  await expect(prepare(open(), await selectionOf('a.txt'))).rejects.toMatchObject({
    error: { code: 'fileUnreadable', fileName: 'a.txt' },
  });
});

test('preparing another drag leaves an earlier one startable, and each is started once', async () => {
  await bench.bench.store('a.txt', 'one');
  await bench.bench.store('b.txt', 'two');
  const takeOut = open();
  const a = await prepare(takeOut, await selectionOf('a.txt'));
  const b = await prepare(takeOut, await selectionOf('b.txt'));
  await takeOut['takeOut.start'](a);
  expect(await Promise.all(dragged.map(textOf))).toEqual(['one']);
  await takeOut['takeOut.start'](b);
  await expect(async () => takeOut['takeOut.start'](b)).rejects.toMatchObject({
    error: { code: 'notFound' },
  });
});

test('refuses a drag if one of the objects is missing', async () => {
  await bench.bench.store('a.txt', 'one');
  const { ids } = await selectionOf('a.txt');
  await expect(prepare(open(), { kind: 'ids', ids: [...ids, 9_999] })).rejects.toMatchObject({
    error: { code: 'notFound' },
  });
});

test('leaves the clipboard alone after a long fetch, and copies at once the next time', async () => {
  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  const takeOut = open();
  stepMs = 6_000;
  expect(await takeOut['takeOut.copy']({ selection })).toEqual({ count: 1, isCopied: false });
  expect(copied).toEqual([]);
  stepMs = 0;
  expect(await takeOut['takeOut.copy']({ selection })).toEqual({ count: 1, isCopied: true });
  expect(await Promise.all(copied.map(textOf))).toEqual(['one']);
});

test('reads a copy once however many events report its end, and does not record one removed meanwhile', async () => {
  const real = vi.mocked(fs.open).getMockImplementation() ?? fs.open;
  let openings = 0;
  /** Holds only the next read. */
  const hold = () => (held = Promise.withResolvers<void>());
  let held: PromiseWithResolvers<void> | null = null;
  vi.mocked(fs.open).mockImplementation(async (...args) => {
    const [path, flags] = args;
    const writes = fs.constants.O_WRONLY | fs.constants.O_RDWR;
    const isRead =
      typeof flags === 'number' &&
      (flags & writes) === 0 &&
      String(path).startsWith(bench.userData) &&
      String(path).endsWith('.txt');
    if (isRead) {
      openings += 1;
      const first = held;
      held = null;
      await first?.promise;
    }
    return real(...args);
  });
  onTestFinished(() => void vi.mocked(fs.open).mockImplementation(real));
  /** Triggers a change event, which starts a check of every copy. */
  const tell = async () => {
    const { engine } = bench.bench;
    const told = Promise.withResolvers<void>();
    onTestFinished(engine.onChanged(() => told.resolve()));
    await engine.actions.pause('all', true);
    await engine.actions.pause('all', false);
    await told.promise;
    await engine.recordsOf([1]);
  };

  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  const one = hold();
  const prepared = prepare(open(), selection);
  await until(() => openings).toBe(1);
  await tell();
  one.resolve();
  await prepared;
  await tell();
  expect(openings).toBe(1);

  const two = hold();
  await bench.bench.store('b.txt', 'two');
  const second = await selectionOf('b.txt');
  const ended = Promise.resolve(prepare(open(), second)).catch((error: unknown) => error);
  await until(() => openings).toBe(2);
  await bench.edits.removeService(serviceId);
  two.resolve();
  expect(await ended).toMatchObject({ error: { code: 'cancelled' } });
  await tell();
  expect(await bench.bench.documents.list('openedCopies')).toEqual([]);
});

test('removes copies last taken hours ago, unless a program changed them', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await bench.bench.store(name, name);
  const takeOut = open();
  const selection = await selectionOf('a.txt', 'b.txt');
  await takeOut['takeOut.start'](await prepare(takeOut, selection));
  writeFileSync(dragged[1] ?? '', 'theirs');
  const laterMs = bench.bench.clock.nowMs() + 13 * 3_600_000;
  vi.spyOn(bench.bench.clock, 'nowMs').mockImplementation(() => laterMs);
  await prepare(takeOut, await selectionOf('c.txt'));
  await bench.edits.copies.removeOld();
  const names = (await bench.files()).map((path) => path.split('/').at(-1));
  expect(new Set(names)).toEqual(new Set(['b.txt', 'c.txt']));
  expect(await textOf(dragged[1] ?? '')).toBe('theirs');
});

test('tells what is being stored from what is not at the service', async () => {
  await bench.bench.store('a.txt', 'one');
  await bench.bench.store('b.txt', 'two');
  const selection = await selectionOf('a.txt', 'b.txt');
  const [first = 0, second = 0] = selection.ids;
  const { catalogue } = bench.bench;
  const getMany = catalogue.getMany.bind(catalogue);
  const states = new Map<number, ObjectRecord['state']>([[first, 'uploading']]);
  vi.spyOn(catalogue, 'getMany').mockImplementation(async (ids) =>
    (await getMany(ids)).map((row) => ({ ...row, state: states.get(row.id) ?? row.state })),
  );
  for (const problem of ['storing', 'state']) {
    const error = { code: 'notTakenOut', problem };
    await expect(prepare(open(), selection)).rejects.toMatchObject({ error });
    await expect(open()['takeOut.copy']({ selection })).rejects.toMatchObject({ error });
    states.set(second, 'missing');
  }
});
