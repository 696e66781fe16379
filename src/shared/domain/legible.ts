/** A name may be made to look like another one, or to write its own question: what is not seen, or turns text round, is shown. */
export function legible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** Control characters, line breaks, and marks that turn the text after them round. */
const unruly = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e]/gu;
const isolates = /[\u2066-\u2069]/g;

/**
 * A name for a row or a sentence, which it must neither leave nor turn round. Joiners stay, which several scripts need. Isolates stay
 * if each is closed: a sentence may be part of another one.
 */
export function inOneLine(text: string): string {
  const tame = text.replaceAll(unruly, '\uFFFD');
  return areClosed(tame) ? tame : tame.replaceAll(isolates, '\uFFFD');
}

function areClosed(text: string): boolean {
  let open = 0;
  for (const [mark] of text.matchAll(isolates)) {
    open += mark === '\u2069' ? -1 : 1;
    if (open < 0) return false;
  }
  return open === 0;
}
