import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ObjectQuery } from '../../shared/domain/object.ts';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import { createLocalStores, type LocalStores } from '../storage/local-stores.ts';

const serviceId = 'p1';
const query: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  withFolders: true,
  sort: { column: 'identifier', direction: 'ascending' },
};
let db: DatabaseSync;
let catalogue: LocalStores['catalogue'];

beforeEach(async () => {
  db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await createSchema(db);
  ({ catalogue } = createLocalStores(
    db,
    () => 1_800_000_000_000,
    () => undefined,
  ));
  await catalogue.setNaming(serviceId, { separator: '/', versionMark: '@{number}' });
  const identifiers = ['a/1', 'a/b/2', 'c/3', 'd/4', '5'];
  await catalogue.add(
    serviceId,
    identifiers.map((identifier) => ({
      kind: 'data',
      identifier,
      patch: { state: 'stored', lengthBytes: 10 },
    })),
  );
});
afterEach(() => {
  catalogue.close();
  db.close();
});

/** What a page shows, from its first row on. */
async function shown(asked: ObjectQuery, offset = 0, limit = 9) {
  const { rows, folders } = await catalogue.page(asked, offset, limit);
  return [
    ...(folders?.rows ?? []).map(({ path }) => `${path}/`),
    ...rows.map(({ identifier }) => identifier),
  ];
}

it('pages the folders of a place and its objects as one list', async () => {
  const whole = await shown(query);
  expect(whole).toEqual(['a/', 'c/', 'd/', '5', 'a/1', 'a/b/2', 'c/3', 'd/4']);
  for (let offset = 0; offset < 9; offset += 1)
    for (let limit = 1; limit < 9; limit += 1)
      expect(await shown(query, offset, limit)).toEqual(whole.slice(offset, offset + limit));
  expect(await catalogue.page(query, 4, 2)).toMatchObject({ total: 5, folders: { total: 3 }, offset: 1 });
});

it('lists the folders directly in a folder, and none in a search, among secrets, or unasked', async () => {
  expect(await shown({ ...query, place: { kind: 'folder', path: 'a' } })).toEqual(['a/b/', 'a/1', 'a/b/2']);
  expect(await shown({ ...query, search: '3' })).toEqual(['c/3']);
  expect(await shown({ ...query, kind: 'secret' })).toEqual([]);
  expect(await shown({ ...query, withFolders: false })).toHaveLength(5);
  expect(await catalogue.folderIndex(query, 'd')).toBe(2);
  expect(await catalogue.folderIndex({ ...query, search: '3' }, 'd')).toBeNull();
});

it('finds folders by their names, before and after the objects', async () => {
  expect(await catalogue.findName(query, 'D', -3)).toEqual({ index: -1, id: null });
  expect(await catalogue.findName(query, 'c', 0)).toMatchObject({ index: 3 });
  expect(await catalogue.findName(query, 'c', 4)).toEqual({ index: -2, id: null });
  expect(await catalogue.findName({ ...query, withFolders: false }, 'c', 4)).toMatchObject({ index: 3 });
  expect(await catalogue.findName(query, 'x', -3)).toBeNull();
});

it('returns some of many folders, and the position of each', async () => {
  const names = Array.from({ length: 1000 }, (_, n) => `f${n}`);
  await catalogue.add(
    serviceId,
    names.map((name, at) => ({
      kind: 'data',
      identifier: `${name}/x`,
      patch: { state: 'stored', lengthBytes: 100 + at },
    })),
  );
  const largest: ObjectQuery = { ...query, sort: { column: 'size', direction: 'descending' } };
  const { folders } = await catalogue.page(largest, 990, 500);
  expect([folders?.total, folders?.rows.length]).toEqual([1003, 13]);
  expect(folders?.rows.slice(8).map(({ path }) => path)).toEqual(['f1', 'f0', 'a', 'c', 'd']);
  expect(await catalogue.folderIndex(largest, 'f1')).toBe(998);
  expect(await catalogue.folderIndex(query, 'f1')).toBe(4);
  expect(await catalogue.folderIndex(largest, 'nowhere')).toBeNull();
  expect(await catalogue.folderIndex(largest, 'a/b')).toBeNull();
  expect(await catalogue.findName(largest, 'f1', -1003)).toEqual({ index: -203, id: null });
  // The folder grows, so it moves up.
  await catalogue.add(serviceId, [
    { kind: 'data', identifier: 'd/5', patch: { state: 'stored', lengthBytes: 9999 } },
  ]);
  expect(await catalogue.folderIndex(largest, 'd')).toBe(0);
});

it('dates each folder by the newest object below it, even after that one is removed', async () => {
  const { rows } = await catalogue.page({ ...query, withFolders: false }, 0, 9);
  const store = (...moments: (number | null)[]) =>
    catalogue.update(
      moments.map((storedAtMs, at) => ({
        id: rows[at + 1]?.id ?? 0,
        patch: { state: 'stored', storedAtMs },
      })),
    );
  const dates = async (asked = query) =>
    (await catalogue.page(asked, 0, 9)).folders?.rows.map(({ newestAtMs }) => newestAtMs);
  await store(100, 300, 200, null);
  expect(await dates()).toEqual([300, 200, null]);
  expect(await dates({ ...query, place: { kind: 'folder', path: 'a' } })).toEqual([300]);
  await catalogue.update([{ id: rows[2]?.id ?? 0, patch: { state: 'gone' } }]);
  expect(await dates()).toEqual([100, 200, null]);
  // An upload in progress sorts above all dates, but has none.
  await catalogue.update([{ id: rows[4]?.id ?? 0, patch: { state: 'uploading' } }]);
  expect(await dates()).toEqual([100, 200, null]);
  await catalogue.remove([rows[3]?.id ?? 0]);
  expect(await dates()).toEqual([100, null]);
});

it('counts what is stored, and forgets a folder with its last object', async () => {
  const { rows } = await catalogue.page({ ...query, place: { kind: 'folder', path: 'a' } }, 0, 9);
  const [first, second] = rows.map(({ id }) => id);
  await catalogue.update([{ id: first ?? 0, patch: { lengthBytes: 25 } }]);
  const folderA = async () => (await catalogue.page(query, 0, 1)).folders?.rows[0];
  expect(await folderA()).toEqual({ path: 'a', name: 'a', count: 2, totalBytes: 35, newestAtMs: null });
  await catalogue.update([{ id: second ?? 0, patch: { state: 'gone' } }]);
  expect(await folderA()).toEqual({ path: 'a', name: 'a', count: 1, totalBytes: 25, newestAtMs: null });
  await catalogue.remove([first ?? 0]);
  expect(await folderA()).toMatchObject({ path: 'c' });
});

it('shows the versions that a search by name finds newest first, where their object stands', async () => {
  const added = ['plan.txt', 'plan@2.txt', 'plan@10.txt', 'planet', 'plans/plan.txt', 'plans/plan@2.txt'];
  await catalogue.add(
    serviceId,
    added.map((identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' } })),
  );
  const search = (text: string, direction: 'ascending' | 'descending') =>
    shown({ ...query, withFolders: false, search: text, sort: { column: 'identifier', direction } });
  const [first, second] = [
    ['plan@10.txt', 'plan@2.txt', 'plan.txt'],
    ['plans/plan@2.txt', 'plans/plan.txt'],
  ] as const;
  expect(await search('plan', 'ascending')).toEqual([...first, 'planet', ...second]);
  expect(await search('plan', 'descending')).toEqual([...second, 'planet', ...first]);
  expect(await search('2.txt', 'ascending')).toEqual(['plan@2.txt', 'plans/plan@2.txt']);
});
