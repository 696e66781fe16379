import { setImmediate } from 'node:timers/promises';
import type { ObjectRow, Output } from '../../shared/contract.ts';
import {
  isFinished,
  type Question,
  type Transfer,
  type TransferGroup,
  type TransferSummary,
} from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue, ObjectChange } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import { createChanges } from './changes.ts';
import { askAbout, newRowOf } from './conflict.ts';
import type { Context } from './context.ts';
import { isDownload, isUpload, type Entry, type UploadEntry, type UploadItem } from './entry.ts';
import { changesOfGivingUp, isLeftOpen } from './outcome.ts';
import type { Pacer } from './pacing.ts';
import { createQueue } from './queue.ts';
import { batches, createRecords } from './records.ts';
import { createRecovery } from './recovery.ts';
import { createRunner } from './runner.ts';
import { createTransferList } from './transfer-list.ts';

export type { UploadItem } from './entry.ts';

/** All that moves files (sections 6 and 7 of the product's plan; 4.1 of the interface). */
export interface Transfers {
  /** Rows appear at once, as `uploading`; a row that exists stays as it is until success. Answers how many. */
  enqueueUploads(profileId: string, items: readonly UploadItem[]): Promise<number>;
  /** @param options.saveAsPath the place a person chose for one object, whose file it replaces; null: the profile's folder */
  enqueueDownloads(
    profileId: string,
    objectIds: ArrayLike<number>,
    options: { saveAsPath: string | null },
  ): Promise<number>;
  page(offset: number, limit: number): Output<'transfers.page'>;
  summary(): TransferSummary;
  /** What lies over the rows of these objects: their unfinished transfers. */
  overlay(objectIds: readonly number[]): Map<number, NonNullable<ObjectRow['transfer']>>;
  /** Resolves when the catalogue has it; what runs is only told to stop. */
  cancel(which: 'all' | readonly number[]): Promise<void>;
  /** The profile goes: what moves for it ends and leaves the list. */
  removeProfile(profileId: string): Promise<void>;
  /** Failed and cancelled ones begin again, waiting ones try now; `all` leaves alone what a person cancelled. */
  retry(which: 'all' | readonly number[]): Promise<void>;
  /** Takes finished ones off the list: the done and cancelled, or the failed. */
  clear(group: TransferGroup): void;
  /** @param transferId null: the oldest open question. @throws AppFailure notFound when this one has no question */
  question(transferId: number | null): Promise<Question | null>;
  /** @param applyToAll also to the other uploads of the profile, those that have not met the question yet included */
  answer(transferId: number, answer: 'skip' | 'keepBoth', applyToAll: boolean): void;
  /** Absolute, for Show in folder. @throws AppFailure notFound */
  savedPathOf(transferId: number): string;
  /** At most ten times a second. */
  onChanged(listener: (summary: TransferSummary) => void): () => void;
  /** At start: finds out about uploads that an earlier run left open. Resolves when all were asked about. */
  recover(profileId: string): Promise<void>;
  /** Stops everything; what was under way is found out about at the next start. */
  close(): Promise<void>;
}

export interface TransfersOptions {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => { transfersAtOnce: number };
}

export function createTransfers(options: TransfersOptions): Transfers {
  const { catalogue, connections, pacer, clock, log, settings } = options;
  const closed = new AbortController();
  /** What runs, and for which profile. */
  const running = new Map<Promise<void>, string>();
  let lastId = 0;

  const changes = createChanges({
    clock,
    closing: closed.signal,
    list: () => list,
    movedBytes: () => runner.movedBytes(),
    tokenRefused: () => queue.refused(),
  });
  const list = createTransferList(changes.touch);
  const queue = createQueue({
    clock,
    pacer,
    atOnce: () => settings().transfersAtOnce,
    start(entry) {
      const run = runner.start(entry).finally(() => running.delete(run));
      running.set(run, entry.transfer.profileId);
      return run;
    },
  });
  const records = createRecords(catalogue);
  const context: Context = {
    catalogue,
    connections,
    pacer,
    clock,
    log,
    records,
    list,
    queue,
    closing: closed.signal,
  };
  const recovery = createRecovery(context);
  const runner = createRunner(context, recovery.settle);
  const stopListening = connections.onReady((profileId) => {
    runner.resume(profileId);
    recovery.resume(profileId);
    changes.touch();
  });

  function newTransfer(
    given: Pick<Transfer, 'profileId' | 'direction' | 'identifier' | 'objectId' | 'totalBytes'>,
  ): Transfer {
    lastId += 1;
    return {
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
  }

  function newUpload(profileId: string, item: UploadItem): UploadEntry {
    const { path, fileName, identifier, sizeBytes, mtimeMs, classification, ifExists } = item;
    return {
      transfer: newTransfer({
        profileId,
        direction: 'upload',
        identifier,
        objectId: null,
        totalBytes: sizeBytes,
      }),
      job: {
        kind: 'upload',
        path,
        fileName,
        expected: { sizeBytes, mtimeMs },
        modifiedAtMs: mtimeMs,
        classification,
        ifExists,
        ownsRow: false,
        mayBeThere: false,
        answered: null,
        conflict: null,
        sha256: null,
      },
      tries: 0,
      pace: null,
      run: null,
    };
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

  function begin(entries: readonly Entry[]): void {
    for (const entry of entries) queue.push(entry);
    queue.pump();
  }

  function chosen(which: 'all' | readonly number[]): Entry[] {
    if (which === 'all') return [...list.all()];
    return which.map((id) => list.get(id)).filter((entry) => entry !== undefined);
  }

  function waitingFor({ transfer }: Entry): Transfer['waitingFor'] {
    const { state, waitingFor: reason, profileId } = transfer;
    return state === 'waiting' && reason !== 'answer' && queue.isRefused(profileId) ? 'token' : reason;
  }

  /** Uploads of a profile, or of all, that wait for an answer; the oldest first. */
  function unanswered(profileId?: string): UploadEntry[] {
    return [...list.group('needsYou').values()]
      .filter(isUpload)
      .filter(
        ({ transfer }) =>
          transfer.waitingFor === 'answer' && (profileId ?? transfer.profileId) === transfer.profileId,
      )
      .toSorted((a, b) => a.transfer.id - b.transfer.id);
  }

  async function cancelAll(entries: readonly Entry[]): Promise<void> {
    const given: ObjectChange[] = [];
    const leftOpen: UploadEntry[] = [];
    for (const entry of entries) {
      if (isFinished(entry.transfer.state)) continue;
      if (entry.run) {
        runner.stop(entry, 'cancel');
        continue;
      }
      queue.drop(entry);
      list.move(entry, 'cancelled', { finishedAtMs: clock.nowMs() });
      given.push(...changesOfGivingUp(entry, null));
      if (isUpload(entry) && isLeftOpen(entry)) leftOpen.push(entry);
    }
    await records.update(given);
    leftOpen.forEach(recovery.settle);
  }

  async function again(entry: Entry): Promise<void> {
    entry.tries = 0;
    if (isUpload(entry)) {
      // The person means the file as it is now, and the row may be gone.
      entry.job.expected = null;
      entry.job.conflict = null;
      await takeRows(entry.transfer.profileId, [entry]);
      const { objectId } = entry.transfer;
      if (entry.job.ownsRow && objectId !== null)
        await records.update([{ id: objectId, patch: { state: 'uploading' } }]);
    }
    // Asked twice while the catalogue was busy: once is enough.
    if (!isFinished(entry.transfer.state)) return;
    list.move(entry, 'waiting', {
      doneBytes: 0,
      error: null,
      outcome: null,
      activityToken: null,
      finishedAtMs: null,
    });
    begin([entry]);
  }

  return {
    async enqueueUploads(profileId, items) {
      for (const batch of batches(items)) {
        const entries = batch.map((item) => newUpload(profileId, item));
        await takeRows(profileId, entries);
        list.add(entries);
        begin(entries);
        // A catalogue in this thread leaves no other room between two batches.
        await setImmediate();
      }
      return items.length;
    },

    async enqueueDownloads(profileId, objectIds, { saveAsPath }) {
      let count = 0;
      for (const batch of batches(objectIds)) {
        const rows = await catalogue.getMany(batch);
        const entries = rows.map(({ id: objectId, identifier, lengthBytes: totalBytes }): Entry => ({
          transfer: newTransfer({ profileId, direction: 'download', identifier, objectId, totalBytes }),
          job: { kind: 'download', saveAsPath, savedPath: null },
          tries: 0,
          pace: null,
          run: null,
        }));
        count += entries.length;
        list.add(entries);
        begin(entries);
        await setImmediate();
      }
      return count;
    },

    page(offset, limit) {
      const rows = list
        .slice(offset, limit)
        .map((entry) => ({ ...entry.transfer, waitingFor: waitingFor(entry) }));
      const summary = changes.summary();
      const total = Object.values(summary.counts).reduce((sum, count) => sum + count, 0);
      return { summary, total, offset, rows };
    },
    summary: changes.summary,
    overlay(objectIds) {
      const rows = new Map<number, NonNullable<ObjectRow['transfer']>>();
      for (const objectId of objectIds) {
        const entry = list.ofObject(objectId);
        if (!entry) continue;
        const { id, direction, state, retryAtMs, doneBytes, totalBytes } = entry.transfer;
        rows.set(objectId, {
          id,
          direction,
          state,
          waitingFor: waitingFor(entry),
          retryAtMs,
          doneBytes,
          totalBytes,
        });
      }
      return rows;
    },

    cancel: (which) => cancelAll(chosen(which)),
    async removeProfile(profileId) {
      const going = chosen('all').filter(({ transfer }) => transfer.profileId === profileId);
      await cancelAll(going);
      await Promise.all([...running].filter(([, owner]) => owner === profileId).map(([run]) => run));
      for (const entry of going) list.remove(entry);
    },

    async retry(which) {
      const profiles = new Set<string>();
      for (const entry of chosen(which)) {
        const { state, waitingFor: reason, profileId } = entry.transfer;
        if (state === 'failed' || (state === 'cancelled' && which !== 'all')) {
          await again(entry);
        } else if (state === 'waiting' && reason === 'retry' && !entry.run) {
          profiles.add(profileId);
          queue.push(entry);
        }
      }
      profiles.forEach((profileId) => pacer.release(profileId));
      queue.pump();
    },

    clear(group) {
      for (const entry of list.group(group).values()) {
        if (isFinished(entry.transfer.state)) list.remove(entry);
      }
    },

    async question(transferId) {
      const open = transferId === null ? unanswered()[0] : list.get(transferId);
      if (!open && transferId === null) return null;
      if (!open || !isUpload(open) || open.transfer.waitingFor !== 'answer') {
        throw new AppFailure({ code: 'notFound', what: 'transfer' });
      }
      return askAbout(context, open, unanswered(open.transfer.profileId).length);
    },

    answer(transferId, answer, applyToAll) {
      const asked = list.get(transferId);
      if (!asked || !isUpload(asked) || asked.transfer.waitingFor !== 'answer') {
        throw new AppFailure({ code: 'notFound', what: 'transfer' });
      }
      const { profileId } = asked.transfer;
      const answered = applyToAll ? unanswered(profileId) : [asked];
      if (applyToAll) {
        for (const entry of list.all()) {
          if (!isUpload(entry) || entry.transfer.profileId !== profileId || isFinished(entry.transfer.state))
            continue;
          if (entry.job.ifExists === 'ask') entry.job.ifExists = answer;
        }
      }
      for (const entry of answered) {
        entry.job.ifExists = answer;
        list.change(entry, { waitingFor: 'turn' });
      }
      begin(answered);
    },

    savedPathOf(transferId) {
      const entry = list.get(transferId);
      if (!entry || !isDownload(entry) || entry.job.savedPath === null) {
        throw new AppFailure({ code: 'notFound', what: 'transfer' });
      }
      return entry.job.savedPath;
    },

    onChanged: changes.onChanged,
    recover: recovery.recover,

    async close() {
      stopListening();
      closed.abort(new AppFailure({ code: 'cancelled' }));
      queue.close();
      for (const entry of list.group('moving').values()) runner.stop(entry, 'close');
      for (const entry of list.group('waiting').values()) runner.stop(entry, 'close');
      await Promise.all(running.keys());
      await recovery.ended();
    },
  };
}
