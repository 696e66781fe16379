import { create } from 'zustand';

type DockTab = 'details' | 'transfers' | 'jobs';

/**
 * The activity dock. In a narrow window it is closed at first, and while it is open the sidebar shows only icons. Pinned: its tab changes
 * only when a person asks for another.
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

/** Selects a tab where something began, and opens the dock if the window has room. */
export function turnDock(tab: DockTab): void {
  useDock.setState(({ isOpen, isNarrow, isPinned }) =>
    isPinned ? {} : { tab, isOpen: isOpen || !isNarrow },
  );
}

/** Shows the details of what a person selects, if the dock is open. */
export function followSelection(): void {
  useDock.setState(({ isOpen, isPinned }) => (isOpen && !isPinned ? { tab: 'details' } : {}));
}

export function toggleDock(): void {
  useDock.setState(({ isOpen }) => ({ isOpen: !isOpen }));
}
