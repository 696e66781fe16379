import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { ObjectQuery } from '../../shared/domain/object.ts';
import { openLocalDatabase } from '../../../test-support/main/database/local-database.ts';
import { Listings } from './listings.ts';

const serviceId = 'p1';
const query: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'identifier', direction: 'ascending' },
};

async function open(names: readonly string[]) {
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), () => 1);
  const { catalogue } = database;
  onTestFinished(() => database.close());
  const add = async (some: readonly string[]) =>
    catalogue.add(
      serviceId,
      some.map((identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' } })),
    );
  const added = await add(names);
  const listings = new Listings(catalogue);
  const page = async (listing: string, offset: number) =>
    (await listings.page(listing, query, offset, 2)).rows.map(({ identifier }) => identifier);
  return { catalogue, add, ids: added.map(({ record }) => record.id), page };
}

test('no row comes twice or is missed while the list changes between its pages', async () => {
  const { catalogue, add, ids, page } = await open(['b', 'c', 'd', 'e', 'f']);
  const first = await page('one', 0);
  // Rows added before the next page would move its rows down, and removed rows would move them up.
  await add(['a', 'a2']);
  const [, , , e = 0] = ids;
  await catalogue.remove([e]);
  expect([first, await page('one', 2), await page('one', 4)]).toEqual([['b', 'c'], ['d'], ['f']]);
  expect(await page('another', 0)).toEqual(['a', 'a2']);
});

test('reports a dropped listing', async () => {
  const { page } = await open(['a', 'b', 'c', 'd', 'e']);
  await page('first', 0);
  for (const listing of ['2', '3', '4', '5', '6', '7', '8']) await page(listing, 0);
  expect(await page('first', 2)).toEqual(['c', 'd']);
  await page('9', 0);
  await expect(page('2', 2)).rejects.toMatchObject({ error: { code: 'notFound', what: 'selection' } });
});
