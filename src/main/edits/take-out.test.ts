import { statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  serviceId,
  startEditBench,
  textOf,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';
import { createGrants } from '../local-files/grants.ts';
import { createTakeOut } from './take-out.ts';

let bench: EditBench;
let dragged: readonly string[];
let copied: readonly string[];
const grants = createGrants();
beforeEach(async () => {
  bench = await startEditBench();
  dragged = [];
  copied = [];
});
afterEach(() => bench.close());

const open = () =>
  createTakeOut({
    catalogue: bench.bench.catalogue,
    take: bench.edits.take,
    grants,
    desktop: {
      startDrag: (paths) => (dragged = paths),
      writeFilesToClipboard: async (paths) => void (copied = paths),
    },
  }).handlers;

async function selectionOf(...identifiers: string[]): Promise<{ kind: 'ids'; ids: number[] }> {
  const rows = await Promise.all(identifiers.map((identifier) => bench.bench.rowOf(identifier)));
  return { kind: 'ids', ids: rows.map((row) => row?.id ?? 0) };
}
const downloads = () => bench.bench.server.requests.filter(({ method }) => method === 'GET').length;

test('small objects are fetched under their names, for this person alone, and once', async () => {
  await bench.bench.store('reports/a.txt', 'one');
  await bench.bench.store('reports/b.txt', 'two');
  const selection = await selectionOf('reports/a.txt', 'reports/b.txt');
  const before = downloads();
  const takeOut = open();
  await takeOut['takeOut.start'](await takeOut['takeOut.prepare']({ selection }));
  expect(dragged.map((path) => path.split('/').at(-1))).toEqual(['a.txt', 'b.txt']);
  expect(await Promise.all(dragged.map(textOf))).toEqual(['one', 'two']);
  const [path = ''] = dragged;
  // Whoever gets it can change it there, unlike a copy that was opened to read.
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  await takeOut['takeOut.prepare']({ selection });
  expect(downloads() - before).toBe(2);
  expect(bench.opened).toEqual([]);
});

test('what a file of this computer has is not fetched, however large', async () => {
  await bench.bench.store('large.bin', 'x'.repeat(3_000_000));
  const selection = await selectionOf('large.bin');
  const takeOut = open();
  const before = downloads();
  await expect(takeOut['takeOut.prepare']({ selection })).rejects.toMatchObject({
    error: { code: 'notTakenOut', problem: 'large' },
  });
  bench.local = Buffer.from('x'.repeat(3_000_000));
  await takeOut['takeOut.start'](await takeOut['takeOut.prepare']({ selection }));
  expect(await textOf(dragged[0] ?? '')).toBe('x'.repeat(3_000_000));
  expect(downloads()).toBe(before);
});

test('a large object that was copied as a file can be dragged', async () => {
  await bench.bench.store('large.bin', 'x'.repeat(3_000_000));
  const selection = await selectionOf('large.bin');
  const takeOut = open();
  expect(await takeOut['takeOut.copy']({ selection })).toEqual({ count: 1 });
  await takeOut['takeOut.start'](await takeOut['takeOut.prepare']({ selection }));
  expect(dragged).toEqual(copied);
});

test('a copy that a program changed is not given to another one', async () => {
  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  const takeOut = open();
  await takeOut['takeOut.start'](await takeOut['takeOut.prepare']({ selection }));
  const [changed = ''] = dragged;
  writeFileSync(changed, 'theirs');
  await takeOut['takeOut.start'](await takeOut['takeOut.prepare']({ selection }));
  expect(dragged).not.toContain(changed);
  expect(await textOf(dragged[0] ?? '')).toBe('one');
  // Nothing of a person's is removed by inference.
  await bench.restart();
  await until(() => bench.left.length).toBe(1);
  expect(await textOf(changed)).toBe('theirs');
});

test('copies are removed at the next start', async () => {
  await bench.bench.store('a.txt', 'one');
  const takeOut = open();
  await takeOut['takeOut.prepare']({ selection: await selectionOf('a.txt') });
  expect(await bench.files()).toHaveLength(1);
  await bench.restart();
  await until(() => bench.files()).toEqual([]);
  expect(bench.left).toEqual([]);
});

test('secrets are never taken out, nor anything with them', async () => {
  await bench.bench.store('a.txt', 'one');
  const [added] = await bench.bench.catalogue.add(serviceId, [
    { kind: 'secret', identifier: 'key', patch: {} },
  ]);
  const { ids } = await selectionOf('a.txt');
  const selection = { kind: 'ids' as const, ids: [...ids, added?.record.id ?? 0] };
  const before = bench.bench.server.requests.length;
  for (const name of ['takeOut.prepare', 'takeOut.copy'] as const)
    await expect(open()[name]({ selection })).rejects.toMatchObject({
      error: { code: 'notTakenOut', problem: 'secret' },
    });
  expect(bench.bench.server.requests).toHaveLength(before);
  expect(await bench.files()).toEqual([]);
});

test('an object that is gone is named by its failure, and is fetched again when it is back', async () => {
  await bench.bench.store('a.txt', 'one');
  const selection = await selectionOf('a.txt');
  const stored = bench.bench.server.objects.get('a.txt');
  bench.bench.server.objects.delete('a.txt');
  const takeOut = open();
  await expect(takeOut['takeOut.prepare']({ selection })).rejects.toMatchObject({
    error: { code: 'missing' },
  });
  expect(await bench.files()).toEqual([]);
  if (stored) bench.bench.server.objects.set('a.txt', stored);
});

test('knows the files of its own drag', async () => {
  await bench.bench.store('a.txt', 'one');
  const takeOut = open();
  const selection = await selectionOf('a.txt');
  await takeOut['takeOut.start'](await takeOut['takeOut.prepare']({ selection }));
  const owns = (...paths: string[]) => takeOut['takeOut.owns']({ grants: grants.grant(paths) });
  expect(await owns(...dragged)).toEqual({ isOwn: true });
  expect(await owns('/home/max/a.txt')).toEqual({ isOwn: false });
  expect(await owns(...dragged, '/home/max/a.txt')).toEqual({ isOwn: false });
});
