import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * What makes an entry of a list take the focus and hear keys: a list item by its role, since that is what it is, with
 * everything it can do also on a button. `takeKey` goes first; Up and Down go from entry to entry.
 */
export function entryKeys(takeKey: (event: KeyboardEvent<HTMLElement>) => void) {
  return {
    tabIndex: 0,
    'data-entry': '',
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // Keys of an entry inside another are for the inner one.
      const inner = event.target instanceof Element ? event.target.closest('[data-entry]') : null;
      if (inner !== event.currentTarget) return;
      takeKey(event);
      if (!event.defaultPrevented) walk(event);
    },
  };
}

/** The menu where the pointer is. */
export function entryPointer(open: (from: HTMLElement, at: { x: number; y: number }) => void) {
  return {
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      event.preventDefault();
      open(event.currentTarget, { x: event.clientX, y: event.clientY });
    },
  };
}

/** At the edge of what is drawn, the list moves on. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const { target, currentTarget: entry } = event;
  const scroller = entry.closest('.transfers');
  if (by === 0 || event.altKey || target !== entry || scroller === null) return;
  event.preventDefault();
  const next = beside(scroller, entry, by);
  if (next !== undefined) {
    next.focus();
    return;
  }
  scroller.scrollTop += by * entry.offsetHeight * 2;
  requestAnimationFrame(() => requestAnimationFrame(() => beside(scroller, entry, by)?.focus()));
}

/** By where they stand: what is drawn is in no order of its own. */
function beside(list: Element, entry: HTMLElement, by: number): HTMLElement | undefined {
  const topOf = (element: HTMLElement) => element.getBoundingClientRect().top;
  const all = [...list.querySelectorAll<HTMLElement>('[data-entry]')];
  const sorted = all.toSorted((a, b) => topOf(a) - topOf(b));
  return sorted[sorted.indexOf(entry) + by];
}
