import { isSearchKey, tokensOf } from '../../shared/domain/search-tokens.ts';
import { allowedInstead, parseSearch, type SearchProblem } from '../../shared/domain/search.ts';
import { Usage } from '../errors/errors.ts';
import { commandTexts as texts } from '../texts.ts';

/** Refuses filters without a value, which would match everything, and with an invalid one, which would match nothing. @throws Usage */
export function refuseBadFilters(search: string): void {
  const empty = tokensOf(search).find(
    ({ key, value, isQuoted }) => key !== null && isSearchKey(key) && value === '' && !isQuoted,
  );
  if (empty) throw new Usage(texts.filterEmpty({ filter: empty.text }));
  const bad = parseSearch(search).problems.find(({ problem }) => problem !== 'key');
  if (bad) throw new Usage(adviceOn(bad));
}

/** Call only if nothing was found: an unknown filter may be part of an identifier. @throws Usage */
export function refuseUnknownFilters(search: string): void {
  const unknown = parseSearch(search).problems.find(({ problem }) => problem === 'key');
  if (unknown) throw new Usage(adviceOn(unknown));
}

function adviceOn({ token, problem }: SearchProblem): string {
  const filter = token.text;
  switch (problem) {
    case 'key':
      return texts.filterUnknown({ filter, filters: allowedInstead.key.map((key) => `${key}:`).join(', ') });
    case 'exclude':
      return texts.filterExcluded({ filter });
    case 'size':
      return texts.filterSize({ filter });
    case 'date':
      return texts.filterDate({ filter });
    case 'state':
    case 'kind':
    case 'shared':
      return texts.filterValue({ filter, allowed: allowedInstead[problem].join(', ') });
  }
}
