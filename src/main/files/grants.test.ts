import { expect, it } from 'vitest';
import { AppFailure } from '../../shared/errors.ts';
import { createGrants } from './grants.ts';

const notFound = new AppFailure({ code: 'notFound', what: 'grant' });

it('gives opaque grants in order, and forgets them when used up', () => {
  const grants = createGrants();
  const [first = '', second = ''] = grants.grant(['/a', '/b']);
  expect(first).not.toContain('a/');
  expect([grants.resolve(first), grants.resolve(second)]).toEqual(['/a', '/b']);
  grants.forget([first]);
  expect(() => grants.resolve(first)).toThrow(notFound);
  expect(() => grants.resolve('__proto__')).toThrow(notFound);
});

it('keeps the newest when there are too many', () => {
  const grants = createGrants(2);
  const [first = '', second = '', third = ''] = grants.grant(['/a', '/b', '/c']);
  expect(() => grants.resolve(first)).toThrow(notFound);
  expect([grants.resolve(second), grants.resolve(third)]).toEqual(['/b', '/c']);
});
