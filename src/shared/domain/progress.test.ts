import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureThroughput, timeLeftMs, type Throughput } from './progress.ts';

/** Measures every quarter of a second while bytes move in steps. @returns the displayed speeds over time */
function watch(steps: readonly { atMs: number; doneBytes: number }[], untilMs: number): (number | null)[] {
  const said: (number | null)[] = [];
  let pace: Throughput | null = null;
  for (let nowMs = 250; nowMs <= untilMs; nowMs += 250) {
    const seen = steps.findLast(({ atMs }) => atMs <= nowMs);
    if (seen) pace = measureThroughput(pace, nowMs, seen);
    said.push(pace?.bytesPerSecond ?? null);
  }
  return said;
}

test('reports a steady speed exactly, however large the steps are, and nothing for two seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 9000 }), (stepMs) => {
      const steps = Array.from({ length: Math.ceil(40_000 / stepMs) }, (_, index) => ({
        atMs: index * stepMs,
        doneBytes: index * stepMs * 5,
      }));
      const said = watch(steps, 30_000);
      expect(said.slice(0, 8)).toEqual(Array(8).fill(null));
      expect(said.at(-1)).toBeCloseTo(5000);
      for (const speed of said.filter((each) => each !== null)) expect(speed).toBeCloseTo(5000);
    }),
  );
});

test('reports a changed speed in full after four seconds, and a standstill', () => {
  const steps = Array.from({ length: 101 }, (_, index) => ({
    atMs: index * 100,
    doneBytes: index <= 50 ? index * 100 : 5000 + (index - 50) * 300,
  }));
  const said = watch(steps, 60_000);
  const at = (nowMs: number) => said[nowMs / 250 - 1];
  expect(at(5000)).toBeCloseTo(1000);
  expect(at(7000)).toBeCloseTo(2000, -2);
  expect(at(9500)).toBeCloseTo(3000);
  expect(at(12_000)).toBeLessThan(2500);
  expect(at(60_000)).toBeLessThan(50);
});

test('measures a restarted transfer from scratch', () => {
  const pace = measureThroughput({ doneBytes: 10, steps: [], bytesPerSecond: 7 }, 20, {
    atMs: 15,
    doneBytes: 0,
  });
  expect(pace).toEqual({ doneBytes: 0, steps: [], bytesPerSecond: null });
});

test('time left', () => {
  expect(timeLeftMs(1000, 5000)).toBe(5000);
  expect(timeLeftMs(null, 5000)).toBeNull();
  expect(timeLeftMs(0, 5000)).toBeNull();
  expect(timeLeftMs(1000, null)).toBeNull();
});
