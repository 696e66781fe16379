import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { formatBytes } from '../../../../shared/i18n/format.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useCommand } from '../../../app/commands.ts';
import { setSearch, showPlace, usePlace } from '../../../app/place.ts';
import { useClient } from '../../../app/client.ts';
import type { PaletteEntry } from '../../../app/palette-entry.ts';
import { canBeFavourite, useFavourite } from '../../../app/favourites.ts';
import { useFacts } from '../../../app/slots.tsx';
import { useRemoteStore, useServices, useSettings, useStores } from '../../../app/stores.ts';
import { Icon } from '../../../ui/Icon.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { KeyHint } from '../../../ui/KeyHint.tsx';
import { useRootClass } from '../../../ui/root-class.ts';
import { Size } from '../../../ui/Size.tsx';
import { groupRole, listBoxRole, optionRole } from '../../../ui/aria-roles.ts';
import { ClassBadge } from '../../../app/classification/ClassBadge.tsx';
import { fileIcon } from '../../../app/file-kind.ts';
import { DialogPane } from '../../../app/Pane.tsx';
import { focusHere } from '../../../ui/focus.ts';
import { seekObject, useBrowser } from '../state/browser-store.ts';
import { onlyId } from '../state/selection.ts';
import { useUndo } from '../../../app/undo.ts';
import { useFoundObjects } from '../search/use-found-objects.ts';
import { findMarks, rankOf, readTyped } from './palette-match.ts';
import { paletteActions, paletteHelp, paletteServices } from './palette-entries.ts';
import { paletteSettings } from './palette-settings.ts';
import './palette.css';
import { settingsTexts } from '../../../i18n/settings-texts.ts';
import { secretTexts } from '../../../i18n/secret-texts.ts';

/** Highlights the typed text at the start of words. */
function Marked({ text, typed }: { text: string; typed: string }) {
  return findMarks(text, typed).map(({ from, to, isMarked }) => {
    const part = text.slice(from, to);
    return isMarked ? <mark key={from}>{part}</mark> : part;
  });
}

function MarkedIdentifier({
  identifier,
  separator,
  typed,
}: {
  identifier: string;
  separator: string;
  typed: string;
}) {
  const end = identifier.lastIndexOf(separator) + separator.length;
  const leafAt = end < separator.length || end === identifier.length ? 0 : end;
  const leaf = identifier.slice(leafAt);
  return (
    <bdi dir="ltr">
      <span className="palette__folder">{identifier.slice(0, leafAt)}</span>
      <Marked text={leaf} typed={typed} />
    </bdi>
  );
}

const texts = objectTexts.palette;
const ranks = ['name', 'label', 'words'] as const;

/** Finds everything by name: actions with their shortcuts, objects, settings with their values. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  useCommand('palette', () => setOpen(true));
  const close = () => setOpen(false);
  return (
    <DialogPane onClose={close}>
      <ModalOverlay className="scrim scrim--palette" isDismissable isOpen={isOpen} onOpenChange={setOpen}>
        <Modal className="sheet palette">
          <Dialog className="palette__dialog" aria-label={texts.label}>
            <PaletteBody onClose={close} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogPane>
  );
}

type Option = { id: string; icon: IconName; text: ReactNode; right: ReactNode; run: () => void };
type Group = { name: string; options: Option[] };

function PaletteBody({ onClose }: { onClose: () => void }) {
  useRootClass('has-dialog');
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const chosen = useRef<Option | null>(null);
  const { scope, typed } = readTyped(text);
  const groups = useGroups(scope, typed);
  const options = groups.flatMap((group) => group.options);
  const at = Math.min(active, options.length - 1);
  const activeId = options[at] && optionId(options[at]);

  // Runs after the focus has returned, one frame later, so that the action can move the focus, or return it there.
  useEffect(
    () => () => {
      const option = chosen.current;
      if (option !== null) requestAnimationFrame(() => option.run());
    },
    [],
  );

  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function run(option: Option | undefined) {
    if (option === undefined) return;
    chosen.current = option;
    onClose();
  }

  function takeKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((at + step + options.length) % Math.max(1, options.length));
    else if (event.key === 'Enter') run(options[at]);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="palette__ask">
        <Icon name="search" />
        <input
          className="palette__text"
          role="combobox"
          aria-label={texts.ask}
          aria-expanded="true"
          aria-controls="palette-options"
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          autoComplete="off"
          placeholder={texts.ask}
          spellCheck={false}
          {...focusHere}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={takeKey}
        />
        <KeyHint keys="Esc" />
      </div>
      <div id="palette-options" className="palette__options" {...listBoxRole} aria-label={texts.found}>
        {groups.map(({ name, options: inGroup }) => (
          <div key={name} {...groupRole} aria-label={name}>
            <div className="palette__head" role="presentation">
              {name}
            </div>
            {inGroup.map((option) => (
              <button
                key={option.id}
                id={optionId(option)}
                type="button"
                {...optionRole(option === options[at])}
                tabIndex={-1}
                className="palette__option"
                onPointerMove={() => setActive(options.indexOf(option))}
                onClick={() => run(option)}
              >
                <Icon name={option.icon} />
                <span className="palette__label">{option.text}</span>
                <span className="palette__right figures">{option.right}</span>
              </button>
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="palette__none">{commonTexts.nothingFound}</p>}
      <footer className="palette__foot" aria-hidden="true">
        <Hint keys="↑+↓">{texts.move}</Hint>
        <Hint keys="Enter">{texts.run}</Hint>
        <span className="palette__gap" />
        <Hint keys=">">{texts.actions}</Hint>
        <Hint keys="/">{texts.objects}</Hint>
        <Hint keys=",">{texts.settings}</Hint>
      </footer>
    </>
  );
}

function Hint({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <span>
      <KeyHint keys={keys} />
      {children}
    </span>
  );
}

function optionId({ id }: Option): string {
  return `palette-${id.replace(/\W+/g, '-')}`;
}

function useGroups(scope: ReturnType<typeof readTyped>['scope'], typed: string): Group[] {
  const client = useClient();
  const { services, active: service } = useServices();
  const others = useFacts('palette');
  const isMac = useRemoteStore(useStores().info).value?.platform === 'darwin';
  const settings = useSettings();
  const selection = useBrowser((state) => state.selection);
  const folders = useBrowser((state) => state.folders);
  const count = useBrowser((state) => state.objectCount);
  const isOnlyShown = useBrowser((state) => state.isOnlyShown);
  const { view, kind, place, search } = usePlace();
  const shown = { kind, place, search: search.trim() };
  const favourite = useFavourite(service?.id ?? '', shown);
  const list = view === 'objects' ? kind : null;
  const canKeep = list !== null && canBeFavourite(shown);
  const undo = useUndo(({ entries }) => entries[0]?.of);
  const looksFor = (part: typeof scope) => scope === part || scope === 'everything';
  const found = useFoundObjects(service ?? null, looksFor('objects') ? typed : '');

  const asOptions = (entries: PaletteEntry[]): Option[] => {
    const found = entries.map((entry) => ({ entry, rank: rankOf(entry, typed) }));
    const ordered = ranks.flatMap((wanted) => found.filter(({ rank }) => rank === wanted));
    return ordered.map(({ entry: { id, icon, label, place, keys, value, run } }) => ({
      id,
      icon,
      text: (
        <>
          <Marked text={label} typed={typed} />
          {place !== undefined && (
            <span className="palette__place">
              <Marked text={place} typed={typed} />
            </span>
          )}
        </>
      ),
      right: keys === undefined ? <bdi>{value}</bdi> : <KeyHint keys={keys} />,
      run,
    }));
  };

  const separator = service?.separator ?? '/';
  const toOption = (row: ObjectRow): Option => ({
    id: `object-${row.id}`,
    icon: row.kind === 'secret' ? 'key' : fileIcon(row),
    text: <MarkedIdentifier identifier={row.identifier} separator={separator} typed={typed} />,
    right: (
      <>
        <span className="palette__class">
          {row.classification !== null && <ClassBadge value={row.classification} />}
        </span>
        {row.lengthBytes !== null && <Size {...formatBytes(row.lengthBytes)} />}
      </>
    ),
    run: () => seekObject(row.id, row.kind),
  });
  const objects = found.rows.map(toOption);
  if (found.total > found.rows.length) {
    objects.push({
      id: 'show-all',
      icon: 'search',
      text: texts.showAll({ count: found.total }),
      right: null,
      run: () => {
        showPlace({ kind: 'all' });
        setSearch(typed);
      },
    });
  }

  const commands = looksFor('actions')
    ? [
        ...paletteActions(
          { count, isRow: folders.size === 0 && onlyId(selection) !== null },
          list,
          isOnlyShown,
          undo,
          others,
          canKeep ? favourite : null,
        ),
        paletteServices(client, services, service),
        paletteHelp(client, others),
      ]
    : [];
  // Without search text, settings would hide the actions.
  const shownSettings =
    scope === 'settings' || (scope === 'everything' && typed !== '')
      ? asOptions(paletteSettings(client, settings, service, isMac, others))
      : [];
  return [
    ...commands.map(({ name, entries }) => ({ name, options: asOptions(entries) })),
    { name: objectTexts.label, options: objects },
    { name: secretTexts.label, options: found.secrets.map(toOption) },
    { name: settingsTexts.title, options: shownSettings },
  ].filter(({ options }) => options.length > 0);
}
