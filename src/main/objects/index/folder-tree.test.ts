import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folderAbove, nameWithin } from '../../../shared/domain/folder.ts';
import type { SortColumn } from '../../../shared/domain/object.ts';
import { FolderTree } from './folder-tree.ts';

const none = new Float64Array();
const byName = { column: 'identifier', direction: 'ascending' } as const;
const segment = fc.constantFrom('a', 'b2', 'b10', 'c');
const folder = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
const change = fc.record({ folder, bytes: fc.nat(1000), goes: fc.option(fc.nat()) });

it('lists subfolders with their counts, even after they were emptied and filled again', () => {
  let refilled = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const tree = new FolderTree('/');
      const objects: { folder: string; bytes: number }[] = [];
      const filled = new Set<string>();
      for (const { folder: path, bytes, goes } of changes) {
        const [gone] = goes === null ? [] : objects.splice(goes % Math.max(1, objects.length), 1);
        if (gone) tree.tally(tree.place(`${gone.folder}/x`), -1, -gone.bytes);
        else {
          const isEmpty = !objects.some((object) => object.folder === path);
          refilled += Number(isEmpty && filled.has(path));
          filled.add(path);
          objects.push({ folder: path, bytes });
          tree.tally(tree.place(`${path}/x`), 1, bytes);
        }
        for (const parent of ['', 'a', 'a/b2'])
          expect(tree.order(parent, byName, none).map((at) => tree.row(at, parent, none))).toEqual(
            inside(parent),
          );
      }
      function inside(parent: string) {
        return ['a', 'b2', 'b10', 'c'].flatMap((name) => {
          const below = parent === '' ? name : `${parent}/${name}`;
          const found = objects.filter((object) => `${object.folder}/`.startsWith(`${below}/`));
          const totalBytes = found.reduce((sum, { bytes }) => sum + bytes, 0);
          return found.length === 0
            ? []
            : [{ path: below, name, count: found.length, totalBytes, newestAtMs: null }];
        });
      }
      for (const { path, hasChildren } of tree.children('a').folders) {
        expect(hasChildren).toBe(objects.some((object) => object.folder.startsWith(`${path}/`)));
        expect([folderAbove(path, '/'), nameWithin(path, 'a', '/').includes('/')]).toEqual(['a', false]);
      }
    }),
  );
  expect(refilled).toBeGreaterThan(0);
});

it('orders folders by name, size or newest object, and by name in other columns', () => {
  const tree = new FolderTree('/');
  const put = (path: string, bytes: number) => tree.tally(tree.place(`${path}/x`), 1, bytes);
  put('b', 30);
  put('a', 10);
  put('c', 10);
  const newest = Float64Array.from([-1, 200, 100]);
  const order = (column: SortColumn, direction: 'ascending' | 'descending') =>
    tree.order('', { column, direction }, newest).map((at) => tree.nameIn('', at));
  expect(order('identifier', 'ascending')).toEqual(['a', 'b', 'c']);
  expect(order('identifier', 'descending')).toEqual(['c', 'b', 'a']);
  expect(order('size', 'descending')).toEqual(['b', 'a', 'c']);
  expect(order('size', 'ascending')).toEqual(['a', 'c', 'b']);
  expect(order('stored', 'descending')).toEqual(['a', 'c', 'b']);
  expect(order('classification', 'descending')).toEqual(['a', 'b', 'c']);
});

it('lists folders that are kept without objects, with those above them', () => {
  const tree = new FolderTree('/');
  const shown = (parent: string) =>
    tree.children(parent).folders.map(({ name, count, hasChildren }) => [name, count, hasChildren]);
  tree.keep('a/b', true);
  expect(shown('')).toEqual([['a', 0, true]]);
  expect(shown('a')).toEqual([['b', 0, false]]);
  tree.tally(tree.place('a/b/x'), 1, 5);
  tree.keep('a/b', false);
  expect(shown('')).toEqual([['a', 1, true]]);
  tree.tally(tree.place('a/b/x'), -1, -5);
  expect([shown(''), shown('a')]).toEqual([[], []]);
});
