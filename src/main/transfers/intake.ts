import { setImmediate } from 'node:timers/promises';
import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import { newRowOf } from './conflict.ts';
import type { Context } from './context.ts';
import { isUpload, newUploadJob, type Entry, type UploadEntry, type UploadItem } from './entry.ts';
import { batches } from './records.ts';

/** How transfers come into being, and come back. */
export interface Intake {
  readonly enqueueUploads: (profileId: string, items: readonly UploadItem[]) => Promise<number>;
  readonly enqueueDownloads: (
    profileId: string,
    objectIds: ArrayLike<number>,
    options: { saveAsPath: string | null },
  ) => Promise<number>;
  /** Begins finished ones anew. */
  readonly again: (entries: readonly Entry[]) => Promise<void>;
}

type Given = Pick<Transfer, 'profileId' | 'direction' | 'identifier' | 'objectId' | 'totalBytes'>;

export function createIntake({ catalogue, records, list, queue, closing }: Context): Intake {
  const returning = new Set<Entry>();
  let lastId = 0;

  function newEntry<Job extends Entry['job']>(given: Given, job: Job): Entry & { readonly job: Job } {
    lastId += 1;
    const transfer: Transfer = {
      ...given,
      id: lastId,
      state: 'waiting',
      waitingFor: 'turn',
      retryAtMs: null,
      doneBytes: 0,
      bytesPerSecond: null,
      leftMs: null,
      error: null,
      activityToken: null,
      outcome: null,
      finishedAtMs: null,
    };
    return { transfer, job, tries: 0, pace: null, run: null };
  }

  function newUpload(profileId: string, item: UploadItem): UploadEntry {
    const { identifier, sizeBytes } = item;
    return newEntry(
      { profileId, direction: 'upload', identifier, objectId: null, totalBytes: sizeBytes },
      newUploadJob(item),
    );
  }

  /** Gives uploads their rows; one that was there already is not theirs. */
  async function takeRows(profileId: string, entries: readonly UploadEntry[]): Promise<void> {
    const rows = await catalogue.add(
      profileId,
      entries.map((entry) => newRowOf(entry)),
    );
    entries.forEach(({ transfer, job }, index) => {
      const row = rows[index];
      job.ownsRow = row !== undefined && (row.added || (job.ownsRow && row.record.id === transfer.objectId));
      transfer.objectId = row?.record.id ?? null;
    });
  }

  /** The person means the files as they are now, and rows may have been taken off the list. */
  async function takeRowsAgain(entries: readonly UploadEntry[]): Promise<void> {
    for (const [profileId, uploads] of Map.groupBy(entries, ({ transfer }) => transfer.profileId)) {
      for (const { job } of uploads) {
        job.expected = null;
        job.conflict = null;
      }
      await takeRows(profileId, uploads);
      const ids = uploads.filter(({ job }) => job.ownsRow).map(({ transfer }) => transfer.objectId);
      const patch = { state: 'uploading' as const };
      await records.update(ids.filter((id) => id !== null).map((id) => ({ id, patch })));
    }
  }

  async function start(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) queue.push(entry);
    queue.pump();
    // The window's questions come between two batches.
    await setImmediate();
  }

  return {
    async enqueueUploads(profileId, items) {
      for (const batch of batches(items)) {
        closing.throwIfAborted();
        const entries = batch.map((item) => newUpload(profileId, item));
        await takeRows(profileId, entries);
        list.add(entries);
        await start(entries);
      }
      return items.length;
    },

    async enqueueDownloads(profileId, objectIds, { saveAsPath }) {
      let count = 0;
      for (const batch of batches(objectIds)) {
        closing.throwIfAborted();
        const entries = (await catalogue.getMany(batch)).map(({ id: objectId, identifier, lengthBytes }) =>
          newEntry(
            { profileId, direction: 'download', identifier, objectId, totalBytes: lengthBytes },
            { kind: 'download', saveAsPath, savedPath: null },
          ),
        );
        count += entries.length;
        list.add(entries);
        await start(entries);
      }
      return count;
    },

    async again(entries) {
      // Asked twice while the catalogue is busy: once is enough.
      const given = entries.filter((entry) => isFinished(entry.transfer.state) && !returning.has(entry));
      for (const entry of given) returning.add(entry);
      try {
        for (const batch of batches(given)) {
          await takeRowsAgain(batch.filter(isUpload));
          // Meanwhile one may have been taken off the list.
          const there = batch.filter((entry) => list.get(entry.transfer.id) === entry);
          for (const entry of there) {
            entry.tries = 0;
            list.move(entry, 'waiting', anew);
          }
          await start(there);
        }
      } finally {
        for (const entry of given) returning.delete(entry);
      }
    },
  };
}

const anew = { doneBytes: 0, error: null, outcome: null, activityToken: null, finishedAtMs: null };
