import type { KeyboardEvent, MouseEvent } from 'react';
import type { ListSelection, Modifiers, Reach } from './use-list-selection.ts';

/**
 * Makes a list entry focusable and gives it keys. It keeps the role of a list item; everything the keys do is also on a
 * button. `takeKey` runs first; Up and Down move between entries, Ctrl+A selects all of the list, and Escape clears the selection.
 * @param id null: not selectable
 */
export function entryKeys(
  id: number | null,
  takeKey: (event: KeyboardEvent<HTMLElement>) => void,
  selection: ListSelection,
) {
  return {
    tabIndex: 0,
    'data-entry': id ?? '',
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // Keys pressed in a nested entry belong to that one.
      const inner = event.target instanceof Element ? event.target.closest('[data-entry]') : null;
      if (inner !== event.currentTarget) return;
      takeKey(event);
      if (!event.defaultPrevented) changeSelection(event, selection);
      if (!event.defaultPrevented) walk(event, selection.reach);
    },
  };
}

/** Click on an entry itself, not on a control in it; and the context menu at the pointer. */
export function entryPointer(
  press: (entry: HTMLElement, modifiers: Modifiers) => void,
  open: (from: HTMLElement, at: { x: number; y: number }) => void,
) {
  return {
    onClick: (event: MouseEvent<HTMLElement>) => {
      const hit = event.target instanceof Element ? event.target.closest('button, [data-entry]') : null;
      if (hit === event.currentTarget) press(event.currentTarget, modifiersOf(event));
    },
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      event.preventDefault();
      open(event.currentTarget, { x: event.clientX, y: event.clientY });
    },
  };
}

export function modifiersOf(event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): Modifiers {
  return { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey };
}

function changeSelection(event: KeyboardEvent<HTMLElement>, { ids, all, clear }: ListSelection): void {
  if (event.target !== event.currentTarget) return;
  if (modifiersOf(event).ctrl && event.key.toLowerCase() === 'a') all();
  else if (event.key === 'Escape' && ids.size > 0) clear();
  else return;
  event.preventDefault();
}

/** Scrolls the list on at the edge of what is rendered. */
function walk(event: KeyboardEvent<HTMLElement>, reach: Reach): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const { target, currentTarget: entry } = event;
  const scroller = entry.closest('.transfers');
  if (by === 0 || event.altKey || target !== entry || scroller === null) return;
  event.preventDefault();
  const modifiers = modifiersOf(event);
  const go = (next: HTMLElement | undefined) => {
    if (next === undefined) return false;
    next.focus();
    reach(next, entry, modifiers);
    return true;
  };
  if (go(beside(scroller, entry, by))) return;
  scroller.scrollTop += by * entry.offsetHeight * 2;
  requestAnimationFrame(() => requestAnimationFrame(() => go(beside(scroller, entry, by))));
}

/** Sorted by position: the DOM order of rendered entries is arbitrary. */
function beside(list: Element, entry: HTMLElement, by: number): HTMLElement | undefined {
  const topOf = (element: HTMLElement) => element.getBoundingClientRect().top;
  const all = [...list.querySelectorAll<HTMLElement>('[data-entry]')];
  const sorted = all.toSorted((a, b) => topOf(a) - topOf(b));
  return sorted[sorted.indexOf(entry) + by];
}
