import { useRef, useState } from 'react';
import { objectTexts } from '../../i18n/object-texts.ts';
import { useCommand } from '../../app/commands.ts';
import { keysOf } from '../../app/key-bindings.ts';
import { setSearch, usePlace } from '../../app/place.ts';
import { SearchField } from '../../ui/Field.tsx';

const objectExamples = ['class:Internal', 'size:>1mb', 'state:missing', 'before:2026-01-01'];

type Props = { label?: string; examples?: readonly string[]; onLeave: () => void };

/**
 * Filters as the person types; each keystroke asks main. What else can be written stands in the bar while the field is
 * empty, in the title's place: it covers nothing that can be pressed, and nothing moves when it comes and goes.
 */
export function SearchBox({ label = objectTexts.search, examples = objectExamples, onLeave }: Props) {
  const search = usePlace((state) => state.search);
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const field = () => box.current?.querySelector('input');
  useCommand('search', () => {
    field()?.focus();
    field()?.select();
  });
  const keys = keysOf('search');

  return (
    <>
      <div className={search === '' ? 'objects-search' : 'objects-search objects-search--set'} ref={box}>
        <SearchField
          label={label}
          value={search}
          maxLength={1000}
          onChange={setSearch}
          onFocusChange={setFocus}
          aria-describedby="objects-search-hint"
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave();
            else if (event.key === 'Escape' && search === '') onLeave();
            else event.continuePropagation();
          }}
          {...(keys === undefined || hasFocus ? {} : { keys })}
        />
      </div>
      <div id="objects-search-hint" className="search-hint" hidden={!hasFocus || search !== ''}>
        <p>{objectTexts.searchHint}</p>
        {examples.map((example) => (
          <button
            key={example}
            type="button"
            tabIndex={-1}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setSearch(example)}
          >
            {example}
          </button>
        ))}
      </div>
    </>
  );
}
