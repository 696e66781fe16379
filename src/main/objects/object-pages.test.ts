import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ObjectQuery, Selection } from '../../shared/domain/object.ts';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import { createLocalStores, type LocalStores } from '../storage/local-stores.ts';

const serviceId = 'p1';
const query: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'folder', path: '' },
  search: '',
  oneLevel: true,
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

it('pages the folders in a folder and the objects directly in it as one list', async () => {
  const whole = await shown(query);
  expect(whole).toEqual(['a/', 'c/', 'd/', '5']);
  for (let offset = 0; offset < 5; offset += 1)
    for (let limit = 1; limit < 5; limit += 1)
      expect(await shown(query, offset, limit)).toEqual(whole.slice(offset, offset + limit));
  expect(await catalogue.page(query, 3, 2)).toMatchObject({
    total: 1,
    totalBytes: 10,
    folders: { total: 3 },
    offset: 0,
  });
});

it('lists the folders directly in a folder, and none in a search, among secrets, or unasked', async () => {
  expect(await shown({ ...query, place: { kind: 'folder', path: 'a' } })).toEqual(['a/b/', 'a/1']);
  expect(await shown({ ...query, place: { kind: 'folder', path: 'nowhere' } })).toEqual([]);
  // A search finds what lies deeper.
  expect(await shown({ ...query, search: '3' })).toEqual(['c/3']);
  expect(await shown({ ...query, place: { kind: 'all' } })).toHaveLength(5);
  expect(await shown({ ...query, kind: 'secret' })).toEqual([]);
  expect(await shown({ ...query, oneLevel: false })).toHaveLength(5);
  expect(await catalogue.folderIndex(query, 'd')).toBe(2);
  expect(await catalogue.folderIndex({ ...query, search: '3' }, 'd')).toBeNull();
});

it('finds folders by their names, before and after the objects', async () => {
  expect(await catalogue.findName(query, 'D', -3)).toEqual({ index: -1, id: null });
  expect(await catalogue.findName(query, '5', -3)).toMatchObject({ index: 0 });
  expect(await catalogue.findName(query, 'c', 0)).toEqual({ index: -2, id: null });
  expect(await catalogue.findName({ ...query, oneLevel: false }, 'c', 4)).toMatchObject({ index: 3 });
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
  const { rows } = await catalogue.page({ ...query, oneLevel: false }, 0, 9);
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
  const { rows } = await catalogue.page(
    { ...query, oneLevel: false, place: { kind: 'folder', path: 'a' } },
    0,
    9,
  );
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
    shown({ ...query, oneLevel: false, search: text, sort: { column: 'identifier', direction } });
  const [first, second] = [
    ['plan@10.txt', 'plan@2.txt', 'plan.txt'],
    ['plans/plan@2.txt', 'plans/plan.txt'],
  ] as const;
  expect(await search('plan', 'ascending')).toEqual([...first, 'planet', ...second]);
  expect(await search('plan', 'descending')).toEqual([...second, 'planet', ...first]);
  expect(await search('2.txt', 'ascending')).toEqual(['plan@2.txt', 'plans/plan@2.txt']);
});

it('sorts the names in a folder as a person does, and larger folders by code points', async () => {
  const add = (names: readonly string[]) =>
    catalogue.add(
      serviceId,
      names.map((name) => ({ kind: 'data', identifier: `n/${name}`, patch: { state: 'stored' } })),
    );
  await add(['b10', 'b2', 'B1', 'ä', 'z', 'a']);
  const inN: ObjectQuery = { ...query, place: { kind: 'folder', path: 'n' } };
  const names = ['a', 'ä', 'B1', 'b2', 'b10', 'z'].map((name) => `n/${name}`);
  expect(await shown(inN)).toEqual(names);
  expect(await shown({ ...inN, sort: { column: 'identifier', direction: 'descending' } })).toEqual(
    names.toReversed(),
  );
  await add(Array.from({ length: 5000 }, (_, at) => `c${at}`));
  expect(await shown(inN, 0, 4)).toEqual(['n/B1', 'n/a', 'n/b10', 'n/b2']);
});

it('sorts folders by size and by their newest object, like the objects after them', async () => {
  const { rows } = await catalogue.page({ ...query, oneLevel: false }, 0, 9);
  const idOf = (identifier: string) => rows.find((row) => row.identifier === identifier)?.id ?? 0;
  await catalogue.update([
    { id: idOf('c/3'), patch: { storedAtMs: 300, lengthBytes: 5 } },
    { id: idOf('a/b/2'), patch: { storedAtMs: 200 } },
    { id: idOf('d/4'), patch: { storedAtMs: 100 } },
  ]);
  const by = (column: 'stored' | 'size', direction: 'ascending' | 'descending') =>
    shown({ ...query, sort: { column, direction } });
  expect(await by('stored', 'descending')).toEqual(['c/', 'a/', 'd/', '5']);
  expect(await by('stored', 'ascending')).toEqual(['d/', 'a/', 'c/', '5']);
  expect(await by('size', 'descending')).toEqual(['a/', 'd/', 'c/', '5']);
});

it('selects all objects in folders, at any depth, each once', async () => {
  const { rows } = await catalogue.page({ ...query, oneLevel: false }, 0, 9);
  const idsOf = (...identifiers: string[]) =>
    identifiers.map((identifier) => rows.find((row) => row.identifier === identifier)?.id ?? 0);
  const selection: Selection = {
    kind: 'folders',
    serviceId,
    paths: ['a/b', 'a', 'd'],
    and: { kind: 'ids', ids: idsOf('a/1', '5') },
  };
  expect([...(await catalogue.idsOf(selection))]).toEqual(idsOf('a/b/2', 'a/1', 'd/4', '5'));
  expect(await catalogue.summarize(selection)).toEqual({ count: 4, totalBytes: 40, unknownLengths: 0 });
  expect(await catalogue.mixOf(selection)).toMatchObject({ states: [{ state: 'stored', count: 4 }] });
  // Whatever is in them when it is asked.
  await catalogue.remove(idsOf('d/4'));
  expect([...(await catalogue.idsOf({ ...selection, and: null }))]).toEqual(idsOf('a/b/2', 'a/1'));
  const { paths } = selection;
  const now = await catalogue.freeze({ kind: 'folders', serviceId, paths, and: null });
  await catalogue.add(serviceId, [{ kind: 'data', identifier: 'a/new', patch: { state: 'stored' } }]);
  expect([...(await catalogue.idsOf(now))]).toEqual(idsOf('a/b/2', 'a/1'));
});
