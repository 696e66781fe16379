import { useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { useDropTaker } from '../../app/drop-taker.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { showPlace, usePlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveProfile } from '../../app/stores.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { announce } from '../../ui/announce.tsx';
import { NewSecretDialog } from './NewSecretDialog.tsx';
import { draftOfFiles, emptyValue, type ValueDraft } from './value-draft.ts';

/** Answers the command from anywhere in the window, and a file that is dropped on the list of secrets. */
export function NewSecret() {
  const client = useClient();
  const profile = useActiveProfile();
  const isPlace = usePlace(({ view, kind }) => view === 'objects' && kind === 'secret');
  const [start, setStart] = useState<ValueDraft | null>(null);
  useCommand('newSecret', () => setStart(emptyValue), profile !== null);
  useDropTaker(
    (files) => {
      if (isDialogOpen()) announce(commonTexts.openDialogFirstOne, 'assertive');
      else if (profile !== null) sayFailure(draftOfFiles(client, profile.id, files).then(setStart));
    },
    isPlace && start === null && profile !== null,
  );
  if (start === null || profile === null) return null;
  return (
    <DialogPane onClose={() => setStart(null)}>
      <NewSecretDialog
        profile={profile}
        start={start}
        onClose={() => setStart(null)}
        onStored={(identifier) => {
          setStart(null);
          showPlace({ kind: 'all' }, 'secret');
          announce(secretTexts.storingOne({ identifier }), 'polite', { isOnScreen: true });
        }}
      />
    </DialogPane>
  );
}
