import { expect, it } from 'vitest';
import { columnsThatFit } from './columns.ts';

const widthsAt = (gridPx: number, columnWidths = {}) =>
  Object.fromEntries(
    columnsThatFit({ hiddenColumns: ['checked'], columnWidths }, gridPx).map(({ column, widthPx }) => [
      column,
      widthPx,
    ]),
  );

it('gives the columns more where the name has enough', () => {
  const usual = { classification: 86, size: 62, stored: 83, state: 136 };
  const roomy = { classification: 132, size: 72, stored: 132, state: 160 };
  expect(widthsAt(736)).toEqual(usual);
  expect(widthsAt(1031)).toEqual(usual);
  expect(widthsAt(1032)).toEqual(roomy);
  expect(widthsAt(1032, { state: 300 })).toEqual({ ...roomy, state: 300 });
});
