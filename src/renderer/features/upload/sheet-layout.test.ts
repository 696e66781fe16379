import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsBetween, topOfRow } from './sheet-layout.ts';

it('shows exactly the rows that touch the view', () => {
  fc.assert(
    fc.property(
      fc.nat(20_000),
      fc.nat(300),
      fc.nat(300),
      fc.nat(800_000),
      (total, problems, mayBeRefused, top) => {
        const counts = { total: total + problems + mayBeRefused, problems, mayBeRefused, changed: 0 };
        const { from, to } = rowsBetween(counts, top, top + 400);
        for (const index of [from - 1, from, to - 1, to]) {
          if (index < 0 || index >= counts.total) continue;
          const touches = topOfRow(counts, index) < top + 400 && topOfRow(counts, index + 1) > top;
          expect(touches).toBe(index >= from && index < to);
        }
      },
    ),
  );
});
