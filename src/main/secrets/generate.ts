import { randomInt } from 'node:crypto';
import type { Generator } from '../../shared/domain/secret.ts';

/** Without letters and digits that are taken for one another (l, I, O, 0, 1), and without symbols that shells read. */
const classes = {
  small: 'abcdefghijkmnopqrstuvwxyz',
  capitals: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  digits: '23456789',
  symbols: '!#%+-.:=?@^_~',
} as const;
const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';

/**
 * A password with each kind of character that was asked for, or a passphrase of words made from syllables (like
 * `tavok-mibes-luzir`): 102,400 words, 16.6 bits each. `randomInt` is cryptographic and without a bias.
 */
export function generate(wish: Generator): string {
  if (wish.kind === 'passphrase') return repeat(wish.words, makeWord, '-');
  const wanted = [
    classes.small,
    ...(['capitals', 'digits', 'symbols'] as const).filter((name) => wish[name]).map((name) => classes[name]),
  ];
  const alphabet = wanted.join('');
  // Drawn again as a whole until each kind is there: all passwords that qualify stay equally likely.
  for (;;) {
    const password = repeat(wish.length, () => pick(alphabet));
    if (wanted.every((kind) => Array.from(kind).some((character) => password.includes(character))))
      return password;
  }
}

function makeWord(): string {
  return pick(consonants) + pick(vowels) + pick(consonants) + pick(vowels) + pick(consonants);
}

function pick(from: string): string {
  return from.charAt(randomInt(from.length));
}

function repeat(count: number, make: () => string, separator = ''): string {
  return Array.from({ length: count }, make).join(separator);
}
