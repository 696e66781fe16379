import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folderAbove, nameWithin } from '../../../shared/domain/folder.ts';
import { FolderTree } from './folder-tree.ts';

const none = new Float64Array();
const segment = fc.constantFrom('a', 'b2', 'b10', 'c');
const folder = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
const change = fc.record({ folder, bytes: fc.nat(1000), goes: fc.boolean() });

it('lists the folders of a folder with what is in them, also after they have emptied and filled again', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const tree = new FolderTree('/');
      const objects: { folder: string; bytes: number }[] = [];
      for (const { folder: path, bytes, goes } of changes) {
        const going = goes ? objects.findIndex((object) => object.folder === path) : -1;
        const gone = going < 0 ? undefined : objects.splice(going, 1)[0];
        if (gone !== undefined) tree.tally(tree.place(`${path}/x`), -1, -gone.bytes);
        else {
          objects.push({ folder: path, bytes });
          tree.tally(tree.place(`${path}/x`), 1, bytes);
        }
        for (const parent of ['', 'a', 'a/b2'])
          expect(tree.rows(parent, 0, 10, none).rows).toEqual(inside(parent));
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
});

it('gives a part of many folders', () => {
  const tree = new FolderTree('/');
  for (let n = 0; n < 10_000; n += 1) tree.tally(tree.place(`f${n}/x`), 1, 1);
  const { total, rows } = tree.rows('', 9_990, 500, none);
  expect({ total, shown: rows.length }).toEqual({ total: 10_000, shown: 10 });
  expect(tree.rows('', 10_000, 500, none).rows).toEqual([]);
  expect(rows.map(({ path }) => tree.indexIn('', path))).toEqual(rows.map((_, at) => 9_990 + at));
  expect([tree.indexIn('', 'nowhere'), tree.indexIn('f1', 'f2')]).toEqual([null, null]);
});
