import { create } from 'zustand';
import { useEffect, useEffectEvent } from 'react';
import { useClient } from './client.ts';
import { useSettings } from './stores.ts';

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

/** Below this width the dock takes space from the sidebar. */
const narrow = '(max-width: 1099px)';

/** A wide window remembers whether its dock is open; a narrow one starts with it closed, and Escape closes it. */
export function useDockMemory(): void {
  const client = useClient();
  const { dockOpen, dockPinned } = useSettings();
  useEffect(() => useDock.setState({ isPinned: dockPinned }), [dockPinned]);

  const adapt = useEffectEvent((isNarrow: boolean) =>
    useDock.setState({ isNarrow, isOpen: !isNarrow && dockOpen }),
  );
  useEffect(() => {
    const media = matchMedia(narrow);
    const onChange = () => adapt(media.matches);
    onChange();
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);

  useEffect(
    () =>
      useDock.subscribe(({ isOpen, isNarrow }, before) => {
        const isChoice = isOpen !== before.isOpen && isNarrow === before.isNarrow;
        if (!isChoice || isNarrow || isOpen === dockOpen) return;
        // Not important: if it cannot be saved, only the next start is affected.
        client.call('settings.update', { dockOpen: isOpen }).catch(() => undefined);
      }),
    [client, dockOpen],
  );

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { isOpen, isNarrow } = useDock.getState();
      if (event.key === 'Escape' && !event.defaultPrevented && isOpen && isNarrow)
        useDock.setState({ isOpen: false });
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
