import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { entryKeys, entryPointer } from './entry-keys.ts';
import { menuOf, type EntryActs } from './entry-menu.ts';
import { useListActions, type Point } from './list-context.ts';

export type EntryPlace = {
  /** From 1, of all that are on the list. */
  position: number;
  of: number;
  /** Pixels. */
  top: number;
  height: number;
  /** From 1, among those that wait; null: it does not wait, or cannot be moved here. */
  order: number | null;
};

export type SmallAct = { icon: IconName; label: string; run: () => void };

/**
 * One transfer, direct or deferred: it takes the focus, its menu opens by right click, Shift+F10, the menu key and a
 * button, and what waits can be dragged by its grip. Keys: Space pauses, Delete cancels, Alt and an arrow move.
 */
export function Entry(props: {
  place: EntryPlace;
  /** The accessible name. */
  name: string;
  identifier: string;
  separator: string;
  className?: string;
  /** At the left. */
  mark: ReactNode;
  /** At the right of the identifier. */
  right: ReactNode;
  small: readonly SmallAct[];
  acts: EntryActs;
  children: ReactNode;
}) {
  const { place, name, identifier, separator, className = '', mark, right, small, acts, children } = props;
  const { openMenu, step, drag, draggedId } = useListActions();
  const item = useRef<HTMLLIElement>(null);
  const canMove = place.order !== null;
  const entries = menuOf(acts, canMove ? (by) => step(acts.id, by) : null);

  // Moved by keyboard, it stays in sight.
  useLayoutEffect(() => {
    if (document.activeElement === item.current) item.current?.scrollIntoView({ block: 'nearest' });
  }, [place.top]);

  function open(from: HTMLElement, at?: Point) {
    if (entries.length === 0) return;
    const box = from.getBoundingClientRect();
    openMenu({ at: at ?? { x: box.left + 8, y: box.top + 4 }, label: identifier, entries, from });
  }

  function takeKey(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) open(event.currentTarget);
    else if (event.altKey && canMove && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      if (event.shiftKey && event.key === 'ArrowUp') acts.moveToTop?.();
      else step(acts.id, event.key === 'ArrowUp' ? -1 : 1);
    } else if (event.target !== event.currentTarget) return;
    else if (event.key === ' ' && acts.togglePause) acts.togglePause();
    else if (event.key === 'Delete' && acts.cancel) acts.cancel();
    else return;
    event.preventDefault();
  }

  return (
    <li
      ref={item}
      className={`transfer ${className} ${draggedId === acts.id ? 'is-dragged' : ''} ${canMove ? 'can-move' : ''}`}
      style={{ top: place.top, height: place.height }}
      aria-label={name}
      aria-posinset={place.position}
      aria-setsize={place.of}
      {...entryKeys(takeKey)}
      {...entryPointer(open)}
    >
      {mark}
      {canMove && (
        <span className="transfer__grip" aria-hidden="true" onPointerDown={(event) => drag(acts.id, event)}>
          <Icon name="grip" />
        </span>
      )}
      <div className="transfer__line">
        <Identifier identifier={identifier} separator={separator} />
        <span className="transfer__right figures">{right}</span>
        <span className="transfer__actions">
          {small.map(({ icon, label, run }) => (
            <IconButton key={label} label={label} icon={icon} size="small" onPress={run} />
          ))}
          {entries.length > 0 && (
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
    </li>
  );
}
