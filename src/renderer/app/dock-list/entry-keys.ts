import type { KeyboardEvent, MouseEvent } from 'react';
import type { Modifiers, Reach } from './use-list-selection.ts';

/**
 * What makes an entry of a list take the focus and hear keys: a list item by its role, since that is what it is, with
 * everything it can do also on a button. `takeKey` goes first; Up and Down go from entry to entry.
 * @param id of what can be selected; null: it cannot
 * @param reach told of the entry that an arrow leads to
 */
export function entryKeys(
  id: number | null,
  takeKey: (event: KeyboardEvent<HTMLElement>) => void,
  reach: Reach,
) {
  return {
    tabIndex: 0,
    'data-entry': id ?? '',
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // Keys of an entry inside another are for the inner one.
      const inner = event.target instanceof Element ? event.target.closest('[data-entry]') : null;
      if (inner !== event.currentTarget) return;
      takeKey(event);
      if (!event.defaultPrevented) walk(event, reach);
    },
  };
}

/** A click on an entry, not on what stands in it; and the menu where the pointer is. */
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

/** At the edge of what is drawn, the list moves on. */
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

/** By where they stand: what is drawn is in no order of its own. */
function beside(list: Element, entry: HTMLElement, by: number): HTMLElement | undefined {
  const topOf = (element: HTMLElement) => element.getBoundingClientRect().top;
  const all = [...list.querySelectorAll<HTMLElement>('[data-entry]')];
  const sorted = all.toSorted((a, b) => topOf(a) - topOf(b));
  return sorted[sorted.indexOf(entry) + by];
}
