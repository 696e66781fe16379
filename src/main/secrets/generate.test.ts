import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generate } from './generate.ts';

const flags = { capitals: fc.boolean(), digits: fc.boolean(), symbols: fc.boolean() };

it('makes passwords of the length and of each kind of character that was asked for, and of no other', () => {
  const wishes = fc.record({
    kind: fc.constant('password' as const),
    length: fc.integer({ min: 8, max: 128 }),
    ...flags,
  });
  fc.assert(
    fc.property(wishes, (wish) => {
      const password = generate(wish);
      expect(password).toHaveLength(wish.length);
      expect(/[a-z]/.test(password)).toBe(true);
      expect(/[A-Z]/.test(password)).toBe(wish.capitals);
      expect(/[0-9]/.test(password)).toBe(wish.digits);
      expect(/[^A-Za-z0-9]/.test(password)).toBe(wish.symbols);
      expect(password).not.toMatch(/[lIO01\s'"`\\$&|<>;()]/);
    }),
  );
});

it('makes passphrases of that many words', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 12 }), (words) => {
      const parts = generate({ kind: 'passphrase', words }).split('-');
      expect(parts).toHaveLength(words);
      for (const part of parts) expect(part).toMatch(/^[a-z]{3,9}$/);
    }),
  );
});

it('uses the whole alphabet, and never repeats itself', () => {
  const all = { kind: 'password', length: 128, capitals: true, digits: true, symbols: true } as const;
  const many = Array.from({ length: 200 }, () => generate(all));
  expect(new Set(many).size).toBe(many.length);
  expect(new Set(many.join('')).size).toBe(25 + 24 + 8 + 13);
});

it('takes passphrases from more than 7,700 words, 12.9 bits each', () => {
  const drawn = Array.from({ length: 8000 }, () => generate({ kind: 'passphrase', words: 12 }).split('-'));
  // Each of 7,772 words is drawn 12 times on average.
  expect(new Set(drawn.flat()).size).toBeGreaterThan(7700);
});
