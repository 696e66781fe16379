import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fewerExamples } from '../test-support/fewer-examples.ts';

test('no further example begins after the limit, and the last one has ended', async () => {
  let nowMs = 0;
  let [begun, ended] = [0, 0];
  const property = fc.asyncProperty(fc.nat(), async () => {
    begun += 1;
    nowMs += 10;
    await setImmediate();
    ended += 1;
  });
  await fc.assert(property, { plugins: [fewerExamples(25, () => nowMs)] });
  expect([begun, ended]).toEqual([3, 3]);
});

test('reports what the last example finds', async () => {
  let nowMs = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    nowMs += 30;
    await setImmediate();
    throw new Error('found');
  });
  await expect(fc.assert(property, { plugins: [fewerExamples(25, () => nowMs)] })).rejects.toThrow(
    'Property failed',
  );
});

test('draws texts and lists up to the length that a test names', () => {
  const lengthsOf = (drawn: readonly { length: number }[]) => drawn.map(({ length }) => length);
  expect(Math.max(...lengthsOf(fc.sample(fc.string({ maxLength: 400 }), 100)))).toBeGreaterThan(100);
  expect(Math.max(...lengthsOf(fc.sample(fc.array(fc.nat(), { maxLength: 60 }), 100)))).toBeGreaterThan(30);
});
