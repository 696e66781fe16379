import fc from 'fast-check';
import { expect, it } from 'vitest';
import { classStep } from './ClassBadge.tsx';

it('spreads the listed values from the first step to the last, in order', () => {
  const listed = ['Public', 'Internal', 'Confidential', 'Restricted', 'Secret'];
  expect(listed.map((value) => classStep(value, listed))).toEqual([1, 2, 4, 5, 7]);
  expect(classStep('Only', ['Only'])).toBe(1);
});

it('gives the usual names different steps without a list', () => {
  const usual = ['Public', 'Internal', 'Confidential', 'Restricted', 'Secret'];
  expect(usual.map((value) => classStep(value, []))).toEqual([1, 2, 4, 5, 7]);
});

it('always gives a value the same step', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('Public', 'Internal', 'Secret'));
  fc.assert(
    fc.property(name, fc.uniqueArray(name), (value, listed) => {
      const step = classStep(value, listed);
      expect(step).toBeGreaterThanOrEqual(1);
      expect(step).toBeLessThanOrEqual(7);
      expect(classStep(value, listed)).toBe(step);
    }),
  );
});
