import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { inlineStart } from '../key-bindings.ts';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { About } from '../../ui/about.ts';
import { Identifier } from '../../ui/Identifier.tsx';
import { sayFailure } from '../say-failure.ts';
import { actsOf, hasActs, togglePause, type EntryActs, type EntryFacts } from './entry-acts.ts';
import { EntryItem } from './EntryItem.tsx';
import { entryPointer, modifiersOf } from './entry-keys.ts';
import { menuOf } from './entry-menu.ts';
import { useListActions, type Point } from './list-context.ts';

export type EntryPlace = {
  /** 1-based, over the whole list. */
  position: number;
  of: number;
  /** In pixels. A height of null: as tall as its text. */
  top: number;
  height: number | null;
  /** 1-based among the waiting transfers; null: not waiting, or not movable in this list. */
  order: number | null;
};

/** `isMain`: triggered by Enter. */
export type SmallAct = { icon: IconName; label: string; run: () => void; isMain?: boolean };

/**
 * One transfer, direct or deferred. It can be focused and selected; its menu opens by right click, Shift+F10, the menu
 * key and a button; waiting transfers can be dragged by their grip. Keys: Space pauses, Delete cancels, Alt with an
 * arrow moves; they apply to the whole selection if the entry is part of it. Ctrl+Space toggles selection, Ctrl+A
 * selects all, Esc clears.
 */
export function Entry(props: {
  place: EntryPlace;
  name: string;
  facts: EntryFacts;
  separator: string;
  className?: string;
  /** At the start. */
  mark: ReactNode;
  /** At the end, beside the identifier. */
  right: ReactNode;
  small: readonly SmallAct[];
  /** Menu entries specific to this transfer, before the general ones. */
  own?: readonly MenuEntry[];
  children: ReactNode;
}) {
  const { place, name, facts, separator, className = '', mark, right, small, own = [], children } = props;
  const { openMenu, selection, selectedNoteId, meantBy, commands, step, drag, dragged } = useListActions();
  const item = useRef<HTMLLIElement>(null);
  const nameId = useId();
  const { id, identifier } = facts;
  const canMove = place.order !== null;
  const isSelected = selection.ids.has(id);
  const hasMenu = hasActs(actsOf([facts])) || (isSelected && selection.ids.size > 1);

  // Keeps the focused entry in view when it is moved by keyboard.
  useLayoutEffect(() => {
    if (document.activeElement === item.current) item.current?.scrollIntoView({ block: 'nearest' });
  }, [place.top]);

  function act(work: (acts: EntryActs) => void): void {
    sayFailure(meantBy(facts).then((meant) => work(actsOf(meant))));
  }

  function open(from: HTMLElement, at?: Point) {
    const box = from.getBoundingClientRect();
    act((acts) => {
      const shared = menuOf(acts, commands, canMove ? (by) => step(id, by) : null);
      const entries =
        acts.meant.length === 1 && own.length > 0 ? [...own, 'line' as const, ...shared] : shared;
      if (entries.length === 0) return;
      const label = acts.meant.length === 1 ? identifier : texts.selected({ count: acts.meant.length });
      // Beside the list, so that the order being changed stays visible.
      openMenu({ at: { x: inlineStart(box), y: at?.y ?? box.top }, label, entries });
    });
  }

  function takeKey(event: KeyboardEvent<HTMLElement>) {
    const { key, currentTarget, altKey, shiftKey } = event;
    const { ctrl } = modifiersOf(event);
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) open(currentTarget);
    else if (altKey && canMove && (key === 'ArrowUp' || key === 'ArrowDown')) {
      if (shiftKey && key === 'ArrowUp') act(({ order }) => commands.moveToTop(order));
      else step(id, key === 'ArrowUp' ? -1 : 1);
    } else if (event.target !== currentTarget) return;
    else if (ctrl && key === ' ') selection.press(currentTarget, { shift: false, ctrl: true });
    else if (key === ' ') act((acts) => togglePause(acts, commands));
    else if (key === 'Enter' && small[0]?.isMain) small[0].run();
    else if (key === 'Delete') act(({ cancel }) => commands.cancel(cancel));
    else return;
    event.preventDefault();
  }

  return (
    <EntryItem
      ref={item}
      name={String(id)}
      takeKey={takeKey}
      className={`transfer ${className} ${dragged.has(id) ? 'is-dragged' : ''} ${canMove ? 'can-move' : ''} ${isSelected ? 'is-selected' : ''}`}
      style={{ top: place.top, height: place.height ?? undefined }}
      aria-label={name}
      aria-describedby={isSelected ? selectedNoteId : undefined}
      aria-posinset={place.position}
      aria-setsize={place.of}
      {...entryPointer(selection.press, (from, at) => {
        selection.aim(from);
        open(from, at);
      })}
    >
      {mark}
      {canMove && (
        <span className="transfer__grip" aria-hidden="true" onPointerDown={(event) => drag(id, event)}>
          <Icon name="grip" />
        </span>
      )}
      <About value={nameId}>
        <div className="transfer__line">
          <Identifier id={nameId} identifier={identifier} separator={separator} />
          <span className="transfer__right figures">{right}</span>
          <span className="transfer__actions">
            {small.map(({ icon, label, run }) => (
              <IconButton key={label} label={label} icon={icon} size="small" onPress={run} />
            ))}
            {hasMenu && (
              <IconButton
                label={texts.more}
                icon="more"
                size="small"
                aria-haspopup="menu"
                onPress={({ target }) => {
                  const from = target.closest<HTMLElement>('[data-entry]');
                  if (from !== null) open(from);
                }}
              />
            )}
          </span>
        </div>
        {children}
      </About>
    </EntryItem>
  );
}
