import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesBetween, entryHeight, layOut, topOf } from './list-layout.ts';

const countsArbitrary = fc.record({
  needsYou: fc.nat(50),
  moving: fc.nat(8),
  waiting: fc.nat(20_000),
  done: fc.nat(20_000),
});

describe('layOut', () => {
  it('leaves empty groups out', () => {
    expect(layOut({ needsYou: 0, moving: 2, waiting: 0, done: 1 }).groups.map(({ group }) => group)).toEqual([
      'moving',
      'done',
    ]);
  });

  it('finds every entry at its own place and nowhere else', () => {
    fc.assert(
      fc.property(countsArbitrary, fc.nat(), (counts, seed) => {
        const layout = layOut(counts);
        if (layout.total === 0) return;
        const index = seed % layout.total;
        const top = topOf(layout, index);
        const group = layout.groups.findLast(({ first }) => first <= index)?.group ?? 'done';
        expect(entriesBetween(layout, top, top + entryHeight[group])).toEqual({ offset: index, count: 1 });
      }),
    );
  });

  it('covers a view without holes', () => {
    fc.assert(
      fc.property(countsArbitrary, fc.nat(2_000_000), (counts, from) => {
        const layout = layOut(counts);
        const { offset, count } = entriesBetween(layout, from, from + 700);
        const inView = Array.from({ length: Math.min(layout.total, 200) }, (_, index) => index).filter(
          (index) => topOf(layout, index) >= from && topOf(layout, index) < from + 700,
        );
        expect(inView.every((index) => index >= offset && index < offset + count)).toBe(true);
      }),
    );
  });
});
