import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId, startBench, until, type Bench } from '../../../test-support/main/transfers/bench.ts';
import type { FolderChange } from '../../shared/domain/folder.ts';
import { createMadeFolders } from './made-folders.ts';
import { createMoving } from './moving.ts';

let bench: Bench;
let followed: FolderChange[];
let handlers: ReturnType<typeof createMadeFolders>['handlers'] & ReturnType<typeof createMoving>['handlers'];
beforeEach(async () => {
  bench = await startBench();
  followed = [];
  const followFolders = async (_serviceId: string, changes: readonly FolderChange[]) =>
    void followed.push(...changes);
  const deps = { ...bench, followFolders };
  handlers = { ...createMadeFolders(deps).handlers, ...createMoving(deps).handlers };
});
afterEach(() => bench.close());

const store = (identifier: string) => bench.store(identifier, 'bytes', { storedAtMs: 1 });
const make = (name: string, into = '') => handlers['objects.makeFolder']({ serviceId, into, name });
const kept = () => bench.catalogue.madeFolders(serviceId);
const foldersOf = (...paths: string[]) => ({ kind: 'folders' as const, serviceId, paths, and: null });

test('makes a folder in another one, unless something has its name', async () => {
  await store('a/x');
  expect(await make('new', 'a')).toEqual({ path: 'a/new', taken: null });
  expect(await make('2026/july')).toEqual({ path: '2026/july', taken: null });
  expect(await make('a')).toEqual({ path: 'a', taken: 'folder' });
  expect(await make('x', 'a')).toEqual({ path: 'a/x', taken: 'object' });
  expect(await kept()).toEqual(['a/new', '2026/july']);
});

test.each([
  ['', 'empty'],
  ['a//b', 'empty'],
  ['a/', 'empty'],
  ['..', 'dotSegment'],
  ['\ud800', 'loneSurrogate'],
] as const)('refuses the name %j', async (name, problem) => {
  await expect(make(name)).rejects.toMatchObject({ error: { code: 'badIdentifier', problem } });
  expect(await kept()).toEqual([]);
});

test('removes folders without objects and those in them, without a request, and undoes it', async () => {
  await store('full/x');
  for (const path of ['a', 'a/b', 'ab', 'full/c']) await make(path);
  const before = bench.server.requests.length;
  const asked = { serviceId, paths: ['a', 'full'] };
  const found = await handlers['objects.removeFolders']({ ...asked, isDryRun: true });
  expect(await kept()).toHaveLength(4);
  const { changes } = await handlers['objects.removeFolders'](asked);
  expect(found.changes).toEqual(changes);
  expect(await kept()).toEqual(['ab']);
  await handlers['objects.undoFolders']({ serviceId, changes });
  expect((await kept()).toSorted()).toEqual(['a', 'a/b', 'ab', 'full/c']);
  expect(bench.server.requests).toHaveLength(before);
});

test('moves folders without objects by the list alone, and undoes it', async () => {
  for (const path of ['a', 'a/b', 'c']) await make(path);
  const before = bench.server.requests.length;
  const input = { selection: foldersOf('a'), to: { kind: 'folder', folder: 'c' } } as const;
  expect(await handlers['objects.planMove'](input)).toMatchObject({ count: 0, folders: 2, error: null });
  const { folders, count } = await handlers['objects.move'](input);
  expect([count, folders]).toEqual([
    0,
    [
      { from: 'a', to: 'c/a' },
      { from: 'a/b', to: 'c/a/b' },
    ],
  ]);
  expect(await kept()).toEqual(['c', 'c/a', 'c/a/b']);
  await handlers['objects.undoFolders']({ serviceId, changes: folders ?? [] });
  expect(await kept()).toEqual(['c', 'a', 'a/b']);
  expect(bench.server.requests).toHaveLength(before);
});

test('renames a folder with objects together with those in it that have none', async () => {
  await store('a/x');
  for (const path of ['a/b', 'a/b/c', 'ab']) await make(path);
  const to = { kind: 'beginning', from: 'a/', to: 'new/' } as const;
  await handlers['objects.move']({ selection: foldersOf('a'), to });
  expect(await kept()).toEqual(['ab', 'new/b', 'new/b/c']);
  await until(() => bench.rowOf('new/x')).toMatchObject({ state: 'stored' });
  expect(await kept()).toEqual(['ab', 'new/b', 'new/b/c']);
});

test('an undo makes the folder again in which something was stored, or that was joined with another', async () => {
  const id = await store('x.txt');
  await make('empty');
  const selection = { kind: 'ids' as const, ids: [id] };
  const into = { kind: 'folder', folder: 'empty' } as const;
  const moved = await handlers['objects.move']({ selection, to: into });
  await until(() => bench.rowOf('x.txt')).toMatchObject({ state: 'gone' });
  expect(await kept()).toEqual([]);
  await handlers['objects.undoMove']({ transferIds: moved.transferIds });
  await handlers['objects.undoFolders']({ serviceId, changes: moved.folders ?? [] });
  await bench.settled();
  expect(await kept()).toEqual(['empty']);

  await store('full/y');
  const to = { kind: 'beginning', from: 'empty/', to: 'full/' } as const;
  const joined = await handlers['objects.move']({ selection: foldersOf('empty'), to });
  expect(await kept()).toEqual([]);
  await handlers['objects.undoFolders']({ serviceId, changes: joined.folders ?? [] });
  expect(await kept()).toEqual(['empty']);
});

test('loses nothing of an upload into a folder that is renamed meanwhile', async () => {
  await make('a');
  const [added] = await bench.catalogue.add(serviceId, [
    { kind: 'data', identifier: 'a/x', patch: { state: 'uploading' } },
  ]);
  const to = { kind: 'beginning', from: 'a/', to: 'b/' } as const;
  await handlers['objects.move']({ selection: foldersOf('a'), to });
  await bench.catalogue.update([{ id: added?.record.id ?? 0, patch: { state: 'stored' } }]);
  const { folders } = await bench.catalogue.folders(serviceId, '');
  expect(folders.map(({ name, count }) => [name, count])).toEqual([
    ['a', 1],
    ['b', 0],
  ]);
});

test('refuses a new path that no identifier can have', async () => {
  await make('a');
  const to = { kind: 'beginning', from: 'a/', to: '..' } as const;
  expect(await handlers['objects.planMove']({ selection: foldersOf('a'), to })).toMatchObject({
    error: { code: 'badIdentifier', problem: 'dotSegment' },
  });
  await expect(handlers['objects.move']({ selection: foldersOf('a'), to })).rejects.toMatchObject({
    error: { code: 'badIdentifier' },
  });
  expect(await kept()).toEqual(['a']);
});

test('moves nothing of a folder that is gone by then', async () => {
  const input = { selection: foldersOf('none'), to: { kind: 'folder', folder: 'a' } } as const;
  await expect(handlers['objects.move'](input)).rejects.toMatchObject({
    error: { code: 'notFound', what: 'object' },
  });
});

test('what points at a folder follows it when it moves whole, and goes back', async () => {
  await store('a/x');
  await store('b/y');
  await make('c');
  const into = (folder: string) => ({ kind: 'folder' as const, folder });
  const moved = await handlers['objects.move']({ selection: foldersOf('a', 'c'), to: into('b') });
  const places = [
    { from: 'a', to: 'b/a' },
    { from: 'c', to: 'b/c' },
  ];
  expect(moved.places).toEqual(places);
  expect(followed).toEqual(places);
  followed = [];
  await handlers['objects.undoFolders']({ serviceId, changes: [], places });
  expect(followed).toEqual(places.map(({ from, to }) => ({ from: to, to: from })));
});

test('nothing follows a folder that is joined with another, or of which something stays', async () => {
  await store('a/x');
  await store('b/y');
  const rename = (from: string, to: string) =>
    handlers['objects.move']({
      selection: foldersOf(from.slice(0, -1)),
      to: { kind: 'beginning', from, to },
    });
  await rename('a/', 'b/');
  await store('c/same');
  await store('c/other');
  await store('d/same');
  await rename('c/', 'd/');
  expect(followed).toEqual([]);
});
