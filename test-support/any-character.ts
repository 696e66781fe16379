import fc from 'fast-check';

const [firstSurrogate, surrogates] = [0xd800, 0x800];

/**
 * Any Unicode character, for `fc.string({ unit })`. fast-check's own 'binary' draws the same ones from the same seed, but first builds a map
 * of all million of them: a second and 100 MB in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => {
    const codePoint = String(character).codePointAt(0) ?? 0;
    const only = String.fromCodePoint(codePoint);
    if (character !== only || !only.isWellFormed()) throw new Error('no character');
    return codePoint < firstSurrogate ? codePoint : codePoint - surrogates;
  },
);
