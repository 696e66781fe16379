import { useEffect, useMemo, useRef } from 'react';
import { create } from 'zustand';
import { pickedMax } from '../../../shared/domain/transfer.ts';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { sayFailure } from '../say-failure.ts';

export type Modifiers = { shift: boolean; ctrl: boolean };
export type Reach = (entry: HTMLElement, from: HTMLElement, modifiers: Modifiers) => void;

export type ListSelection = {
  ids: ReadonlySet<number>;
  /** Click: selects only this entry; Ctrl toggles it; Shift extends the range. */
  press: (entry: HTMLElement, modifiers: Modifiers) => void;
  /** For the menu of an entry: selects it, unless it is part of the selection. */
  aim: (entry: HTMLElement) => void;
  /** Arrow key: selects only this entry; Shift extends the range from the anchor; Ctrl moves the focus only. */
  reach: Reach;
  all: () => void;
  clear: () => void;
};

/** Position of an entry; each list counts on its own, since an expanded cause is a list of its own. */
type Place = { id: number; at: number; list: Element };

/** Announce the count once selecting pauses. */
const tellAfterMs = 300;
const none: ReadonlySet<number> = new Set();

/** The selection of each list of the dock, also while its tab is closed, and the query it belongs to. */
export const useSelected = create<ReadonlyMap<string, { query: string; ids: ReadonlySet<number> }>>()(
  () => new Map(),
);

/**
 * The selection of a list of the dock, by ids, independent of which rows are rendered or loaded.
 * @param name of the list
 * @param query of the list: a new query starts without a selection
 * @param main the list whose rows are loaded on demand; other lists are rendered completely
 */
export function useListSelection(
  name: string,
  query: string,
  main: {
    list: () => Element | null;
    /** Without collapsed rows. */
    count: number;
    idsBetween: (from: number, to: number) => Promise<readonly number[]>;
  },
): ListSelection {
  const kept = useSelected((selected) => selected.get(name));
  const ids = kept?.ids ?? none;
  const anchor = useRef<Place | null>(null);
  // The latest request wins; entries do not re-render when the list changes.
  const ticket = useRef(0);
  const telling = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(telling.current), []);
  const live = useRef({ main, ids, query });
  useEffect(() => {
    live.current = { main, ids, query };
  });

  const actions = useMemo(() => {
    function choose(chosen: ReadonlySet<number>): void {
      ticket.current += 1;
      const { ids: before } = live.current;
      if (chosen.size === before.size && [...chosen].every((id) => before.has(id))) return;
      if (chosen.size > pickedMax) {
        announce(texts.tooMany({ most: pickedMax }), 'assertive');
        return;
      }
      const selected = { query: live.current.query, ids: chosen };
      useSelected.setState((all) => new Map(all).set(name, selected), true);
      clearTimeout(telling.current);
      // The focus already announces a single entry.
      if (chosen.size !== 1 || before.size > 1)
        telling.current = setTimeout(
          () => announce(texts.selected({ count: chosen.size }), 'polite', { isOnScreen: true }),
          tellAfterMs,
        );
    }

    function chooseLater(work: Promise<readonly number[]>, before: ReadonlySet<number>): void {
      const mine = (ticket.current += 1);
      sayFailure(
        work.then((found) => {
          if (mine === ticket.current) choose(new Set([...before, ...found]));
        }),
      );
    }

    function chooseBetween(from: number, to: number, before: ReadonlySet<number>): void {
      if (to - from >= pickedMax) announce(texts.tooMany({ most: pickedMax }), 'assertive');
      else chooseLater(live.current.main.idsBetween(from, to), before);
    }

    function only(entry: HTMLElement): void {
      const place = placeOf(entry);
      if (place === null) return;
      anchor.current = place;
      choose(new Set([place.id]));
    }

    function extend(entry: HTMLElement, before: ReadonlySet<number>): void {
      const end = placeOf(entry);
      if (end === null) return;
      const begin = anchor.current;
      if (begin === null || begin.list !== end.list) return only(entry);
      // Its position may have changed since.
      const start = drawnIn(end.list).find(({ id }) => id === begin.id)?.at ?? begin.at;
      const from = Math.min(start, end.at);
      const to = Math.max(start, end.at);
      if (end.list === live.current.main.list()) return chooseBetween(from, to, before);
      const between = drawnIn(end.list).filter(({ at }) => at >= from && at <= to);
      choose(new Set([...before, ...between.map(({ id }) => id)]));
    }

    return {
      press(entry: HTMLElement, { shift, ctrl }: Modifiers) {
        const { ids: before } = live.current;
        const place = placeOf(entry);
        if (shift) extend(entry, ctrl ? before : none);
        else if (!ctrl || place === null) only(entry);
        else {
          anchor.current = place;
          const toggled = new Set(before);
          if (!toggled.delete(place.id)) toggled.add(place.id);
          choose(toggled);
        }
      },
      aim(entry: HTMLElement) {
        const place = placeOf(entry);
        if (place !== null && !live.current.ids.has(place.id)) only(entry);
      },
      reach(entry: HTMLElement, from: HTMLElement, { shift, ctrl }: Modifiers) {
        if (live.current.ids.size === 0) anchor.current = placeOf(from);
        if (shift) extend(entry, none);
        else if (!ctrl) only(entry);
      },
      all() {
        const { count } = live.current.main;
        if (count > 0) chooseBetween(0, count - 1, none);
      },
      clear: () => choose(none),
    };
  }, [name]);

  const { clear } = actions;
  const isOfAnother = kept !== undefined && kept.query !== query;
  useEffect(() => {
    if (isOfAnother) clear();
  }, [isOfAnother, clear]);

  return useMemo(() => ({ ids, ...actions }), [ids, actions]);
}

/** null: an entry for a cause, which has no number and cannot be selected. */
function placeOf(entry: HTMLElement): Place | null {
  const id = Number(entry.dataset['entry']);
  const list = entry.closest('ul');
  return id > 0 && list !== null ? { id, at: Number(entry.getAttribute('aria-posinset')) - 1, list } : null;
}

function drawnIn(list: Element): Place[] {
  return [...list.querySelectorAll<HTMLElement>(':scope > [data-entry]')].flatMap(
    (entry) => placeOf(entry) ?? [],
  );
}
