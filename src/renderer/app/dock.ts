import { create } from 'zustand';

type DockTab = 'details' | 'transfers' | 'jobs';

/**
 * The activity dock. A narrow window starts with it closed, and shows only the sidebar's icons while it is open. Pinned: its tab
 * changes only when the person selects another.
 */
type DockState = { tab: DockTab; isOpen: boolean; isNarrow: boolean; isPinned: boolean };

export const useDock = create<DockState>()(() => ({
  tab: 'transfers',
  isOpen: true,
  isNarrow: false,
  isPinned: false,
}));

/** Opens the dock with a tab. */
export function showDock(tab: DockTab): void {
  useDock.setState({ tab, isOpen: true });
}

/** Selects a tab because something started there, and opens the dock if the window has room. */
export function turnDock(tab: DockTab): void {
  useDock.setState(({ isOpen, isNarrow, isPinned }) =>
    isPinned ? {} : { tab, isOpen: isOpen || !isNarrow },
  );
}

/** Shows the details of the selection, if the dock is open. */
export function followSelection(): void {
  useDock.setState(({ isOpen, isPinned }) => (isOpen && !isPinned ? { tab: 'details' } : {}));
}

export function toggleDock(): void {
  useDock.setState(({ isOpen }) => ({ isOpen: !isOpen }));
}
