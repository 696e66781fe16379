/** The position of a word that begins with the typed text, ignoring case; -1: none. */
export function matchWordStart(text: string, typed: string): number {
  const wanted = typed.toLocaleLowerCase();
  if (wanted === '') return 0;
  const searched = text.toLocaleLowerCase();
  let at = searched.indexOf(wanted);
  while (at > 0 && /[\p{L}\p{N}]/u.test(searched.charAt(at - 1))) at = searched.indexOf(wanted, at + 1);
  return at;
}

/** The rank of a match; null: one of the typed words is not the start of any word of the entry. */
export function rankOf(
  { label, place = '', words = '' }: { label: string; place?: string; words?: string | undefined },
  typed: string,
): 'name' | 'label' | 'words' | null {
  if (matchWordStart(label, typed) >= 0) return 'name';
  const hasAll = (text: string) => typed.split(/\s+/).every((word) => matchWordStart(text, word) >= 0);
  if (hasAll(label)) return 'label';
  return hasAll(`${label} ${place} ${words}`) ? 'words' : null;
}

type Part = { from: number; to: number; isMarked: boolean };

/** Splits a text at the matches of the typed text or, if it does not match as a whole, of each of its words. */
export function findMarks(text: string, typed: string): Part[] {
  const sought = matchWordStart(text, typed) >= 0 ? [typed] : typed.split(/\s+/);
  const found = sought
    .map((word) => ({ from: matchWordStart(text, word), length: word.length }))
    .filter(({ from, length }) => from >= 0 && length > 0)
    .toSorted((a, b) => a.from - b.from);
  const parts: Part[] = [];
  let at = 0;
  for (const { from, length } of found) {
    // Overlaps the previous match.
    if (from < at) continue;
    parts.push({ from: at, to: from, isMarked: false }, { from, to: from + length, isMarked: true });
    at = from + length;
  }
  return [...parts, { from: at, to: text.length, isMarked: false }];
}

export type Scope = 'everything' | 'actions' | 'objects' | 'settings';

const scopes: Record<string, Scope> = { '>': 'actions', '/': 'objects', ',': 'settings' };

/** The first character may restrict what is searched. */
export function readTyped(text: string): { scope: Scope; typed: string } {
  const scope = Object.hasOwn(scopes, text.charAt(0)) ? scopes[text.charAt(0)] : undefined;
  return scope === undefined
    ? { scope: 'everything', typed: text.trim() }
    : { scope, typed: text.slice(1).trim() };
}
