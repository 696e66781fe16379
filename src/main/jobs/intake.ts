import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { judgeSize, maxSecretBytes } from '../../shared/domain/limits.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/errors.ts';
import { newRowOf } from '../transfers/conflict.ts';
import { newUploadJob, type UploadItem, type UploadJob } from '../transfers/entry.ts';
import { batches } from '../transfers/records.ts';
import type { Context } from './context.ts';
import { newEntry, occupy, type Entry, type JobRecord, type Work } from './entry.ts';
import type { SecretToStore } from './jobs.ts';

type Given = Pick<
  JobRecord,
  'profileId' | 'kind' | 'direction' | 'identifier' | 'objectId' | 'totalBytes' | 'work'
>;

/** How jobs come into being, and come back. */
export interface Intake {
  readonly enqueueUploads: (profileId: string, items: readonly UploadItem[]) => Promise<number>;
  readonly enqueueDownloads: (profileId: string, objectIds: ArrayLike<number>) => Promise<number>;
  readonly storeSecret: (profileId: string, secret: SecretToStore) => Promise<string>;
  readonly readSecret: (objectId: number) => Promise<Entry>;
  /** Begins finished ones anew: those of data, as a secret's value is gone, and nobody waits for one. */
  readonly again: (entries: readonly Entry[]) => Promise<void>;
}

/** What a secret may have been left as, so that another may be stored under its identifier. */
const isNoSecret = new Set<ObjectRecord['state']>(['failed', 'missing', 'gone', 'unknown']);

export function createIntake({
  catalogue,
  connections,
  records,
  list,
  lanes,
  clock,
  closing,
}: Context): Intake {
  let lastNumber = 0;

  function newJob(given: Given): Entry {
    lastNumber = Math.max(lastNumber + 1, clock.nowMs());
    return newEntry({
      ...given,
      id: randomUUID(),
      number: lastNumber,
      state: 'waiting',
      createdAtMs: clock.nowMs(),
      checks: 0,
      error: null,
      activityToken: null,
      outcome: null,
      finishedAtMs: null,
      deferredToken: null,
      startedAt: null,
      usedAt: null,
      warned: 0,
    });
  }

  function newUpload(profileId: string, item: UploadItem): Given & { work: UploadJob } {
    const { identifier, sizeBytes } = item;
    return {
      profileId,
      kind: 'data',
      direction: 'upload',
      identifier,
      objectId: null,
      totalBytes: sizeBytes,
      work: newUploadJob(item),
    };
  }

  /** Gives uploads their rows; one that was there already is not theirs. */
  async function takeRows<T extends Given & { work: UploadJob }>(
    profileId: string,
    uploads: readonly T[],
  ): Promise<T[]> {
    const rows = await catalogue.add(
      profileId,
      uploads.map((upload) => newRowOf({ transfer: upload, job: upload.work })),
    );
    return uploads.map((upload, index) => {
      const row = rows[index];
      const ownedBefore = upload.work.ownsRow && row?.record.id === upload.objectId;
      const ownsRow = row !== undefined && (row.added || ownedBefore);
      return { ...upload, objectId: row?.record.id ?? null, work: { ...upload.work, ownsRow } };
    });
  }

  async function add(given: readonly Given[]): Promise<void> {
    closing.throwIfAborted();
    await list.add(given.map(newJob));
    // The window's questions come between two batches.
    await setImmediate();
  }

  async function secretRow(
    profileId: string,
    { identifier, classification, value, sourceName }: SecretToStore,
  ): Promise<ObjectRecord> {
    const patch = { state: 'uploading', lengthBytes: value.length, classification, sourceName } as const;
    const [row] = await catalogue.add(profileId, [{ kind: 'secret', identifier, patch }]);
    if (!row) throw new AppFailure({ code: 'notFound', what: 'object' });
    if (row.added) return row.record;
    if (!isNoSecret.has(row.record.state)) throw new AppFailure({ code: 'exists', status: 409, message: '' });
    await catalogue.update([{ id: row.record.id, patch }]);
    return row.record;
  }

  async function beginAnew(entry: Entry): Promise<void> {
    const { record } = entry;
    const { work } = record;
    if (work.kind === 'download') {
      const fresh = { kind: 'download', partPath: null, whole: null, savedPath: null } as const;
      await list.move(entry, 'waiting', { ...anew, work: fresh });
    } else if (work.kind === 'upload') {
      // The person means the file as it is now; and that it exists is known: now beside what is there.
      const ifExists = record.error?.code === 'exists' ? ('keepBoth' as const) : work.ifExists;
      // A start that was accepted may have been carried out, though nobody followed it.
      const mayBeThere = work.mayBeThere || work.answered !== null;
      const fresh = { ...work, expected: null, conflict: null, answered: null, ifExists, mayBeThere };
      const [upload] = await takeRows(record.profileId, [{ ...record, work: fresh }]);
      if (!upload) return;
      const { objectId } = upload;
      if (upload.work.ownsRow && objectId !== null) {
        await records.update([{ id: objectId, patch: { state: 'uploading' } }]);
      }
      await list.move(entry, 'waiting', { ...anew, objectId, work: upload.work });
    }
    entry.tries = 0;
    entry.trouble = null;
    entry.doneBytes = 0;
    entry.dueMs = clock.monotonicMs();
  }

  return {
    async enqueueUploads(profileId, items) {
      for (const batch of batches(items)) {
        await add(
          await takeRows(
            profileId,
            batch.map((item) => newUpload(profileId, item)),
          ),
        );
      }
      return items.length;
    },

    async enqueueDownloads(profileId, objectIds) {
      let count = 0;
      for (const batch of batches(objectIds)) {
        const rows = (await catalogue.getMany(batch)).filter(({ kind }) => kind === 'data');
        await add(
          rows.map(({ id: objectId, identifier, lengthBytes: totalBytes }): Given => ({
            profileId,
            kind: 'data',
            direction: 'download',
            identifier,
            objectId,
            totalBytes,
            work: { kind: 'download', partPath: null, whole: null, savedPath: null },
          })),
        );
        count += rows.length;
      }
      return count;
    },

    async storeSecret(profileId, secret) {
      closing.throwIfAborted();
      const { identifier, classification, sourceName, value } = secret;
      const verdict = checkObjectId(identifier);
      if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
      const exactBytes = (await connections.factsOf(profileId)).maxSecretBytes;
      if (judgeSize(value.length, maxSecretBytes, exactBytes) === 'tooLarge') {
        const limitBytes = exactBytes ?? maxSecretBytes.possible;
        throw new AppFailure({ code: 'tooLarge', limitBytes });
      }
      const { id: objectId } = await secretRow(profileId, secret);
      const work: Work = { kind: 'storeSecret', classification, sourceName, ownsRow: true };
      const entry = newJob({
        profileId,
        kind: 'secret',
        direction: 'upload',
        identifier,
        objectId,
        totalBytes: value.length,
        work,
      });
      entry.secret = Uint8Array.from(value);
      await list.add([entry]);
      return entry.record.id;
    },

    async readSecret(objectId) {
      closing.throwIfAborted();
      const [row] = await catalogue.getMany([objectId]);
      if (row?.kind !== 'secret') throw new AppFailure({ code: 'notFound', what: 'object' });
      const { profileId, identifier, lengthBytes: totalBytes } = row;
      const entry = newJob({
        profileId,
        kind: 'secret',
        direction: 'download',
        identifier,
        objectId,
        totalBytes,
        work: { kind: 'readSecret' },
      });
      entry.reader = Promise.withResolvers();
      await list.add([entry]);
      return entry;
    },

    async again(entries) {
      for (const batch of batches(entries)) {
        // What was asked for twice is on its way already.
        const idle = batch.filter(({ run }) => run === null);
        await Promise.all(idle.map((entry) => occupy(entry, () => beginAnew(entry))));
        for (const { record } of idle) lanes.wake(record.profileId);
      }
    },
  };
}

const anew = {
  deferredToken: null,
  startedAt: null,
  usedAt: null,
  warned: 0,
  error: null,
  activityToken: null,
  outcome: null,
  finishedAtMs: null,
};
