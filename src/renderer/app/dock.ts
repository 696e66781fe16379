import { create } from 'zustand';

type DockTab = 'details' | 'transfers' | 'jobs';

/** The activity dock. In a narrow window it begins closed, and the left side folds to icons while it is open. */
type DockState = { tab: DockTab; isOpen: boolean; isNarrow: boolean };

export const useDock = create<DockState>()(() => ({ tab: 'transfers', isOpen: true, isNarrow: false }));

/** Opens the dock at a tab. */
export function showDock(tab: DockTab): void {
  useDock.setState({ tab, isOpen: true });
}

/** Turns to a tab where something began: opens the dock when there is room for it. */
export function turnDock(tab: DockTab): void {
  useDock.setState(({ isOpen, isNarrow }) => ({ tab, isOpen: isOpen || !isNarrow }));
}

export function toggleDock(): void {
  useDock.setState(({ isOpen }) => ({ isOpen: !isOpen }));
}
