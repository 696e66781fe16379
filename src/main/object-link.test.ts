import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeLink, readLink } from './object-link.ts';
import { anyCharacter } from '../../test-support/any-character.ts';

test('a link names the service and the object, whatever characters they have', () => {
  expect(makeLink({ address: 'https://objects.example.org/v1', identifier: 'reports/a b+c.pdf' })).toBe(
    'coffer://object?service=https%3A%2F%2Fobjects.example.org%2Fv1&id=reports%2Fa+b%2Bc.pdf',
  );
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc
        .string({ minLength: 1, unit: anyCharacter })
        .filter((id) => id.isWellFormed() && id !== '.' && id !== '..'),
      (address, identifier) => {
        expect(readLink(makeLink({ address, identifier }))).toEqual({ address, identifier });
      },
    ),
  );
});

test('a slash after the host is what some systems add', () => {
  expect(readLink('coffer://object/?service=local&id=a')).toEqual({ address: 'local', identifier: 'a' });
});

test.each([
  'coffer://object',
  'coffer://object?service=local',
  'coffer://object?id=a',
  'coffer://object?service=local&id=..',
  'coffer://object/more?service=local&id=a',
  'coffer://delete?service=local&id=a',
  'coffer:object?service=local&id=a',
  'https://object?service=local&id=a',
  'coffer://',
  '--inspect',
  `coffer://object?service=${'a'.repeat(2001)}&id=a`,
  `coffer://object?service=local&id=${'a'.repeat(100_000)}`,
])('%.50s is none', (text) => {
  expect(readLink(text)).toBeNull();
});
