import fc from 'fast-check';
import { expect, it } from 'vitest';
import { insertAt, placesAmong, sortByKeys, without } from './sorting.ts';

const key = fc.oneof(fc.constantFrom(-1, 0, 1, 65_535, 65_536, 2 ** 32, 1_800_000_000_000), fc.maxSafeNat());

function sorted(slots: readonly number[], keys: readonly number[]): number[] {
  return slots.toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}

it('sorts slots stably by whole numbers of any size', () => {
  fc.assert(
    fc.property(fc.array(key), fc.gen(), (keys, gen) => {
      const all = keys.map((_, slot) => slot);
      const slots = gen(() => fc.shuffledSubarray(all));
      const given = Int32Array.from(slots);
      const work = sortByKeys(given, Float64Array.from(keys));
      let step = work.next();
      while (step.done !== true) step = work.next();
      expect([...step.value]).toEqual(sorted(slots, keys));
      expect([...given]).toEqual(slots);
    }),
  );
});

it('inserts moved and new slots where they belong', () => {
  fc.assert(
    fc.property(fc.array(key), fc.gen(), (keys, gen) => {
      const all = keys.map((_, slot) => slot);
      const known = gen(() => fc.subarray(all));
      const isKnown = new Set(known);
      const moved = new Set([...gen(() => fc.subarray(known)), ...all.filter((slot) => !isKnown.has(slot))]);
      // Moved rows may have been anywhere.
      const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b;
      const before = gen(() => fc.shuffledSubarray([...moved].filter((slot) => isKnown.has(slot))));
      const order = known.filter((slot) => !moved.has(slot)).toSorted(compare);
      for (const slot of before)
        order.splice(
          gen(() => fc.nat(order.length)),
          0,
          slot,
        );
      const kept = without(
        Int32Array.from(order),
        Uint8Array.from(all, (slot) => Number(moved.has(slot))),
      );
      const entering = [...moved].sort(compare);
      const merged = insertAt(kept, entering, placesAmong(kept, entering, compare));
      expect([...merged]).toEqual(all.toSorted(compare));
    }),
  );
});
