import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ObjectQuery, ObjectRecord } from '../../shared/domain/object.ts';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import { createLocalStores, type LocalStores } from '../storage/local-stores.ts';

const serviceId = 'p1';
let db: DatabaseSync;
let catalogue: LocalStores['catalogue'];
let changes: number;

function open() {
  ({ catalogue } = createLocalStores(
    db,
    () => 1_800_000_000_000,
    () => (changes += 1),
  ));
}

beforeEach(async () => {
  db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await createSchema(db);
  changes = 0;
  open();
  for (const id of [serviceId, 'p2'])
    await catalogue.setNaming(id, { separator: '/', versionMark: '@{number}' });
});
afterEach(() => {
  catalogue.close();
  db.close();
});

async function add(identifier: string, state: ObjectRecord['state'] = 'stored'): Promise<number> {
  const [added] = await catalogue.add(serviceId, [{ kind: 'data', identifier, patch: { state } }]);
  return added?.record.id ?? 0;
}

const folders = (paths: readonly string[], id = serviceId) =>
  catalogue.changeFolders(
    id,
    paths.map((to) => ({ from: null, to })),
  );

const level = (path: string): ObjectQuery => ({
  serviceId,
  kind: 'data',
  place: { kind: 'folder', path },
  search: '',
  oneLevel: true,
  sort: { column: 'identifier', direction: 'ascending' },
});
const page = (path: string) => catalogue.page(level(path), 0, 100);
async function shown(path = '') {
  return (await page(path)).folders?.rows.map(({ name, count }) => `${name} ${String(count)}`);
}

it('lists a new folder without objects everywhere, and announces it', async () => {
  await add('b/x');
  const before = changes;
  expect(await catalogue.makeFolder(serviceId, 'a/new')).toBe(null);
  expect(changes).toBe(before + 1);
  expect(await shown()).toEqual(['a 0', 'b 1']);
  const sidebar = await catalogue.folders(serviceId, '');
  expect(sidebar.folders[0]).toEqual({ path: 'a', name: 'a', count: 0, hasChildren: true });
  expect((await catalogue.collections(serviceId)).hasFolders).toBe(true);
  expect(await catalogue.folderIndex(level('a'), 'a/new')).toBe(0);
  expect(await catalogue.findName(level('a'), 'NE', 0)).toEqual({ index: -1, id: null });
  expect((await page('a/new')).folders).toEqual({ total: 0, rows: [], isKept: true });
  expect((await page('b')).folders).toEqual({ total: 0, rows: [] });
});

it('says what has the name already, and makes nothing then', async () => {
  await add('a/b/x');
  await add('report');
  await add('lost', 'failed');
  await catalogue.makeFolder(serviceId, 'new');
  const ask = (path: string) => catalogue.makeFolder(serviceId, path);
  expect([await ask('a'), await ask('a/b'), await ask('new'), await ask('report')]).toEqual([
    'folder',
    'folder',
    'folder',
    'object',
  ]);
  expect([await ask('lost'), await ask('a/c')]).toEqual([null, null]);
  expect(await catalogue.madeFolders(serviceId)).toEqual(['new', 'lost', 'a/c']);
});

it('keeps a folder until something is stored in it: then it is there by its objects, and goes with them', async () => {
  await folders(['a', 'a/b', 'a/c']);
  const id = await add('a/b/x', 'uploading');
  expect(await catalogue.madeFolders(serviceId)).toEqual(['a', 'a/b', 'a/c']);
  await catalogue.update([{ id, patch: { state: 'stored' } }]);
  expect(await catalogue.madeFolders(serviceId)).toEqual(['a/c']);
  expect(await shown('a')).toEqual(['b 1', 'c 0']);
  await catalogue.update([{ id, patch: { state: 'gone' } }]);
  expect([await shown(''), await shown('a')]).toEqual([['a 0'], ['c 0']]);
});

it('stays when it was made again, and what is in it is only stored again', async () => {
  const id = await add('a/x', 'uploading');
  await catalogue.update([{ id, patch: { state: 'stored', storedAtMs: 1 } }]);
  await folders(['a']);
  await catalogue.update([{ id, patch: { state: 'uploading' } }]);
  await catalogue.update([{ id, patch: { state: 'stored', storedAtMs: 2 } }]);
  await catalogue.update([{ id, patch: { state: 'gone' } }]);
  expect(await shown()).toEqual(['a 0']);
});

it('stays when an upload into it is cancelled', async () => {
  await folders(['a']);
  await catalogue.remove([await add('a/x', 'uploading')]);
  expect(await shown()).toEqual(['a 0']);
});

it('moves, removes and restores folders, of which only kept ones change', async () => {
  await add('full/x');
  await folders(['a', 'a/b']);
  const moved = await catalogue.changeFolders(serviceId, [
    { from: 'a', to: 'c' },
    { from: 'a/b', to: 'c/b' },
    { from: 'none', to: 'other' },
  ]);
  expect(moved).toHaveLength(2);
  expect(await shown()).toEqual(['c 0', 'full 1']);
  expect(await shown('c')).toEqual(['b 0']);
  // Into one with objects: they become one.
  await catalogue.changeFolders(serviceId, [{ from: 'c/b', to: 'full' }]);
  expect(await catalogue.madeFolders(serviceId)).toEqual(['c']);
  const removed = await catalogue.changeFolders(serviceId, [{ from: 'c', to: null }]);
  expect(await shown()).toEqual(['full 1']);
  await catalogue.changeFolders(
    serviceId,
    removed.map(({ from, to }) => ({ from: to, to: from })),
  );
  expect(await shown()).toEqual(['c 0', 'full 1']);
  const before = changes;
  expect(await folders(['c'])).toEqual([]);
  expect(changes).toBe(before);
  // Made again while it has objects, it stays without them.
  expect(await folders(['full'])).toEqual([{ from: null, to: 'full' }]);
});

it('is the same after a restart, for each service of its own, and goes with the list of its service', async () => {
  await folders(['a']);
  await folders(['b'], 'p2');
  catalogue.close();
  open();
  expect(await shown()).toEqual(['a 0']);
  await catalogue.closeService(serviceId);
  await expect(folders(['late'])).rejects.toMatchObject({ error: { code: 'notFound', what: 'service' } });
  await expect(catalogue.makeFolder(serviceId, 'late')).rejects.toMatchObject({
    error: { code: 'notFound', what: 'service' },
  });
  await catalogue.setNaming(serviceId, { separator: '/', versionMark: '@{number}' });
  expect(await shown()).toEqual(['a 0']);
  await catalogue.removeService(serviceId);
  expect(await catalogue.madeFolders(serviceId)).toEqual([]);
  expect(db.prepare('SELECT key, value FROM document').all()).toEqual([{ key: 'p2', value: '["b"]' }]);
});

it('shows the folder after a change of the separator as it is named then', async () => {
  await folders(['a/b']);
  await catalogue.setNaming(serviceId, { separator: ':', versionMark: '@{number}' });
  expect(await shown()).toEqual(['a/b 0']);
});

it('makes a folder in the list of a service that has had no object yet', async () => {
  expect(await catalogue.makeFolder('p3', 'a')).toBe(null);
  expect((await catalogue.folders('p3', '')).folders).toHaveLength(1);
});
