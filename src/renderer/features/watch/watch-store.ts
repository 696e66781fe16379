import { create } from 'zustand';
import type { WatchedFolder } from '../../../shared/domain/watch.ts';
import { usePlace } from '../../app/place.ts';

/** The open dialog. `chosen`: a folder that is not watched yet. */
type Open =
  | { kind: 'add'; chosen: { grant: string; label: string } }
  | { kind: 'edit'; folder: WatchedFolder }
  | { kind: 'remove'; folder: WatchedFolder };

export const useWatchStore = create<{ open: Open | null }>()(() => ({ open: null }));

export function openWatchDialog(open: Open): void {
  useWatchStore.setState({ open });
}

export function closeWatchDialog(): void {
  useWatchStore.setState({ open: null });
}

/** The folders of this computer that are watched. */
export function showWatched(): void {
  usePlace.setState({ view: 'watch', setting: null });
}
