import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recentMax, type ObjectQuery, type ObjectRecord } from '../../shared/domain/object.ts';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import { createLocalStores, type LocalStores } from '../storage/local-stores.ts';
import type { NewObject } from './catalogue.ts';

const serviceId = 'p1';
const recent: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'recent' },
  search: '',
  sort: { column: 'stored', direction: 'descending' },
};
let db: DatabaseSync;
let catalogue: LocalStores['catalogue'];
let nowMs: number;
let changes: number;

beforeEach(async () => {
  db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await createSchema(db);
  nowMs = 1_800_000_000_000;
  changes = 0;
  ({ catalogue } = createLocalStores(
    db,
    () => nowMs,
    () => (changes += 1),
  ));
  for (const id of [serviceId, 'p2'])
    await catalogue.setNaming(id, { separator: '/', versionMark: '@{number}' });
});
afterEach(() => {
  catalogue.close();
  db.close();
});

async function add(identifiers: readonly string[], other: Partial<NewObject> = {}, id = serviceId) {
  const added = await catalogue.add(
    id,
    identifiers.map((identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' }, ...other })),
  );
  return added.map(({ record }) => record.id);
}

async function use(...ids: number[]) {
  for (const id of ids) {
    nowMs += 1000;
    await catalogue.noteUse(id);
  }
}

const names = (rows: readonly ObjectRecord[]) => rows.map(({ identifier }) => identifier);
async function shown(asked: Partial<ObjectQuery> = {}) {
  return names((await catalogue.page({ ...recent, ...asked }, 0, 500)).rows);
}

it('lists what was used, newest first, each object once, with its last use', async () => {
  const [a = 0, , c = 0, v1 = 0, v2 = 0] = await add(['f/a', 'b', 'c', 'r.txt', 'r@2.txt']);
  const [secret = 0] = await add(['s'], { kind: 'secret' });
  const [elsewhere = 0] = await add(['x'], {}, 'p2');
  expect(await shown()).toEqual([]);
  await use(a, v2, c, secret, elsewhere, v1, a);
  // No version is hidden: each was used separately.
  expect(await shown()).toEqual(['f/a', 'r.txt', 'c', 'r@2.txt']);
  const { rows } = await catalogue.page(recent, 0, 1);
  expect(rows[0]?.usedAtMs).toBe(nowMs);
  expect(await shown({ sort: { column: 'stored', direction: 'ascending' } })).toEqual([
    'r@2.txt',
    'c',
    'r.txt',
    'f/a',
  ]);
  expect(await shown({ sort: { column: 'identifier', direction: 'ascending' } })).toEqual([
    'c',
    'f/a',
    'r.txt',
    'r@2.txt',
  ]);
});

it('searches recent objects like other places, and finds, counts and selects by position', async () => {
  const [a = 0, b = 0, c = 0] = await add(['a1', 'b1', 'a2', 'a3']);
  await use(a, b, c);
  const query = { ...recent, search: 'a' };
  expect(await shown({ search: 'a' })).toEqual(['a2', 'a1']);
  expect(await catalogue.page(query, 0, 9)).toMatchObject({ total: 2, outOf: 3 });
  expect(await catalogue.indexOf(query, a)).toBe(1);
  expect(await catalogue.indexOf(query, b)).toBe(null);
  expect([...(await catalogue.idsOf({ kind: 'query', query, exceptIds: [c] }))]).toEqual([a]);
});

it('leaves out deleted objects, which take no room from the others', async () => {
  const ids = await add(Array.from({ length: recentMax + 5 }, (_, n) => `n${String(n)}`));
  await use(...ids);
  expect(await shown()).toHaveLength(recentMax);
  await catalogue.update(ids.slice(-10).map((id) => ({ id, patch: { state: 'gone' } })));
  const left = await shown();
  expect([left.length, left[0]]).toEqual([recentMax - 5, `n${String(recentMax - 6)}`]);
  await catalogue.remove(ids.slice(0, -20));
  expect(await shown()).toHaveLength(10);
});

it('lists current uses above those that a wrong clock dated in the future', async () => {
  const ids = await add(Array.from({ length: recentMax + 2 }, (_, n) => `n${String(n)}`));
  const [now = 0, ...ahead] = ids;
  nowMs += 365 * 86_400_000;
  await use(...ahead);
  nowMs -= 366 * 86_400_000;
  await use(now);
  const listed = await shown();
  expect([listed.length, ...listed.slice(0, 2)]).toEqual([recentMax, 'n0', `n${String(recentMax + 1)}`]);
});

it('counts only actions of a person, and announces them at once', async () => {
  const [a = 0, b = 0, c = 0] = await add(['a', 'b', 'c']);
  expect(await shown()).toEqual([]);
  const before = changes;
  await catalogue.update([
    { id: a, patch: {}, history: { action: 'checkedPresent' } },
    { id: b, patch: {}, history: { action: 'downloaded' } },
    { id: c, patch: {}, history: { action: 'uploaded', isByItself: true } },
  ]);
  expect(await shown()).toEqual(['b']);
  const told = changes;
  expect(told).toBeGreaterThan(before);
  await use(c);
  expect(changes).toBeGreaterThan(told);
  expect(await shown()).toEqual(['c', 'b']);
});
