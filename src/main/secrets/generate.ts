import { randomInt } from 'node:crypto';
import { DEFAULT_WORDLIST } from 'secure-password-utilities/wordlists';
import type { Generator } from '../../shared/domain/secret.ts';

/** Without characters that are easily confused (l, I, O, 0, 1), and without symbols that have a meaning in shells. */
const classes = {
  small: 'abcdefghijkmnopqrstuvwxyz',
  capitals: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  digits: '23456789',
  symbols: '!#%+-.:=?@^_~',
} as const;

/**
 * A password with each requested kind of character, or a passphrase of English words: the 7,772 of the EFF's large list
 * without a hyphen, 12.9 bits each, none the beginning of another. `randomInt` is cryptographic and unbiased.
 */
export function generate(wish: Generator): string {
  if (wish.kind === 'passphrase') return repeat(wish.words, () => pick(DEFAULT_WORDLIST), '-');
  const wanted = [
    classes.small,
    ...(['capitals', 'digits', 'symbols'] as const).filter((name) => wish[name]).map((name) => classes[name]),
  ];
  const alphabet = wanted.join('');
  // Drawn again as a whole until each kind is present, so that all qualifying passwords stay equally likely.
  for (;;) {
    const password = repeat(wish.length, () => pick(alphabet));
    if (wanted.every((kind) => Array.from(kind).some((character) => password.includes(character))))
      return password;
  }
}

function pick(from: string | readonly string[]): string {
  return from[randomInt(from.length)] ?? '';
}

function repeat(count: number, make: () => string, separator = ''): string {
  return Array.from({ length: count }, make).join(separator);
}
