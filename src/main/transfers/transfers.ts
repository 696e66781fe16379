import type { ObjectRow, Output } from '../../shared/contract.ts';
import {
  type Question,
  type Transfer,
  type TransferGroup,
  type TransferSummary,
} from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import { createChanges } from './changes.ts';
import type { Context } from './context.ts';
import { isDownload, type Entry, type UploadItem } from './entry.ts';
import { createIntake } from './intake.ts';
import type { Pacer } from './pacing.ts';
import { createQueue } from './queue.ts';
import { createRecords } from './records.ts';
import { createRecovery } from './recovery.ts';
import { createRunner } from './runner.ts';
import { createTransferList } from './transfer-list.ts';
import { createWishes } from './wishes.ts';

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
  /** Rows whose uploads are looked after by others; default none. */
  readonly rowsElsewhere?: () => ReadonlySet<number>;
}

export function createTransfers(options: TransfersOptions): Transfers {
  const { catalogue, connections, pacer, clock, log, settings } = options;
  const { rowsElsewhere = () => new Set<number>() } = options;
  const closed = new AbortController();
  /** What runs, and for which profile. */
  const running = new Map<Promise<void>, string>();

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
    rowsElsewhere,
    closing: closed.signal,
  };
  const recovery = createRecovery(context);
  const runner = createRunner(context, recovery.settle);
  const stopListening = connections.onReady((profileId) => {
    runner.resume(profileId);
    recovery.resume(profileId);
    changes.touch();
  });

  const intake = createIntake(context);
  const wishes = createWishes(context, intake, runner, recovery);

  /** What a transfer waits for and until when, as a person is told. A profile that holds back holds all of its own. */
  function waiting({ transfer }: Entry): Pick<Transfer, 'waitingFor' | 'retryAtMs'> {
    const { waitingFor, profileId } = transfer;
    if (waitingFor === null || waitingFor === 'answer') return { waitingFor, retryAtMs: null };
    if (queue.isRefused(profileId)) return { waitingFor: 'token', retryAtMs: null };
    const retryAtMs = Math.max(transfer.retryAtMs ?? 0, pacer.heldUntilMs(profileId) ?? 0);
    // When its time has come, others may be before it.
    return retryAtMs > clock.nowMs()
      ? { waitingFor: 'retry', retryAtMs }
      : { waitingFor: 'turn', retryAtMs: null };
  }

  return {
    ...wishes,
    enqueueUploads: intake.enqueueUploads,
    enqueueDownloads: intake.enqueueDownloads,

    page(offset, limit) {
      const rows = list.slice(offset, limit).map((entry) => ({ ...entry.transfer, ...waiting(entry) }));
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
        const { id, direction, state, doneBytes, totalBytes } = entry.transfer;
        rows.set(objectId, {
          id,
          direction,
          state,
          ...waiting(entry),
          doneBytes,
          totalBytes,
        });
      }
      return rows;
    },

    async removeProfile(profileId) {
      const going = [...list.all()].filter(({ transfer }) => transfer.profileId === profileId);
      await wishes.cancel(going.map(({ transfer }) => transfer.id));
      await Promise.all([...running].filter(([, owner]) => owner === profileId).map(([run]) => run));
      for (const entry of going) list.remove(entry);
      queue.allow(profileId);
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
