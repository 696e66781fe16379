import { refusedText } from '../../i18n/refused-text.ts';
import { useMemo } from 'react';
import { useClient } from '../../app/client.ts';
import { folderOf, usePlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { announce } from '../../ui/announce.tsx';
import { openSheet, takePlan, takeTurn, uploadStore } from './upload-store.ts';

export type UploadStarter = {
  /** Files that were dropped or pasted. @param folder where new objects go; left out: the place that is open */
  offerFiles: (files: File[], folder?: string) => void;
  /** Files or folders chosen in a dialog. */
  chooseFiles: () => void;
  chooseFolders: () => void;
};

type Batches = AsyncIterable<string[]> | Iterable<string[]>;

/** Ways into the sheet. What comes while it is open is added to it. A failure is said; nothing throws. */
export function useUploadStarter(): UploadStarter {
  const client = useClient();
  const serviceId = useActiveService()?.id ?? null;
  return useMemo(() => {
    /** The rest stays out when the sheet is closed meanwhile. */
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
      // Granted when their turn comes: there is no end to how many files may come, but to how many grants there are.
      async function* grant(): AsyncGenerator<string[]> {
        for (const batch of inBatches(files)) {
          const reply = await client.grantFiles(batch);
          for (const name of reply.refused) refused.push(name);
          if (reply.grants.length > 0) yield reply.grants;
        }
      }
      await take(grant(), folder);
      const failures = refused.map((name) => ({ name, error: { code: 'notAFile' as const } }));
      // The sheet tells what it could not take; without one, the message does.
      const isInSheet = uploadStore.getState().plan !== null;
      if (isInSheet) uploadStore.setState((state) => ({ refused: [...state.refused, ...failures] }));
      const [first] = refused;
      if (first !== undefined)
        announce(refusedText(first, refused.length), 'assertive', { isOnScreen: isInSheet });
    }
    async function choose(which: 'files.chooseFiles' | 'files.chooseFolders'): Promise<void> {
      const chosen = await client.call(which);
      if (chosen !== null) await take(inBatches(chosen.grants));
    }
    return {
      offerFiles: (files, folder) => sayFailure(offer(files, folder)),
      chooseFiles: () => sayFailure(choose('files.chooseFiles')),
      chooseFolders: () => sayFailure(choose('files.chooseFolders')),
    };
  }, [client, serviceId]);
}

/** So many at a time keep the page free to answer; the sheet opens with the first of them. */
const filesPerBatch = 500;

function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += filesPerBatch) {
    yield items.slice(start, start + filesPerBatch);
  }
}
