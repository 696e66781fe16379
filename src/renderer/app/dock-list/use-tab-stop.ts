import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { createStore } from 'zustand/vanilla';
import { isFocusLost } from '../../ui/focus.ts';
import { drawnEntries } from './entry-keys.ts';
import type { ListActions } from './list-context.ts';
import type { ListSelection, Modifiers } from './use-list-selection.ts';

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
