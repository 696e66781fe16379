/** Keys before the colon of a filter. */
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

/** A token of a search, as typed. */
export interface SearchToken {
  /** Position in the text, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** It begins with a minus: excludes what matches. */
  readonly isExcluded: boolean;
  /** The text before the colon, in lower case, known or not; null: a word. */
  readonly key: string | null;
  /** Without minus, key and quotes. */
  readonly value: string;
  readonly isQuoted: boolean;
}

export function isSearchKey(key: string): key is SearchKey {
  return searchKeys.some((known) => known === key);
}

/** Splits at spaces outside of quotes. The text before `:/` in an address or a path is not a key. */
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
