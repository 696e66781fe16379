import { refusedText } from '../../i18n/refused-text.ts';
import { useMemo } from 'react';
import { useClient } from '../../app/client.ts';
import { usePlace, type PlaceState } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveProfile } from '../../app/stores.ts';
import { announce } from '../../ui/announce.tsx';
import { openSheet, takeDraft, uploadStore } from './upload-store.ts';

export type UploadStarter = {
  /** Files that were dropped or pasted. */
  offerFiles: (files: File[]) => void;
  /** Files or folders chosen in a dialog. */
  chooseFiles: () => void;
  chooseFolders: () => void;
};

/** One after the other: what comes while a sheet is being opened joins it. */
let opening: Promise<void> = Promise.resolve();

/** Ways into the sheet. What comes while it is open is added to it. A failure is said; nothing throws. */
export function useUploadStarter(): UploadStarter {
  const client = useClient();
  const profileId = useActiveProfile()?.id ?? null;
  return useMemo(() => {
    async function openNow(grants: string[]): Promise<void> {
      const { draft } = uploadStore.getState();
      if (draft !== null) {
        takeDraft(await client.call('drafts.addFiles', { id: draft.id, grants }));
      } else if (profileId !== null) {
        openSheet(
          await client.call('drafts.open', { profileId, intoFolder: folderOf(usePlace.getState()), grants }),
        );
      }
    }
    function open(grants: string[]): Promise<void> {
      const mine = opening.then(() => openNow(grants));
      opening = mine.catch(() => undefined);
      return mine;
    }
    async function offer(files: File[]): Promise<void> {
      const { grants, refused } = await client.grantFiles(files);
      const failures = refused.map((name) => ({ name, error: { code: 'notAFile' as const } }));
      if (grants.length > 0) await open(grants);
      // The sheet tells what it could not take; without one, the message does.
      const isInSheet = uploadStore.getState().draft !== null;
      if (isInSheet) uploadStore.setState((state) => ({ refused: [...state.refused, ...failures] }));
      const [first] = refused;
      if (first !== undefined)
        announce(refusedText(first, refused.length), 'assertive', { isOnScreen: isInSheet });
    }
    async function choose(which: 'files.chooseFiles' | 'files.chooseFolders'): Promise<void> {
      const chosen = await client.call(which);
      if (chosen !== null && chosen.grants.length > 0) await open(chosen.grants);
    }
    return {
      offerFiles: (files) => sayFailure(offer(files)),
      chooseFiles: () => sayFailure(choose('files.chooseFiles')),
      chooseFolders: () => sayFailure(choose('files.chooseFolders')),
    };
  }, [client, profileId]);
}

/** Where new objects go: the folder that is shown. */
export function folderOf({ view, place }: Pick<PlaceState, 'view' | 'place'>): string {
  return view === 'objects' && place.kind === 'folder' ? place.path : '';
}
