import { useState } from 'react';
import { useCommand } from '../../app/commands.ts';
import { showPlace } from '../../app/place.ts';
import { useActiveProfile } from '../../app/stores.ts';
import { announce } from '../../ui/announce.tsx';
import { NewSecretDialog } from './NewSecretDialog.tsx';

/** Answers the command from anywhere in the window. What is stored is seen in the list. */
export function NewSecret() {
  const profile = useActiveProfile();
  const [isOpen, setOpen] = useState(false);
  useCommand('newSecret', () => setOpen(true), profile !== null);
  if (!isOpen || profile === null) return null;
  return (
    <NewSecretDialog
      profile={profile}
      onClose={() => setOpen(false)}
      onStored={(identifier) => {
        setOpen(false);
        showPlace({ kind: 'all' }, 'secret');
        announce(`Storing ${identifier}`, 'polite', { isOnScreen: true });
      }}
    />
  );
}
