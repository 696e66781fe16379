import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createStore } from 'zustand/vanilla';
import { isFocusLost } from '../../ui/focus.ts';
import { useTransferSummary } from '../stores.ts';
import type { ListActions } from './list-context.ts';
import type { ListSelection, Modifiers, Reach } from './use-list-selection.ts';

/** Whether everything of a service is paused, for any reason. The pause bar says so; its entries need not. */
export function useHeld(): (serviceId: string) => boolean {
  const paused = useTransferSummary()?.paused;
  return useCallback(
    (serviceId) =>
      paused !== undefined && (paused.all || paused.byHour || paused.serviceIds.includes(serviceId)),
    [paused],
  );
}

/**
 * Makes a list entry focusable and gives it keys. It keeps the role of a list item; everything the keys do is also on a
 * button. `takeKey` runs first; Up, Down, Home and End move between entries, Ctrl+A selects all of the list, and Escape
 * clears the selection.
 */
export function entryKeys(
  name: string,
  isTabStop: boolean,
  takeKey: (event: KeyboardEvent<HTMLElement>) => void,
  { selection, tabStop, goTo }: Pick<ListActions, 'selection' | 'tabStop' | 'goTo'>,
) {
  return {
    tabIndex: isTabStop ? 0 : -1,
    'data-entry': name,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      if (entryOf(event.target) === event.currentTarget) tabStop.setState(name, true);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      // Keys pressed in a nested entry belong to that one.
      if (entryOf(event.target) !== event.currentTarget) return;
      takeKey(event);
      if (!event.defaultPrevented) changeSelection(event, selection);
      if (!event.defaultPrevented) walk(event, selection.reach);
      if (!event.defaultPrevented) jump(event, goTo);
    },
  };
}

/** The innermost entry that contains it. */
function entryOf(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('[data-entry]') : null;
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

/** Scrolls the list when the focus reaches the edge of the rendered entries. */
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

function beside(list: Element, entry: HTMLElement, by: number): HTMLElement | undefined {
  const drawn = drawnEntries(list);
  return drawn[drawn.indexOf(entry) + by];
}

function jump(event: KeyboardEvent<HTMLElement>, goTo: ListActions['goTo']): void {
  const { key, target, currentTarget: entry } = event;
  const scroller = entry.closest('.transfers');
  if (target !== entry || (key !== 'Home' && key !== 'End') || scroller === null) return;
  event.preventDefault();
  scroller.scrollTop = key === 'Home' ? 0 : scroller.scrollHeight;
  goTo(key === 'Home' ? 'first' : 'last', entry, modifiersOf(event));
}

/** The rendered entries by position: their order in the DOM is arbitrary. */
function drawnEntries(list: Element): HTMLElement[] {
  const topOf = (element: HTMLElement) => element.getBoundingClientRect().top;
  const all = [...list.querySelectorAll<HTMLElement>('[data-entry]')];
  return all.sort((a, b) => topOf(a) - topOf(b));
}

type Wish = { edge: 'first' | 'last'; from: HTMLElement; modifiers: Modifiers };

/**
 * The one Tab stop of a list: the entry that last had the focus, or else the first that is rendered.
 * @param isDrawn whether the rows in view at this scroll offset are loaded and rendered
 */
export function useTabStop(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  selection: ListSelection,
  isDrawn: (top: number) => boolean,
): Pick<ListActions, 'tabStop' | 'goTo'> {
  const [tabStop] = useState(() => createStore(() => ''));
  /** The target of Home or End, focused once its rows are loaded. */
  const wish = useRef<Wish | null>(null);
  const live = useRef({ selection, isDrawn });

  const fulfil = useCallback(() => {
    const box = scroller.current;
    if (wish.current === null || box === null || list.current === null) return;
    const isElsewhere = !isFocusLost() && !list.current.contains(document.activeElement);
    if (!isElsewhere && !live.current.isDrawn(box.scrollTop)) return;
    const { edge, from, modifiers } = wish.current;
    wish.current = null;
    const entry = isElsewhere ? undefined : drawnEntries(list.current).at(edge === 'first' ? 0 : -1);
    if (entry === undefined) return;
    entry.focus();
    live.current.selection.reach(entry, from, modifiers);
  }, [scroller, list]);

  // After every render, because rows come and go.
  useLayoutEffect(() => {
    live.current = { selection, isDrawn };
    fulfil();
    const known = tabStop.getState();
    const drawn = [...(list.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    if (list.current === null || drawn.some(({ dataset }) => dataset['entry'] === known)) return;
    const [first] = drawnEntries(list.current);
    if (first !== undefined) tabStop.setState(first.dataset['entry'] ?? '', true);
  });

  const goTo = useCallback(
    (edge: Wish['edge'], from: HTMLElement, modifiers: Modifiers) => {
      // The start of the range may no longer be rendered when its end is.
      if (modifiers.shift && live.current.selection.ids.size === 0)
        live.current.selection.press(from, { shift: false, ctrl: false });
      wish.current = { edge, from, modifiers };
      fulfil();
    },
    [fulfil],
  );
  return useMemo(() => ({ tabStop, goTo }), [tabStop, goTo]);
}
