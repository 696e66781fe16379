import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNewest } from './newest-version.ts';

test('the newest of a family without holes is found, whatever the list believes, in few looks', async () => {
  const found = fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5000 }),
      fc.array(fc.integer({ min: 1, max: 6000 }), { maxLength: 9 }),
      async (newest, known) => {
        let looks = 0;
        const answer = await findNewest(known, async (number) => {
          looks += 1;
          return number <= newest ? { present: true, lengthBytes: number } : { present: false };
        });
        expect(answer?.number).toBe(newest);
        expect(answer?.seen).toEqual(
          newest === 0 ? { present: false } : { present: true, lengthBytes: newest },
        );
        expect(looks).toBeLessThanOrEqual(35);
      },
    ),
  );
  await expect(found).resolves.toBeUndefined();
});

test('the one after the newest is always free, also where versions were deleted', async () => {
  const there = new Set([1, 2, 3, 4, 7, 8]);
  const look = async (number: number) =>
    there.has(number) ? ({ present: true, lengthBytes: 1 } as const) : ({ present: false } as const);
  expect((await findNewest([8, 7, 1], look))?.number).toBe(8);
  const answer = await findNewest([1], look);
  expect(there.has((answer?.number ?? 0) + 1)).toBe(false);
  expect(there.has(answer?.number ?? 0)).toBe(true);
});

test('a service that shows whatever it is asked for has no newest', async () => {
  expect(await findNewest([1], async () => ({ present: true, lengthBytes: 1 }))).toBeNull();
});
