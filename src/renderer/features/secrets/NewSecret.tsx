import { useState } from 'react';
import { useCommand } from '../../app/commands.ts';
import { useDropTaker } from '../../app/drop-taker.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { showPlace, usePlace } from '../../app/place.ts';
import { useActiveProfile } from '../../app/stores.ts';
import { announce } from '../../ui/announce.tsx';
import { NewSecretDialog } from './NewSecretDialog.tsx';

const noFiles: readonly File[] = [];

/** Answers the command from anywhere in the window, and a file that is dropped on the list of secrets. */
export function NewSecret() {
  const profile = useActiveProfile();
  const isPlace = usePlace(({ view, kind }) => view === 'objects' && kind === 'secret');
  const [dropped, setDropped] = useState<readonly File[] | null>(null);
  useCommand('newSecret', () => setDropped(noFiles), profile !== null);
  useDropTaker(
    (files) => {
      if (isDialogOpen()) announce('Answer the open dialog first, then drop the file.', 'assertive');
      else setDropped(files);
    },
    isPlace && dropped === null,
  );
  if (dropped === null || profile === null) return null;
  return (
    <NewSecretDialog
      profile={profile}
      dropped={dropped}
      onClose={() => setDropped(null)}
      onStored={(identifier) => {
        setDropped(null);
        showPlace({ kind: 'all' }, 'secret');
        announce(`Storing ${identifier}`, 'polite', { isOnScreen: true });
      }}
    />
  );
}
