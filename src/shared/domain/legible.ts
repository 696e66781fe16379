/** A name may be made to look like another one, or to write its own question: what is not seen, or turns text round, is shown. */
export function legible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
