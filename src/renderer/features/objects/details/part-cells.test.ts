import { expect, test } from 'vitest';
import { cellsOf, countsOf } from './PartBar.tsx';

test('a cell for each part, in the order of the file', () => {
  const parts = {
    total: 6,
    partBytes: 1,
    runs: [
      { state: 'there', count: 3 },
      { state: 'missing', count: 1 },
      { state: 'there', count: 2 },
    ] as const,
  };
  expect(cellsOf({ ...parts, runs: [...parts.runs] })).toEqual([
    'there',
    'there',
    'there',
    'missing',
    'there',
    'there',
  ]);
  expect(countsOf({ ...parts, runs: [...parts.runs] })).toEqual([
    { state: 'missing', count: 1 },
    { state: 'there', count: 5 },
  ]);
});

test('with more than a thousand parts, a cell stands for several and shows the most important state', () => {
  const cells = cellsOf({
    total: 2_500,
    partBytes: 1,
    runs: [
      { state: 'there', count: 4 },
      { state: 'missing', count: 1 },
      { state: 'there', count: 2_495 },
    ],
  });
  expect(cells).toHaveLength(834);
  expect(cells[1]).toBe('missing');
  expect(new Set([cells[0], cells[2], cells[833]])).toEqual(new Set(['there']));
});
