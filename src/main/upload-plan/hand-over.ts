import { isClassificationKnown, type ObjectRecord } from '../../shared/domain/object.ts';
import { newestStored } from '../../shared/domain/versions.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { PendingBatch } from '../transfers/queue/pending-batch.ts';
import type { UploadItem } from '../transfers/queue/record-factory.ts';
import type { PlanDeps, UploadChoice } from './open-plan.ts';
import { pathOf, type SheetEntry } from './sheet-entries.ts';

/** Identifiers looked up at once. */
const batchSize = 1000;

/**
 * Counts the stored objects whose classification differs from `to`, by classification, most frequent first: for `replace` the
 * objects under these identifiers, for `newVersion` the newest version of each, whose classification the next one inherits.
 */
export async function countReclassified(
  catalogue: Pick<Catalogue, 'findByIdentifiers' | 'versions'>,
  serviceId: string,
  identifiers: readonly string[],
  to: string | null,
  ifExists: 'replace' | 'newVersion',
): Promise<{ from: string | null; count: number }[]> {
  const isStored = (row: ObjectRecord) => row.state === 'stored' && isClassificationKnown(row);
  async function find(batch: readonly string[]): Promise<(ObjectRecord | undefined)[]> {
    if (ifExists === 'replace')
      return [...(await catalogue.findByIdentifiers(serviceId, 'data', batch)).values()].filter(isStored);
    const families = await Promise.all(batch.map((each) => catalogue.versions(serviceId, 'data', each)));
    return families.map(({ versions }) =>
      newestStored(versions.map(({ record }) => record).filter(isStored)),
    );
  }

  const counts = new Map<string | null, number>();
  for (let at = 0; at < identifiers.length; at += batchSize) {
    for (const row of await find(identifiers.slice(at, at + batchSize)))
      if (row && row.classification !== to)
        counts.set(row.classification, (counts.get(row.classification) ?? 0) + 1);
  }
  return [...counts].map(([from, count]) => ({ from, count })).toSorted((a, b) => b.count - a.count);
}

type HandOverDeps = Pick<PlanDeps, 'connections' | 'enqueueUploads' | 'onUpload' | 'log'>;

/**
 * Enqueues entries, batch by batch, until the signal is aborted. Resolves to the ids of their transfers.
 * @param batches.onGone a batch was enqueued: it must not return with a restored sheet
 * @throws AppFailure notFound (service), cancelled (the service's origin has changed), and what enqueuing throws
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
  const pendingBatch: PendingBatch = { count: going.length };
  try {
    for (let index = 0; index < going.length; index += size) {
      const batch = going.slice(index, index + size);
      // The service may have been removed since the last batch.
      await connections.factsOf(serviceId);
      if (signal.aborted) break;
      // Another origin means another service, for which the person must start the upload again.
      if (connections.originOf(serviceId) !== origin) throw new AppFailure({ code: 'cancelled' });
      const items = batch.map((entry) => itemOf(entry, choice));
      // Cancelling the batch of transfers also cancels entries not enqueued yet.
      if (pendingBatch.isStopped !== true)
        ids.push(...(await enqueueUploads(serviceId, items, choice.request, pendingBatch)));
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
