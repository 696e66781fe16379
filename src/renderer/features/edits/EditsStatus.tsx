import { useEffect, useRef } from 'react';
import { needsAnswer, type Edit } from '../../../shared/domain/edit.ts';
import { formatCount } from '../../../shared/i18n/format.ts';
import { focusGrid } from '../../app/grid.ts';
import { useActiveService, useServices } from '../../app/stores.ts';
import { editTexts as texts } from './edit-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { State } from '../../ui/State.tsx';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { EditEntry } from './EditEntry.tsx';
import { showEdits, useOpenEdits, usePanel } from './open-edits.ts';
import './edits.css';

/** The edits' part of the bottom line, with the panel above it. Rendered once; announces edits that need attention. */
export function EditsStatus() {
  const edits = useOpenEdits();
  const { isOpen } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  useNews(edits);
  const isEmpty = edits.length === 0;
  useEffect(() => {
    if (isEmpty) showEdits(false);
  }, [isEmpty]);
  if (isEmpty) return null;
  const need = edits.filter(needsAnswer).length;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="status__edits"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => showEdits(!isOpen)}
      >
        <Icon name="pencil" />
        {texts.status({ count: edits.length })}
        {need > 0 && (
          <State icon="warn" tone="wait">
            {texts.needYou({ count: need })}
          </State>
        )}
      </button>
      <Panel label={texts.title} anchor={button} isOpen={isOpen} onOpenChange={showEdits}>
        <Edits edits={edits} />
      </Panel>
    </>
  );
}

function Edits({ edits }: { edits: readonly Edit[] }) {
  const active = useActiveService();
  const { services } = useServices();
  // The button disappears with the last edit.
  useFocusReturn(focusGrid);
  // If all edits save in the same way, say so once.
  const [saveAs, ...others] = new Set(edits.map((edit) => edit.saveAs));
  const separatorOf = (serviceId: string) =>
    services.find(({ id }) => id === serviceId)?.separator ?? active?.separator ?? '/';
  const question = edits.map(({ id, state }) => `${id} ${state}`).join();
  return (
    <>
      <header className="edits__head">
        <h2 className="edits__title">{texts.title}</h2>
        <span className="edits__count figures">{formatCount(edits.length)}</span>
        {saveAs !== undefined && others.length === 0 && <p className="edits__each">{texts.each[saveAs]}</p>}
      </header>
      <ul className="edits__list">
        {edits.map((edit, at) => (
          <EditEntry
            key={edit.id}
            edit={edit}
            isFirst={at === 0}
            question={question}
            separator={separatorOf(edit.serviceId)}
          />
        ))}
      </ul>
      <footer className="edits__foot">
        <Icon name="lock" />
        {texts.foot}
      </footer>
    </>
  );
}

/** Announces each edit once when it begins to need attention. */
function useNews(edits: readonly Edit[]): void {
  const told = useRef(new Map<string, string>());
  useEffect(() => {
    const before = told.current;
    told.current = new Map(edits.map(({ id, state }) => [id, state]));
    for (const { id, state, identifier, mine } of edits) {
      if (before.get(id) === state) continue;
      const isTold = state === 'changed' || state === 'deleted' || (state === 'failed' && mine !== null);
      if (isTold) announce(texts.news[state]({ identifier }), 'assertive', { isOnScreen: before.size === 0 });
    }
  }, [edits]);
}
