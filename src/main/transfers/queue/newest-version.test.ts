import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { factBits } from '../../../shared/domain/unverified.ts';
import { findNewest, numbersToTry } from './newest-version.ts';

test('finds the newest of versions without gaps in few requests, whatever the list knows', async () => {
  const found = fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5000 }),
      fc.array(fc.integer({ min: 1, max: 6000 }), { maxLength: 6 }),
      async (newest, known) => {
        let checks = 0;
        const answer = await findNewest(known, 0, async (number) => {
          checks += 1;
          return number <= newest ? { present: true, lengthBytes: number } : { present: false };
        });
        expect(answer?.number).toBe(newest);
        expect(answer?.seen).toEqual(
          newest === 0 ? { present: false } : { present: true, lengthBytes: newest },
        );
        expect(checks).toBeLessThanOrEqual(35);
      },
    ),
  );
  await expect(found).resolves.toBeUndefined();
});

test('the number after the newest is always free, even if versions were deleted', async () => {
  const there = new Set([1, 2, 3, 4, 7, 8]);
  const request = async (number: number) =>
    there.has(number) ? ({ present: true, lengthBytes: 1 } as const) : ({ present: false } as const);
  expect((await findNewest([8, 7, 1], 0, request))?.number).toBe(8);
  const answer = await findNewest([1], 0, request);
  expect(there.has((answer?.number ?? 0) + 1)).toBe(false);
  expect(there.has(answer?.number ?? 0)).toBe(true);
});

test('numbers that a list made up do not keep those that were seen from being tried', async () => {
  const version = (number: number, unverified?: number) =>
    ({ number, record: { unverified } }) as Parameters<typeof numbersToTry>[0][number];
  const told = Array.from({ length: 50 }, (_, index) => version(1000 + index, factBits.presence));
  const numbers = numbersToTry([version(700), ...told]);
  expect(numbers.length).toBeLessThanOrEqual(12);
  const there = new Set([700, 701]);
  const newest = await findNewest(numbers, 0, async (number) =>
    there.has(number) ? { present: true, lengthBytes: 1 } : { present: false },
  );
  expect(newest?.number).toBe(701);
});

test('returns null for a service that reports every number as present', async () => {
  expect(await findNewest([1], 10, async () => ({ present: true, lengthBytes: 1 }))).toBeNull();
  const highest = 100_000_000;
  expect(
    await findNewest([highest], 10, async (number) =>
      number === highest ? { present: true, lengthBytes: 1 } : { present: false },
    ),
  ).toBeNull();
});

describe('past a gap', () => {
  const asked: number[] = [];
  const lookAt = (there: readonly number[]) => {
    asked.length = 0;
    return async (number: number) => {
      asked.push(number);
      return there.includes(number)
        ? ({ present: true, lengthBytes: 1 } as const)
        : ({ present: false } as const);
    };
  };

  test.each([
    { there: [1, 5], reach: 10, newest: 5 },
    { there: [1, 5], reach: 3, newest: 5 },
    { there: [1, 5], reach: 2, newest: 1 },
    { there: [1, 5], reach: 0, newest: 1 },
    { there: [1, 2, 9, 10, 11, 12, 20], reach: 7, newest: 20 },
    { there: [6], reach: 5, newest: 6 },
    { there: [], reach: 5, newest: 0 },
  ])('$there with a reach of $reach: $newest', async ({ there, reach, newest }) => {
    expect((await findNewest([1], reach, lookAt(there)))?.number).toBe(newest);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('asks for the next number and those past a gap in one round trip', async () => {
    const rounds: number[] = [];
    let open = 0;
    const newest = await findNewest([1], 10, async (number) => {
      if (open === 0) rounds.push(0);
      open += 1;
      rounds.push((rounds.pop() ?? 0) + 1);
      await setImmediate();
      open -= 1;
      return number === 1 ? { present: true, lengthBytes: 1 } : { present: false };
    });
    expect([newest?.number, rounds]).toEqual([1, [1, 11]]);
  });

  test('rejects after a failed request once the others have ended', async () => {
    let ended = 0;
    const found = findNewest([1], 10, async (number) => {
      if (number === 4) throw new Error('away');
      await setImmediate();
      ended += 1;
      return { present: number === 1, lengthBytes: 1 };
    });
    await expect(found).rejects.toThrow('away');
    expect(ended).toBe(11);
  });
});
