import { allowedInstead, parseSearch, type SearchProblem } from '../../../../shared/domain/search.ts';
import { formatList } from '../../../../shared/i18n/format.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';

const texts = objectTexts.searchProblem;

/** The problem of a part of a search, in one line. */
export function problemText({ token, problem }: SearchProblem): string {
  const { value } = token;
  switch (problem) {
    case 'key':
      return texts.key({ key: `${token.key ?? ''}:` });
    case 'exclude':
      return texts.exclude({ filter: token.text.slice(1) });
    case 'size':
    case 'state':
    case 'date':
    case 'kind':
    case 'shared':
      return texts[problem]({ value });
  }
}

/** The filters that make sense: without a team, all objects are one's own. */
export function usefulFilters<Key extends string>(filters: readonly Key[], hasTeam: boolean): readonly Key[] {
  return filters.filter((filter) => hasTeam || (filter !== 'by' && filter !== 'shared'));
}

/** The problem of a search without results, with the allowed values; null: none. */
export function problemAdvice(search: string, hasTeam: boolean): { problem: string; advice: string } | null {
  const [first] = parseSearch(search).problems;
  return first === undefined
    ? null
    : { problem: problemText(first), advice: adviceOn(first.problem, hasTeam) };
}

function adviceOn(problem: SearchProblem['problem'], hasTeam: boolean): string {
  const filters = (all: readonly string[]) => ({ filters: formatList(usefulFilters(all, hasTeam)) });
  switch (problem) {
    case 'key':
      return texts.adviseKey(filters(allowedInstead.key));
    case 'exclude':
      return texts.adviseExclude(filters(allowedInstead.exclude));
    case 'size':
      return texts.adviseSize;
    case 'date':
      return texts.adviseDate;
    case 'state':
      return texts.adviseState({ states: formatList(allowedInstead.state) });
    case 'kind':
      return texts.adviseKind({ kinds: formatList(allowedInstead.kind) });
    case 'shared':
      return texts.adviseShared;
  }
}
