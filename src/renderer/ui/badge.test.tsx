import { expect, it } from 'vitest';
import { rampStep } from './Badge.tsx';

it('spreads classifications over the ramp', () => {
  expect([0, 1, 2, 3, 4].map((index) => rampStep(index, 5))).toEqual([1, 2, 4, 5, 7]);
  expect([0, 1, 2, 3].map((index) => rampStep(index, 4))).toEqual([1, 3, 5, 7]);
  expect([rampStep(0, 1), rampStep(-1, 5), rampStep(0, 0)]).toEqual([1, 1, 1]);
});
