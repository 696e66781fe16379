import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measurePace, timeLeftMs, type Pace } from './progress.ts';

test('a steady speed is told as it is, however often one looks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }), (steps) => {
      let pace: Pace = measurePace(null, 0, 0);
      for (const step of steps) pace = measurePace(pace, pace.atMs + step, pace.doneBytes + step * 5);
      expect(pace.bytesPerSecond).toBeCloseTo(5000);
    }),
  );
});

test('a change has half its say after the half-life, whether seen in one look or many', () => {
  const start: Pace = { atMs: 0, doneBytes: 0, bytesPerSecond: 1000 };
  expect(measurePace(start, 2000, 0).bytesPerSecond).toBeCloseTo(500);
  let pace = start;
  for (let look = 1; look <= 20; look += 1) pace = measurePace(pace, look * 100, 0);
  expect(pace.bytesPerSecond).toBeCloseTo(500);
});

test('two looks at the same moment, and one that began again', () => {
  const pace: Pace = { atMs: 10, doneBytes: 10, bytesPerSecond: 7 };
  expect(measurePace(pace, 10, 20)).toBe(pace);
  expect(measurePace(pace, 20, 0)).toEqual({ atMs: 20, doneBytes: 0, bytesPerSecond: null });
});

test('time left', () => {
  expect(timeLeftMs(1000, 5000)).toBe(5000);
  expect(timeLeftMs(null, 5000)).toBeNull();
  expect(timeLeftMs(0, 5000)).toBeNull();
  expect(timeLeftMs(1000, null)).toBeNull();
});
