import { useEffect } from 'react';
import { folderAbove } from '../../../shared/domain/folder.ts';
import { runCommand, useCommand } from '../../app/commands.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { isTop, revisit, showPlace, usePlace } from '../../app/place.ts';
import { returnToFolder } from './state/browser-store.ts';

/** Shows the folder above, and focuses the one that was left. */
export function goUp(separator: string): void {
  const { place } = usePlace.getState();
  if (place.kind !== 'folder' || place.path === '') return;
  showPlace({ kind: 'folder', path: folderAbove(place.path, separator) });
  returnToFolder(place.path);
}

/** The buttons of a mouse beyond the middle one. */
const sideButtons = { 3: 'back', 4: 'forward' } as const;

/** The commands that go through the places, by keyboard and by the side buttons of a mouse. */
export function usePlaceCommands(separator: string): void {
  const canGoUp = usePlace(
    ({ view, place }) => view === 'objects' && place.kind === 'folder' && !isTop(place),
  );
  useCommand('up', () => goUp(separator), canGoUp);
  useCommand('back', () => go('back'));
  useCommand('forward', () => go('forward'));

  function go(way: 'back' | 'forward'): void {
    const { place: left } = usePlace.getState();
    if (!revisit(way)) return;
    const { place } = usePlace.getState();
    const isAbove =
      left.kind === 'folder' && place.kind === 'folder' && folderAbove(left.path, separator) === place.path;
    if (isAbove) returnToFolder(left.path);
  }

  useEffect(() => {
    function onMouseUp(event: MouseEvent) {
      if (event.button !== 3 && event.button !== 4) return;
      event.preventDefault();
      if (!isDialogOpen()) runCommand(sideButtons[event.button]);
    }
    window.addEventListener('mouseup', onMouseUp);
    return () => window.removeEventListener('mouseup', onMouseUp);
  }, []);
}
