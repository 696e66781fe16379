import { refusedText } from '../../i18n/refused-text.ts';
import { useMemo } from 'react';
import { useClient } from '../../app/client.ts';
import { folderOf, usePlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { slicesOf } from '../../../shared/slices.ts';
import { announce } from '../../ui/announce.tsx';
import { openSheet, takePlan, takeTurn, uploadStore } from './upload-store.ts';

export type UploadStarter = {
  /** For dropped or pasted files. @param folder for new objects; omitted: the current place */
  offerFiles: (files: File[], folder?: string) => void;
  /** For files or folders that another program handed over, with grants from main. */
  offerGrants: (grants: string[]) => void;
  /** For files or folders chosen in a dialog. */
  chooseFiles: () => void;
  chooseFolders: () => void;
};

type Batches = AsyncIterable<string[]> | Iterable<string[]>;

/** Opens the upload sheet, or adds to the open one. Failures are announced, never thrown. */
export function useUploadStarter(): UploadStarter {
  const client = useClient();
  const serviceId = useActiveService()?.id ?? null;
  return useMemo(() => {
    /** If the sheet is closed meanwhile, the remaining files are dropped. */
    async function takeNow(batches: Batches, intoFolder: string): Promise<void> {
      let sheetId = uploadStore.getState().plan?.id ?? null;
      for await (const grants of batches) {
        const openId = uploadStore.getState().plan?.id ?? null;
        if (openId !== sheetId) return;
        if (openId !== null) takePlan(await client.call('uploadPlans.addFiles', { id: openId, grants }));
        else if (serviceId !== null) {
          const opened = await client.call('uploadPlans.open', { serviceId, intoFolder, grants });
          openSheet(opened);
          sheetId = opened.id;
        }
      }
    }
    function take(batches: Batches, folder = folderOf(usePlace.getState())): Promise<void> {
      return takeTurn(async () => {
        uploadStore.setState({ isTaking: true });
        try {
          await takeNow(batches, folder);
        } finally {
          uploadStore.setState({ isTaking: false });
        }
      });
    }
    async function offer(files: File[], folder?: string): Promise<void> {
      const refused: string[] = [];
      // Grants are requested in batches: the number of files is unlimited, the number of grants is not.
      async function* grant(): AsyncGenerator<string[]> {
        for (const batch of slicesOf(files, filesPerBatch)) {
          const reply = await client.grantFiles(batch);
          for (const name of reply.refused) refused.push(name);
          if (reply.grants.length > 0) yield reply.grants;
        }
      }
      await take(grant(), folder);
      const failures = refused.map((name) => ({ name, error: { code: 'notAFile' as const } }));
      // The sheet shows what it could not take; without one, a message does.
      const isInSheet = uploadStore.getState().plan !== null;
      if (isInSheet) uploadStore.setState((state) => ({ refused: [...state.refused, ...failures] }));
      const [first] = refused;
      if (first !== undefined)
        announce(refusedText(first, refused.length), 'assertive', { isOnScreen: isInSheet });
    }
    async function choose(which: 'files.chooseFiles' | 'files.chooseFolders'): Promise<void> {
      const chosen = await client.call(which);
      if (chosen !== null) await take(slicesOf(chosen.grants, filesPerBatch));
    }
    return {
      offerFiles: (files, folder) => sayFailure(offer(files, folder)),
      offerGrants: (grants) => {
        uploadStore.setState(({ handedOver }) => ({ handedOver: handedOver + 1 }));
        sayFailure(take(slicesOf(grants, filesPerBatch)));
      },
      chooseFiles: () => sayFailure(choose('files.chooseFiles')),
      chooseFolders: () => sayFailure(choose('files.chooseFolders')),
    };
  }, [client, serviceId]);
}

/** Batches of this size keep the page responsive; the sheet opens with the first one. */
const filesPerBatch = 500;
