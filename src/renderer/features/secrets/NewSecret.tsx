import { useState } from 'react';
import { useStore } from 'zustand';
import { commonTexts } from '../../i18n/common-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { useDropTaker } from '../../app/drops.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { showPlace, usePlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { announce } from '../../ui/announce.tsx';
import { NewSecretDialog } from './NewSecretDialog.tsx';
import { newVersionStore, startNewVersion } from './new-version.ts';
import { draftOfFiles, emptyValue, type ValueDraft } from './value-draft.ts';

/** Handles the command from anywhere in the window, and a file dropped on the list of secrets. */
export function NewSecret() {
  const client = useClient();
  const service = useActiveService();
  const isPlace = usePlace(({ view, kind }) => view === 'objects' && kind === 'secret');
  const [begun, setStart] = useState<ValueDraft | null>(null);
  const { of: versionOf } = useStore(newVersionStore);
  const start = begun ?? (versionOf === null ? null : emptyValue);
  const close = () => {
    setStart(null);
    startNewVersion(null);
  };
  useCommand('newSecret', () => setStart(emptyValue), service !== null);
  useDropTaker(
    (files) => {
      if (isDialogOpen()) announce(commonTexts.openDialogFirstOne, 'assertive');
      else if (service !== null) sayFailure(draftOfFiles(client, service.id, files).then(setStart));
    },
    isPlace && start === null && service !== null,
  );
  if (start === null || service === null) return null;
  return (
    <DialogPane onClose={close}>
      <NewSecretDialog
        service={service}
        start={start}
        {...(begun === null && versionOf !== null && { versionOf })}
        onClose={close}
        onStored={(identifier) => {
          close();
          showPlace({ kind: 'all' }, 'secret');
          announce(secretTexts.storingOne({ identifier }), 'polite', { isOnScreen: true });
        }}
      />
    </DialogPane>
  );
}
