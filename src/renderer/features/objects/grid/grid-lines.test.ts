import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrangeLines, type Lines } from './grid-lines.ts';

/** Four folders on two lines, and seven objects on two. */
const shape: Lines = { perLine: 5, linePx: 168, folders: { perLine: 3, linePx: 52 } };
const lines = arrangeLines(shape, 4, 11);

it('puts folders on lines of their own, and objects after them', () => {
  expect([lines.count, lines.folderLines]).toEqual([4, 2]);
  expect(Array.from({ length: 11 }, (_, index) => lines.lineOf(index))).toEqual([
    0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3,
  ]);
  expect([0, 1, 2, 3, 4].map(lines.startOf)).toEqual([0, 3, 4, 9, 11]);
});

it('moves between folders and objects at the same position in the line', () => {
  const down = (index: number) => lines.below(index, 1);
  const up = (index: number) => lines.below(index, -1);
  // The second line has only one folder.
  expect([0, 1, 2].map(down)).toEqual([3, 3, 3]);
  expect(down(3)).toBe(4);
  expect([4, 8].map(up)).toEqual([3, 3]);
  expect([4, 5, 6, 8].map(down)).toEqual([9, 10, 10, 10]);
  expect([9, 10].map(down)).toEqual([10, 10]);
  expect([0, 2].map(up)).toEqual([0, 2]);
  const one = arrangeLines(shape, 3, 11);
  expect([0, 1, 2].map((index) => one.below(index, 1))).toEqual([3, 5, 7]);
  expect([3, 4, 5, 6, 7].map((index) => one.below(index, -1))).toEqual([0, 0, 1, 2, 2]);
});

it('puts each row on exactly one line, whatever the number per line', () => {
  const perLine = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(perLine, perLine, fc.nat(50), fc.nat(50), (objects, folders, folderCount, objectCount) => {
      const of = { perLine: objects, linePx: 1, folders: { perLine: folders, linePx: 1 } };
      const total = folderCount + objectCount;
      const { count, lineOf, startOf, below } = arrangeLines(of, folderCount, total);
      expect(startOf(count)).toBe(total);
      for (let index = 0; index < total; index += 1) {
        const line = lineOf(index);
        expect(index >= startOf(line) && index < startOf(line + 1)).toBe(true);
        expect(lineOf(below(index, 1))).toBe(Math.min(line + 1, count - 1));
        expect(lineOf(below(index, -1))).toBe(Math.max(line - 1, 0));
      }
    }),
  );
});
