import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Collections, type Folder, searchLengthMax } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import type { SearchToken } from '../../../../shared/domain/search-tokens.ts';
import { myself, parseSearch } from '../../../../shared/domain/search.ts';
import { useClassificationValues } from '../../../app/classification/options.ts';
import { useClient } from '../../../app/client.ts';
import { useSharedWith } from '../../../app/slots.tsx';
import { useActiveService } from '../../../app/stores.ts';
import { useCommand } from '../../../app/commands.ts';
import { keysOf } from '../../../app/key-bindings.ts';
import { setSearch, usePlace } from '../../../app/place.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { SearchField } from '../../../ui/Field.tsx';
import {
  parentOf,
  remediesFor,
  replaceToken,
  type SearchSources,
  type Suggestion,
  suggestionsFor,
  tokenAt,
} from './search-suggestions.ts';
import { helpId, optionId, optionsId, SearchHelp } from './SearchHelp.tsx';
import { problemText } from './search-problem.ts';

type Known = { of: string; classifications: Collections['classifications']; folders: readonly Folder[] };
const nothing: Known = { of: '', classifications: [], folders: [] };

/**
 * The values that can complete the current token; loaded when a token is begun. If that fails, there are
 * none.
 */
function useSearchSources(service: Service | null, token: SearchToken | null): SearchSources {
  const client = useClient();
  const [known, setKnown] = useState(nothing);
  const separator = service?.separator ?? '/';
  const parent = parentOf(token, separator);
  const wanted = parent !== null ? `folder ${parent}` : token?.key === 'class' ? 'class' : '';
  const of = service === null || wanted === '' ? '' : `${service.id} ${wanted}`;
  const serviceId = service?.id ?? '';
  useEffect(() => {
    if (of === '') return undefined;
    let live = true;
    const loading =
      parent === null
        ? client
            .call('objects.collections', { serviceId })
            .then(({ classifications }) => ({ classifications }))
        : client.call('objects.folders', { serviceId, parent }).then(({ folders }) => ({ folders }));
    loading.then(
      (loaded) => live && setKnown({ ...nothing, of, ...loaded }),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [client, of, serviceId, parent]);
  const { classifications, folders } = known.of === of ? known : nothing;
  const classes = useClassificationValues(classifications);
  const people = useSharedWith(service?.id ?? null);
  return { classes: classes.map(({ value }) => value), folders, separator, people };
}

const objectExamples = [
  'class:Internal',
  'size:>1mb',
  'state:missing',
  'before:2026-01-01',
  'kind:picture',
  'folder:reports',
  '-draft',
];
const teamExamples = [`by:${myself}`, 'shared:no'];

type Props = { label?: string; examples?: readonly string[]; onLeave: () => void };

/** Filters while the person types; each keystroke asks main. */
export function SearchBox({ label = objectTexts.search, examples, onLeave }: Props) {
  const search = usePlace((state) => state.search);
  const service = useActiveService();
  const hasTeam = useSharedWith(service?.id ?? null) !== null;
  const [hasFocus, setFocus] = useState(false);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState({ of: '', at: -1 });
  const box = useRef<HTMLDivElement>(null);
  /** Where to put the caret after inserting a suggestion. */
  const nextCaret = useRef<number | null>(null);
  const field = () => box.current?.querySelector('input');
  useCommand('search', () => {
    field()?.focus();
    field()?.select();
  });
  useLayoutEffect(() => {
    if (nextCaret.current !== null) field()?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  }, [search]);

  const token = hasFocus ? tokenAt(search, caret) : null;
  const sources = useSearchSources(service, token);
  const written = suggestionsFor(token, sources);
  const [wrong = null] = useMemo(() => parseSearch(search).problems, [search]);
  const isWrong = hasFocus && written.length === 0 && wrong !== null;
  const suggestions = isWrong ? remediesFor(wrong, sources) : written;
  const at = chosen.of === search ? Math.min(chosen.at, suggestions.length - 1) : -1;
  const keys = keysOf('search');

  function take(suggestion: Suggestion) {
    const place = isWrong ? wrong.token : token;
    if (place === null) return;
    const next = replaceToken(search, place, suggestion);
    nextCaret.current = next.caret;
    setCaret(next.caret);
    setSearch(next.search.slice(0, searchLengthMax));
  }

  function onKeyDown(event: KeyboardEvent & { continuePropagation: () => void }) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const suggestion = suggestions[at];
    if (step !== undefined && suggestions.length > 0) {
      event.preventDefault();
      // Arrow keys move between the field and the suggestions, in a circle.
      const places = suggestions.length + 1;
      setChosen({ of: search, at: ((at + 1 + step + places) % places) - 1 });
    } else if (suggestion !== undefined && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      take(suggestion);
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
    else if (event.key === 'Escape' && search === '') onLeave();
    else event.continuePropagation();
  }

  const help = (
    <SearchHelp
      isShown={hasFocus && (search === '' || suggestions.length > 0 || isWrong)}
      problem={isWrong ? problemText(wrong) : null}
      suggestions={suggestions}
      chosen={at}
      onTake={take}
      examples={examples ?? (hasTeam ? [...teamExamples, ...objectExamples] : objectExamples)}
      onExample={setSearch}
    />
  );
  return (
    <>
      <div className={search === '' ? 'objects-search' : 'objects-search objects-search--set'} ref={box}>
        <SearchField
          label={label}
          value={search}
          maxLength={searchLengthMax}
          onChange={(text) => {
            setCaret(field()?.selectionStart ?? text.length);
            setSearch(text);
          }}
          onSelect={() => setCaret(field()?.selectionStart ?? 0)}
          onFocusChange={setFocus}
          aria-describedby={helpId}
          aria-autocomplete="list"
          {...(suggestions.length > 0 && { 'aria-controls': optionsId })}
          {...(at >= 0 && { 'aria-activedescendant': optionId(at) })}
          onKeyDown={onKeyDown}
          {...(keys === undefined || hasFocus ? {} : { keys })}
        />
        {isWrong && help}
      </div>
      {!isWrong && help}
    </>
  );
}
