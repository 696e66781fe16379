import { create } from 'zustand';

type DockTab = 'details' | 'transfers' | 'jobs';

/** The activity dock. In a narrow window it is closed at first, and while it is open the sidebar shows only icons. */
type DockState = { tab: DockTab; isOpen: boolean; isNarrow: boolean };

export const useDock = create<DockState>()(() => ({ tab: 'transfers', isOpen: true, isNarrow: false }));

/** Opens the dock with a tab. */
export function showDock(tab: DockTab): void {
  useDock.setState({ tab, isOpen: true });
}

/** Selects a tab where something began, and opens the dock if the window has room. */
export function turnDock(tab: DockTab): void {
  useDock.setState(({ isOpen, isNarrow }) => ({ tab, isOpen: isOpen || !isNarrow }));
}

export function toggleDock(): void {
  useDock.setState(({ isOpen }) => ({ isOpen: !isOpen }));
}
