import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureThroughput, timeLeftMs, type Throughput } from './progress.ts';

test('reports a steady speed exactly, however often it is read', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }), (steps) => {
      let pace: Throughput = measureThroughput(null, 0, 0);
      for (const step of steps) pace = measureThroughput(pace, pace.atMs + step, pace.doneBytes + step * 5);
      expect(pace.bytesPerSecond).toBeCloseTo(5000);
    }),
  );
});

test('a change has half its say after the half-life, whether seen in one look or many', () => {
  const start: Throughput = { atMs: 0, doneBytes: 0, bytesPerSecond: 1000 };
  expect(measureThroughput(start, 2000, 0).bytesPerSecond).toBeCloseTo(500);
  let pace = start;
  for (let look = 1; look <= 20; look += 1) pace = measureThroughput(pace, look * 100, 0);
  expect(pace.bytesPerSecond).toBeCloseTo(500);
});

test('two looks at the same moment, and one that began again', () => {
  const pace: Throughput = { atMs: 10, doneBytes: 10, bytesPerSecond: 7 };
  expect(measureThroughput(pace, 10, 20)).toBe(pace);
  expect(measureThroughput(pace, 20, 0)).toEqual({ atMs: 20, doneBytes: 0, bytesPerSecond: null });
});

test('time left', () => {
  expect(timeLeftMs(1000, 5000)).toBe(5000);
  expect(timeLeftMs(null, 5000)).toBeNull();
  expect(timeLeftMs(0, 5000)).toBeNull();
  expect(timeLeftMs(1000, null)).toBeNull();
});
