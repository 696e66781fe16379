import { createContext, useContext, type PointerEvent } from 'react';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { EntryCommands, EntryFacts } from './entry-acts.ts';
import type { ListSelection } from './use-list-selection.ts';

/** Pixels of the window. */
export type Point = { x: number; y: number };

export type OpenMenu = { at: Point; label: string; entries: readonly MenuEntry[]; from: HTMLElement };

type ListActions = {
  openMenu: (menu: OpenMenu) => void;
  selection: ListSelection;
  /** Of the words that say of an entry that it is selected: a list item cannot say so by itself. */
  selectedNoteId: string;
  /** What is meant by this one: all that are selected if it is one of them, as they are now; else itself. */
  meantBy: (facts: EntryFacts) => Promise<readonly EntryFacts[]>;
  commands: EntryCommands;
  /** One place up (-1) or down (1) among those that wait, with what is selected beside it. */
  step: (id: number, by: -1 | 1) => void;
  drag: (id: number, event: PointerEvent) => void;
  /** What is dragged now. */
  dragged: ReadonlySet<number>;
};

const ListContext = createContext<ListActions | null>(null);
export const ListProvider = ListContext.Provider;

export function useListActions(): ListActions {
  const actions = useContext(ListContext);
  if (actions === null) throw new Error('An entry needs a list above it');
  return actions;
}
