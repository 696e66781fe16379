import { expect, it } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import { createGrants } from './grants.ts';

const notFound = new AppFailure({ code: 'notFound', what: 'grant' });

it('returns opaque grants in order, and forgets used ones', () => {
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
  const [first = ''] = grants.grant(['/a']);
  const [second = ''] = grants.grant(['/b']);
  const [third = ''] = grants.grant(['/c']);
  expect(() => grants.resolve(first)).toThrow(notFound);
  expect([grants.resolve(second), grants.resolve(third)]).toEqual(['/b', '/c']);
});

it('keeps as many grants of one call as there are files', () => {
  const grants = createGrants(2);
  const [before = ''] = grants.grant(['/old']);
  const given = grants.grant(['/a', '/b', '/c']);
  expect(given.map((grant) => grants.resolve(grant))).toEqual(['/a', '/b', '/c']);
  expect(() => grants.resolve(before)).toThrow(notFound);
});
