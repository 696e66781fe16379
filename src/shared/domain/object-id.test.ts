import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppFailure } from '../app-failure.ts';
import { checkObjectId, encodeObjectId } from './object-id.ts';
import { anyCharacter } from '../../../test-support/any-character.ts';

const travelling = fc.string({ unit: anyCharacter, minLength: 1 }).filter((id) => checkObjectId(id).ok);

describe('object identifiers', () => {
  test.each([
    ['', 'empty'],
    ['.', 'dotSegment'],
    ['..', 'dotSegment'],
    ['\ud800', 'loneSurrogate'],
    ['a\udc00b', 'loneSurrogate'],
  ])('refuses %j: %s', (id, problem) => {
    expect(checkObjectId(id)).toEqual({ ok: false, problem });
    expect(() => encodeObjectId(id)).toThrow(
      new AppFailure({ code: 'badIdentifier', problem: 'empty' }).message,
    );
  });

  test.each([
    '...',
    '../x',
    '%2e',
    '%2E%2e',
    ' ',
    'a/b',
    'a\\b',
    '50%',
    '#?+&=',
    '🗝',
    'שלום',
    '\u0000',
    '\r\n',
  ])('%j travels', (id) => expect(decodeURIComponent(encodeObjectId(id))).toBe(id));

  test('any text without a lone surrogate is one segment that decodes to itself', () => {
    fc.assert(
      fc.property(travelling, (id) => {
        const segment = encodeObjectId(id);
        expect(segment).toMatch(/^[A-Za-z0-9\-_.!~*'()%]+$/);
        expect(decodeURIComponent(segment)).toBe(id);
      }),
    );
  });

  test('never encodes text with a lone surrogate', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (before, after) => {
        expect(checkObjectId(`${before}\ud800 ${after}`)).toEqual({ ok: false, problem: 'loneSurrogate' });
      }),
    );
  });
});
