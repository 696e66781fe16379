import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import type { ObjectQuery } from '../../shared/domain/object.ts';
import { createLocalStores, type LocalStores } from '../storage/local-stores.ts';

const serviceId = 'p1';
const gone: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'gone' },
  search: '',
  sort: { column: 'identifier', direction: 'ascending' },
};
let db: DatabaseSync;
let stores: LocalStores;

beforeEach(async () => {
  db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
  await createSchema(db);
  stores = createLocalStores(
    db,
    () => 1000,
    () => undefined,
  );
  await stores.catalogue.setNaming(serviceId, { separator: '/', versionMark: '@{number}' });
});
afterEach(() => {
  stores.catalogue.close();
  db.close();
});

async function add(...identifiers: string[]): Promise<number[]> {
  const patch = { state: 'gone', lengthBytes: 7, sha256: 'a'.repeat(64), note: 'mine' } as const;
  const history = { action: 'deleted' } as const;
  const added = await stores.catalogue.add(
    serviceId,
    identifiers.map((identifier) => ({ kind: 'data', identifier, patch, history })),
  );
  return added.map(({ record }) => record.id);
}

const shown = async () =>
  (await stores.catalogue.page(gone, 0, 100)).rows.map(({ identifier }) => identifier);
const tally = () => db.prepare('SELECT state, objects, bytes FROM tally WHERE objects > 0').all();

it('puts rows back exactly as they were, with note and history, in their place', async () => {
  const { catalogue } = stores;
  const ids = await add('a/1', 'a/2', 'a/3');
  await catalogue.update([
    { id: ids[1] ?? 0, patch: { note: 'newer' }, history: { action: 'noteChanged' } },
    {
      id: ids[0] ?? 0,
      patch: { parts: { count: 2, manifestBytes: 3, manifestSha256: 'b'.repeat(64) } },
      manifest: '{}',
      missingParts: [1],
    },
  ]);
  await catalogue.collections(serviceId);
  const all = async () => ({
    rows: await catalogue.getMany(ids),
    histories: await Promise.all(ids.map((id) => catalogue.history(id, 10))),
    manifest: [await catalogue.manifestOf(ids[0] ?? 0), await catalogue.missingPartsOf(ids[0] ?? 0)],
    tally: tally(),
    shown: await shown(),
  });
  const before = await all();
  expect(await catalogue.remove([ids[0] ?? 0], 'r')).toBe(true);
  expect(await catalogue.remove([ids[1] ?? 0], 'r')).toBe(true);
  expect(await shown()).toEqual(['a/3']);
  expect(await catalogue.putBack('r')).toBe(2);
  expect(await all()).toEqual(before);
  await expect(catalogue.putBack('r')).rejects.toMatchObject({
    error: { code: 'notFound', what: 'removal' },
  });
});

it('leaves a row away whose identifier the list has again', async () => {
  const { catalogue } = stores;
  const ids = await add('a', 'b');
  await catalogue.remove(ids, 'r');
  await catalogue.add(serviceId, [
    { kind: 'data', identifier: 'a', patch: { state: 'stored', note: 'other' } },
  ]);
  expect(await catalogue.putBack('r')).toBe(1);
  const found = await catalogue.findByIdentifiers(serviceId, 'data', ['a', 'b']);
  expect([...found.values()].map(({ identifier, note }) => [identifier, note])).toEqual([
    ['a', 'other'],
    ['b', 'mine'],
  ]);
});

it('undoes ten removals, one by one, and no more rows than fit into memory', async () => {
  const { catalogue } = stores;
  const ids = await add(...Array.from({ length: 12 }, (_, at) => String(at)));
  for (const [at, id] of ids.entries()) await catalogue.remove([id], String(at));
  await expect(catalogue.putBack('1')).rejects.toMatchObject({ error: { what: 'removal' } });
  for (let at = 11; at >= 2; at -= 1) expect(await catalogue.putBack(String(at))).toBe(1);
  const many = await add(...Array.from({ length: 20_001 }, (_, at) => `many/${at}`));
  expect(await catalogue.remove(many.slice(0, 20_000), 'many')).toBe(true);
  expect(await catalogue.remove(many.slice(20_000), 'many')).toBe(false);
  await expect(catalogue.putBack('many')).rejects.toMatchObject({ error: { what: 'removal' } });
  expect(db.prepare('SELECT count(*) AS count FROM temp.removed_object').get()).toEqual({ count: 0 });
});

it('puts nothing back into another list, nor what was removed by itself', async () => {
  const { catalogue } = stores;
  const [a = 0, b = 0] = await add('a', 'b');
  await catalogue.remove([a], 'r');
  expect(await catalogue.remove([b])).toBe(false);
  await catalogue.removeService(serviceId);
  await catalogue.setNaming('p2', { separator: '/', versionMark: '@{number}' });
  await expect(catalogue.putBack('r')).rejects.toMatchObject({ error: { what: 'removal' } });
  expect(db.prepare('SELECT count(*) AS count FROM object').get()).toEqual({ count: 0 });
});
