import type { Part } from './icu.ts';

const plain = 'abcdeghijklnoprstuwyz';
const accented = 'åƀçđéĝĥîĵķļñöþŕšţûŵýž';

function accent(letter: string): string {
  const found = accented.charAt(plain.indexOf(letter.toLowerCase()));
  return letter === letter.toLowerCase() ? found : found.toUpperCase();
}

/** `en-XA`: accented, 40% longer and in brackets, which shows truncated and untranslated texts. */
export function lengthen(parts: readonly Part[]): readonly Part[] {
  const words = parts.filter((part) => typeof part === 'string').join('');
  // Units and the like are short in every language.
  const isPlain = parts.every((part) => typeof part === 'string' || 'value' in part);
  if (isPlain && words.trim().length < (parts.length > 1 ? 4 : 3)) return parts;
  return [
    '[',
    ...change(parts, (text) => {
      const letters = text.replaceAll(/\P{L}/gu, '').length;
      return text
        .replaceAll(/[a-eg-lnopr-uwyz]/gi, accent)
        .replace(/\s*$/, `${'~'.repeat(Math.ceil(letters * 0.4))}$&`);
    }),
    ']',
  ];
}

/** `ar-XB`: control characters (U+202E, U+202C) make each word run from right to left, like Arabic. */
export function mirror(parts: readonly Part[]): readonly Part[] {
  return change(parts, (text) => text.replaceAll(/[\p{L}\p{N}’'-]+/gu, '\u202E$&\u202C'));
}

function change(parts: readonly Part[], changeText: (text: string) => string): readonly Part[] {
  return parts.map((part): Part => {
    if (typeof part === 'string') return changeText(part);
    if (!('cases' in part)) return part;
    const cases = Object.entries(part.cases).map(([key, inner]) => [key, change(inner, changeText)]);
    return { ...part, cases: Object.fromEntries(cases) };
  });
}
