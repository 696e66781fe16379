import { createContext, useContext, type PointerEvent } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { EntryCommands, EntryFacts } from './entry-acts.ts';
import type { ListSelection, Modifiers } from './use-list-selection.ts';

/** In window pixels. */
export type Point = { x: number; y: number };

export type OpenMenu = { at: Point; label: string; entries: readonly MenuEntry[] };

export type ListActions = {
  /** The name of the entry that is the Tab stop of the list. */
  tabStop: StoreApi<string>;
  /** Moves the focus to the first or last entry, once the scrolled-to rows are rendered. */
  goTo: (edge: 'first' | 'last', from: HTMLElement, modifiers: Modifiers) => void;
  openMenu: (menu: OpenMenu) => void;
  selection: ListSelection;
  /** Id of the text "selected", used as a description: a list item has no selected state. */
  selectedNoteId: string;
  /**
   * The current transfers an action applies to: the whole selection if the entry is part of it, else the entry alone.
   */
  meantBy: (facts: EntryFacts) => Promise<readonly EntryFacts[]>;
  commands: EntryCommands;
  /** Moves it up (-1) or down (1) by one place in the queue, with the selection if it is part of it. */
  step: (id: number, by: -1 | 1) => void;
  drag: (id: number, event: PointerEvent) => void;
  /** The transfers being dragged. */
  dragged: ReadonlySet<number>;
};

const ListContext = createContext<ListActions | null>(null);
export const ListProvider = ListContext.Provider;

export function useListActions(): ListActions {
  const actions = useContext(ListContext);
  if (actions === null) throw new Error('An entry needs a list above it');
  return actions;
}
