import { AppFailure } from '../../shared/app-failure.ts';
import type { Together } from '../transfers/queue/together.ts';
import type { UploadItem } from '../transfers/queue/record-factory.ts';
import type { PlanDeps, UploadChoice } from './open-plan.ts';
import { pathOf, type SheetEntry } from './sheet-entry.ts';

type HandOverDeps = Pick<PlanDeps, 'connections' | 'enqueueUploads' | 'onUpload' | 'log'>;

/**
 * Hands entries to the transfers, batch by batch, until the signal is aborted. Answers the ids of their transfers. @throws AppFailure
 * notFound (service), cancelled (its service has another address now), and what enqueuing throws
 * @param batches.onGone a batch is on its way: it must not come back with the sheet
 */
export async function handOver(
  { connections, enqueueUploads, onUpload, log }: HandOverDeps,
  { serviceId, folder }: { serviceId: string; folder: string },
  choice: UploadChoice,
  going: readonly SheetEntry[],
  batches: { size: number; signal: AbortSignal; onGone: (batch: SheetEntry[]) => Promise<void> },
): Promise<number[]> {
  const { size, signal, onGone } = batches;
  const origin = connections.originOf(serviceId);
  const ids: number[] = [];
  const together: Together = { count: going.length };
  try {
    for (let index = 0; index < going.length; index += size) {
      const batch = going.slice(index, index + size);
      // The service may have been removed since the last batch.
      await connections.factsOf(serviceId);
      if (signal.aborted) break;
      // At another address it is another service, which a person means by another press.
      if (connections.originOf(serviceId) !== origin) throw new AppFailure({ code: 'cancelled' });
      const items = batch.map((entry) => itemOf(entry, choice));
      // Whoever cancels the whole means what is still to be handed over, too.
      if (together.isStopped !== true)
        ids.push(...(await enqueueUploads(serviceId, items, choice.request, together)));
      await onGone(batch);
    }
  } finally {
    if (ids.length > 0) {
      await onUpload(serviceId, folder, choice).catch((cause: unknown) =>
        log.error('the classification of an upload is not remembered', { cause }),
      );
    }
  }
  return ids;
}

function itemOf({ file, identifier }: SheetEntry, choice: UploadChoice): UploadItem {
  const { fileName, sizeBytes, mtimeMs } = file;
  const { classification, classificationChosen = false, ifExists, isByCommand } = choice;
  const chosen = { classification, classificationChosen, ifExists, isByCommand };
  return { path: pathOf(file), fileName, identifier, sizeBytes, mtimeMs, ...chosen };
}
