import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrollHeight, topThatShows, toScrollTop, toTop, visibleRows, type ScrollMap } from './scroll-map.ts';

const chromiumLimitPx = 33_554_428;
const open: fc.Arbitrary<NonNullable<ScrollMap['open']>> = fc.record({
  index: fc.nat(10_000_000),
  byPx: fc.integer({ min: 50, max: 600 }),
});
const map: fc.Arbitrary<ScrollMap> = fc
  .record({
    total: fc.integer({ min: 1, max: 10_000_000 }),
    rowPx: fc.constantFrom(28, 32),
    viewportPx: fc.integer({ min: 100, max: 2000 }),
    open: fc.option(open, { nil: null }),
    above: fc.record({ count: fc.nat(1000), rowPx: fc.constantFrom(28, 52) }),
  })
  .map((each) => ({
    ...each,
    open: each.open && { ...each.open, index: each.open.index + each.above.count },
  }));

describe('scroll map', () => {
  it('stays below the height that Chromium can lay out, and is exact for a million rows', () => {
    fc.assert(
      fc.property(map, (each) => {
        expect(scrollHeight(each)).toBeLessThan(chromiumLimitPx);
      }),
    );
    expect(toTop({ total: 1_000_000, rowPx: 32, viewportPx: 600 }, 31_000_000)).toBe(31_000_000);
  });

  it('reaches the first and the last row', () => {
    fc.assert(
      fc.property(map, (each) => {
        expect(visibleRows(each, toTop(each, 0)).from).toBe(0);
        const end = Math.max(0, scrollHeight(each) - each.viewportPx);
        expect(visibleRows(each, toTop(each, end)).to).toBe(each.total);
      }),
    );
  });

  it('shows a requested row, even after a round trip through the scrollbar', () => {
    fc.assert(
      fc.property(map, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (each, at, row) => {
        const index = row % each.total;
        const before = toTop(each, at * Math.max(0, scrollHeight(each) - each.viewportPx));
        const top = topThatShows(each, before, index);
        const shown = visibleRows(each, toTop(each, toScrollTop(each, top)));
        expect(shown.from).toBeLessThanOrEqual(index);
        expect(shown.to).toBeGreaterThan(index);
      }),
    );
  });

  it('never shows more rows than fit', () => {
    fc.assert(
      fc.property(map, fc.double({ min: 0, max: 1, noNaN: true }), (each, at) => {
        const { from, to } = visibleRows(each, toTop(each, at * scrollHeight(each)));
        expect(to - from).toBeLessThanOrEqual(
          Math.ceil(each.viewportPx / Math.min(each.rowPx, each.above?.rowPx ?? Infinity)) + 1,
        );
      }),
    );
  });
});
