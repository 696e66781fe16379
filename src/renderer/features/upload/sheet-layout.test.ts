import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsBetween, topOfRow } from './FileTable.tsx';

it('shows exactly the rows that touch the view', () => {
  fc.assert(
    fc.property(
      fc.nat(20_000),
      fc.nat(600),
      fc.uniqueArray(fc.nat(500), { maxLength: 9 }),
      fc.nat(800_000),
      (others, first, below, top) => {
        const total = first + others;
        const notedBelow = below
          .map((place) => first + place)
          .filter((place) => place < total)
          .toSorted((one, other) => one - other);
        const rows = { total, first, notedBelow };
        const { from, to } = rowsBetween(rows, top, top + 400);
        for (const index of [from - 1, from, to - 1, to]) {
          if (index < 0 || index >= total) continue;
          const touches = topOfRow(rows, index) < top + 400 && topOfRow(rows, index + 1) > top;
          expect(touches).toBe(index >= from && index < to);
        }
      },
    ),
  );
});
