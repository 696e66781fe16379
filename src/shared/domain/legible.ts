/** Escapes invisible characters and bidi controls, with which a name could imitate another one or fake a question. */
export function legible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** Control characters, line breaks and bidi controls. */
const unruly = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e]/gu;
const isolates = /[\u2066-\u2069]/g;

/**
 * Makes a name safe for a row or a sentence: it can neither break the line nor turn the text around it. Keeps joiners, which
 * several scripts need, and isolates if each is closed: a sentence may be part of another one.
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
