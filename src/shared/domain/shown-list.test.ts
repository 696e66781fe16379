import { expect, it } from 'vitest';
import { favouriteSchema, favouritesAfter, shownListSchema } from './shown-list.ts';

it('reads what was left in Not in a folder, before Files began there, as Files', () => {
  const left = { kind: 'data', place: { kind: 'unfiled' } };
  const sort = { column: 'stored', direction: 'descending' };
  const files = { kind: 'folder', path: '' };
  expect(
    shownListSchema.parse({ ...left, sorts: { objects: sort, secrets: sort, gone: sort } }).place,
  ).toEqual(files);
  expect(favouriteSchema.parse({ ...left, search: 'a' }).place).toEqual(files);
});

it('favourites follow a folder that is moved, and what is searched in it', () => {
  const at = (path: string, search = '') =>
    ({ kind: 'data', place: { kind: 'folder', path }, search }) as const;
  const all = { kind: 'data', place: { kind: 'all' }, search: 'a' } as const;
  const named = { ...at('a/b', 'x'), name: 'Mine' };
  const changes = [{ from: 'a', to: 'c/d' }];
  expect(favouritesAfter([at('a'), named, at('ab'), all], changes, '/')).toEqual([
    at('c/d'),
    { ...named, place: { kind: 'folder', path: 'c/d/b' } },
    at('ab'),
    all,
  ]);
  expect(favouritesAfter([at('c/d'), at('a')], changes, '/')).toEqual([at('c/d')]);
});
