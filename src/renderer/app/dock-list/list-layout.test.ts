import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesBetween, layOut, placeOf, type HeightsByIndex, type ListShape } from './list-layout.ts';

const shape: ListShape<'needsYou' | 'moving' | 'waiting' | 'done'> = [
  ['needsYou', 124],
  ['moving', 58],
  ['waiting', 46],
  ['done', 46],
];
const measured: typeof shape = [['needsYou', 124, 'measured'], ...shape.slice(1)];
const heightsArbitrary = fc
  .array(fc.tuple(fc.nat(80), fc.integer({ min: 40, max: 200 })))
  .map((pairs): HeightsByIndex => new Map(pairs));
const countsArbitrary = fc.record({
  needsYou: fc.nat(50),
  moving: fc.nat(8),
  waiting: fc.nat(20_000),
  done: fc.nat(20_000),
});

describe('layOut', () => {
  it('leaves empty groups out', () => {
    const { groups } = layOut(shape, { needsYou: 0, moving: 2, waiting: 0, done: 1 });
    expect(groups.map(({ group }) => group)).toEqual(['moving', 'done']);
  });

  it('finds every entry at exactly one place', () => {
    fc.assert(
      fc.property(countsArbitrary, heightsArbitrary, fc.nat(), (counts, heights, seed) => {
        const layout = layOut(measured, counts, { heights });
        if (layout.total === 0) return;
        const index = seed % layout.total;
        const { top, height } = placeOf(layout, index) ?? { top: 0, height: 0 };
        expect(entriesBetween(layout, top, top + height)).toEqual({ offset: index, count: 1 });
      }),
    );
  });

  it('leaves room above the entries of a group, where no entry lies', () => {
    const layout = layOut(shape, { needsYou: 0, moving: 1 }, { above: { needsYou: 96 } });
    const [needsYou, moving] = layout.groups;
    expect([needsYou?.count, needsYou?.begin]).toEqual([0, 128]);
    expect(moving?.top).toBe(134);
    expect(placeOf(layout, 0)?.placed.group).toBe('moving');
  });

  it('collapses a group into its heading: its entries are neither requested nor placed', () => {
    const layout = layOut(shape, { moving: 1, done: 1204 }, { folded: 'done' });
    expect(entriesBetween(layout, 0, 100_000)).toEqual({ offset: 0, count: 1 });
    expect(placeOf(layout, 5)).toBeNull();
    expect(layout.height).toBe(32 + 58 + 6 + 40);
  });

  it('makes the entries of a measured group as tall as they are, and no others', () => {
    const heights = new Map([
      [0, 73],
      [2, 91],
      [3, 200],
    ]);
    const layout = layOut(measured, { needsYou: 3, moving: 1 }, { heights });
    const places = [0, 1, 2, 3].map((index) => placeOf(layout, index));
    expect(places.map((place) => [place?.top, place?.height])).toEqual([
      [32, 73],
      [105, 124],
      [229, 91],
      [358, 58],
    ]);
    expect(layout.height).toBe(358 + 58 + 6);
  });

  it('places nothing outside the list', () => {
    const layout = layOut(shape, { moving: 2 });
    expect([placeOf(layout, 2), placeOf(layOut(shape, {}), 0)]).toEqual([null, null]);
  });

  it('covers a view without gaps', () => {
    fc.assert(
      fc.property(countsArbitrary, heightsArbitrary, fc.nat(2_000_000), (counts, heights, from) => {
        const layout = layOut(measured, counts, { heights });
        const { offset, count } = entriesBetween(layout, from, from + 700);
        const topOf = (index: number) => placeOf(layout, index)?.top ?? -1;
        const inView = Array.from({ length: Math.min(layout.total, 200) }, (_, index) => index).filter(
          (index) => topOf(index) >= from && topOf(index) < from + 700,
        );
        expect(inView.every((index) => index >= offset && index < offset + count)).toBe(true);
      }),
    );
  });
});
