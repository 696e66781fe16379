import { createContext, useContext, type PointerEvent } from 'react';
import type { MenuEntry } from '../../ui/Menu.tsx';

/** Pixels of the window. */
export type Point = { x: number; y: number };

export type OpenMenu = { at: Point; label: string; entries: readonly MenuEntry[]; from: HTMLElement };

type ListActions = {
  openMenu: (menu: OpenMenu) => void;
  /** One place up (-1) or down (1) among those that wait. */
  step: (id: number, by: -1 | 1) => void;
  drag: (id: number, event: PointerEvent) => void;
  /** What is dragged now. */
  draggedId: number | null;
};

const ListContext = createContext<ListActions | null>(null);
export const ListProvider = ListContext.Provider;

export function useListActions(): ListActions {
  const actions = useContext(ListContext);
  if (actions === null) throw new Error('An entry needs a list above it');
  return actions;
}
