import { useMemo } from 'react';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/mirror.ts';
import { usePlace } from '../../app/place.ts';
import { useActiveProfile } from '../../app/stores.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { openSheet, uploadStore } from './upload-store.ts';

export type UploadStarter = {
  /** Files that were dropped or pasted. */
  offerFiles(files: File[]): Promise<void>;
  /** Files or folders chosen in a dialog. */
  chooseFiles(): Promise<void>;
  chooseFolders(): Promise<void>;
};

/** Ways into the sheet. What comes while it is open is added to it. A failure is said; nothing throws. */
export function useUploadStarter(): UploadStarter {
  const client = useClient();
  const profileId = useActiveProfile()?.id ?? null;
  return useMemo(() => {
    async function open(grants: string[]): Promise<void> {
      const { draft } = uploadStore.getState();
      if (draft !== null) {
        openSheet(await client.call('drafts.addFiles', { id: draft.id, grants }));
      } else if (profileId !== null) {
        openSheet(await client.call('drafts.open', { profileId, intoFolder: folderOfPlace(), grants }));
      }
    }
    async function say(work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } catch (cause) {
        announce(errorLine(asAppError(cause)), 'assertive');
      }
    }
    async function choose(which: 'files.chooseFiles' | 'files.chooseFolders'): Promise<void> {
      const chosen = await client.call(which);
      if (chosen !== null && chosen.grants.length > 0) await open(chosen.grants);
    }
    return {
      offerFiles: (files) =>
        say(async () => {
          const { grants, refused } = await client.grantFiles(files);
          if (refused.length > 0) {
            const failures = refused.map((name) => ({ name, error: { code: 'notAFile' as const } }));
            uploadStore.setState((state) => ({ refused: [...state.refused, ...failures] }));
            announce(errorLine({ code: 'notAFile' }), 'assertive');
          }
          if (grants.length > 0) await open(grants);
        }),
      chooseFiles: () => say(() => choose('files.chooseFiles')),
      chooseFolders: () => say(() => choose('files.chooseFolders')),
    };
  }, [client, profileId]);
}

/** Where new objects go: the folder that is shown. */
export function folderOfPlace(): string {
  const { view, place } = usePlace.getState();
  return view === 'objects' && place.kind === 'folder' ? place.path : '';
}
