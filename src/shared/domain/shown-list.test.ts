import { expect, it } from 'vitest';
import { favouriteSchema, shownListSchema } from './shown-list.ts';

it('reads what was left in Not in a folder, before Files began there, as Files', () => {
  const left = { kind: 'data', place: { kind: 'unfiled' } };
  const sort = { column: 'stored', direction: 'descending' };
  const files = { kind: 'folder', path: '' };
  expect(
    shownListSchema.parse({ ...left, sorts: { objects: sort, secrets: sort, gone: sort } }).place,
  ).toEqual(files);
  expect(favouriteSchema.parse({ ...left, search: 'a' }).place).toEqual(files);
});
