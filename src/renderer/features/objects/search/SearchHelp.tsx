import { useEffect } from 'react';
import { useListedClasses } from '../../../app/classification/ListedClasses.tsx';
import { classStep } from '../../../app/classification/ClassBadge.tsx';
import { objectTexts as texts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { listBoxRole, optionRole } from '../../../ui/aria-roles.ts';
import { Swatch } from '../../../ui/Badge.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import type { Suggestion } from './search-suggestions.ts';

export const helpId = 'objects-search-hint';
export const optionsId = 'objects-search-options';
export const optionId = (at: number) => `objects-search-option-${String(at)}`;

type Props = {
  isShown: boolean;
  /** The problem of the search, in words. */
  problem: string | null;
  suggestions: readonly Suggestion[];
  /** Index of the highlighted suggestion; -1: none. */
  chosen: number;
  onTake: (suggestion: Suggestion) => void;
  examples: readonly string[];
  onExample: (example: string) => void;
};

/**
 * Suggestions on one line over the column headings, so that no control or row is covered or moved. A problem of the search is below the
 * field in full, with corrections. The focus stays in the field.
 */
export function SearchHelp({ isShown, problem, suggestions, chosen, onTake, examples, onExample }: Props) {
  const listed = useListedClasses();
  useEffect(() => {
    if (problem !== null) announce(problem, 'polite', { isOnScreen: true });
  }, [problem]);
  useEffect(() => {
    if (chosen >= 0) document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const isHint = problem === null && suggestions.length === 0;

  return (
    <div id={helpId} className="search-hint" hidden={!isShown}>
      {problem !== null && (
        <p className="search-hint__problem">
          <Icon name="warn" />
          {problem}
        </p>
      )}
      {suggestions.length > 0 && (
        <div id={optionsId} className="search-hint__options" {...listBoxRole} aria-label={texts.suggestions}>
          {suggestions.map((suggestion, at) => (
            <button
              key={suggestion.text}
              id={optionId(at)}
              type="button"
              {...optionRole(at === chosen)}
              tabIndex={-1}
              className={suggestion.isCode ? 'search-hint__chip is-code' : 'search-hint__chip'}
              onMouseDown={keepFocus}
              onClick={() => onTake(suggestion)}
            >
              {suggestion.classification !== undefined && (
                <Swatch
                  step={suggestion.classification === null ? 0 : classStep(suggestion.classification, listed)}
                />
              )}
              <bdi>{suggestion.label}</bdi>
            </button>
          ))}
        </div>
      )}
      {isHint && (
        <>
          <p className="search-hint__text">{texts.searchHint}</p>
          {examples.map((example) => (
            <button
              key={example}
              type="button"
              tabIndex={-1}
              className="search-hint__chip is-code"
              onMouseDown={keepFocus}
              onClick={() => onExample(example)}
            >
              {example}
            </button>
          ))}
        </>
      )}
    </div>
  );
}

function keepFocus(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
