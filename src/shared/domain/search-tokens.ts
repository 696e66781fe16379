/** What can stand before a colon. */
export const searchKeys = [
  'class',
  'folder',
  'kind',
  'state',
  'size',
  'before',
  'after',
  'by',
  'shared',
] as const;
export type SearchKey = (typeof searchKeys)[number];

/** One of the parts that a search is made of, as it was typed. */
export interface SearchToken {
  /** Where it stands in the text, the end not included. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** It begins with a minus: what has it is left out. */
  readonly isExcluded: boolean;
  /** What stands before the colon, in lower case, whether or not it is known; null: a word. */
  readonly key: string | null;
  /** Without minus, key and quotes. */
  readonly value: string;
  readonly isQuoted: boolean;
}

export function isSearchKey(key: string): key is SearchKey {
  return searchKeys.some((known) => known === key);
}

/** Spaces part them, but for those in quotes. What stands before `:/` in an address or a path is no key. */
export function tokensOf(text: string): SearchToken[] {
  const found = text.matchAll(/(?=\S)(-?)(?:(\p{L}+):)?(?:"([^"]*)"?|(\S*))/gu);
  return Array.from(found, (match): SearchToken => {
    const isOnlyMinus = match[0] === '-';
    const key = match[2]?.toLowerCase() ?? null;
    const value = isOnlyMinus ? '-' : (match[3] ?? match[4] ?? '');
    const isWord = key === null || (!isSearchKey(key) && /^[/\\]/.test(value));
    return {
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
      isExcluded: match[1] === '-' && !isOnlyMinus,
      key: isWord ? null : key,
      value: isWord && key !== null ? `${match[2] ?? ''}:${value}` : value,
      isQuoted: match[3] !== undefined,
    };
  });
}
