import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeMoved, sortByKeys } from './sorting.ts';

const key = fc.oneof(fc.constantFrom(-1, 0, 1, 65_535, 65_536, 2 ** 32, 1_800_000_000_000), fc.maxSafeNat());

function sorted(slots: readonly number[], keys: readonly number[]): number[] {
  return slots.toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}

it('sorts slots by whole numbers of any size, equal ones as they stood', () => {
  fc.assert(
    fc.property(fc.array(key), fc.gen(), (keys, gen) => {
      const all = keys.map((_, slot) => slot);
      const slots = gen(() => fc.shuffledSubarray(all));
      expect([...sortByKeys(Int32Array.from(slots), Float64Array.from(keys))]).toEqual(sorted(slots, keys));
    }),
  );
});

it('puts what has moved, and what is new, where it belongs', () => {
  fc.assert(
    fc.property(fc.array(key), fc.gen(), (keys, gen) => {
      const all = keys.map((_, slot) => slot);
      const known = gen(() => fc.subarray(all));
      const isKnown = new Set(known);
      const moved = new Set([...gen(() => fc.subarray(known)), ...all.filter((slot) => !isKnown.has(slot))]);
      // Before, those that moved stood anywhere.
      const before = known.map((slot) => (moved.has(slot) ? gen(() => key) : (keys[slot] ?? 0)));
      const order = known.map((_, at) => at).toSorted((a, b) => (before[a] ?? 0) - (before[b] ?? 0) || a - b);
      const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b;
      const merged = mergeMoved(
        Int32Array.from(order, (at) => known[at] ?? 0),
        moved,
        compare,
      );
      expect([...merged]).toEqual(all.toSorted(compare));
    }),
  );
});
