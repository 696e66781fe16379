/** Where a text has what was typed at the beginning of a word; -1: nowhere. Capitals do not matter. */
export function matchWordStart(text: string, typed: string): number {
  const wanted = typed.toLocaleLowerCase();
  if (wanted === '') return 0;
  const searched = text.toLocaleLowerCase();
  let at = searched.indexOf(wanted);
  while (at > 0 && /[\p{L}\p{N}]/u.test(searched.charAt(at - 1))) at = searched.indexOf(wanted, at + 1);
  return at;
}

/** How well an entry has what was typed; null: not every word of it begins a word there. */
export function rankOf(
  { label, place = '', words = '' }: { label: string; place?: string; words?: string | undefined },
  typed: string,
): 'name' | 'label' | 'words' | null {
  if (matchWordStart(label, typed) >= 0) return 'name';
  const hasAll = (text: string) => typed.split(/\s+/).every((word) => matchWordStart(text, word) >= 0);
  if (hasAll(label)) return 'label';
  return hasAll(`${label} ${place} ${words}`) ? 'words' : null;
}

export type Scope = 'everything' | 'actions' | 'objects' | 'settings';

const scopes: Record<string, Scope> = { '>': 'actions', '/': 'objects', ',': 'settings' };

/** A first character can narrow what is looked through. */
export function readTyped(text: string): { scope: Scope; typed: string } {
  const scope = Object.hasOwn(scopes, text.charAt(0)) ? scopes[text.charAt(0)] : undefined;
  return scope === undefined
    ? { scope: 'everything', typed: text.trim() }
    : { scope, typed: text.slice(1).trim() };
}
