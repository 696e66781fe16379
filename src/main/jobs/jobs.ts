import type { Input, Output } from '../../shared/contract.ts';
import { isJobFinished, type JobSummary } from '../../shared/domain/job.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue, Documents } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { UploadItem } from '../transfers/entry.ts';
import type { Pacer } from '../transfers/pacing.ts';
import { createRecords } from '../transfers/records.ts';
import type { Context } from './context.ts';
import { createEndings } from './endings.ts';
import { groupOf, isOpen, windowLeftMs, type Entry } from './entry.ts';
import { createIntake } from './intake.ts';
import { createJobList } from './job-list.ts';
import { openJournal } from './journal.ts';
import { createLanes } from './lanes.ts';
import { createMinder } from './minder.ts';
import { takeUp } from './recovery.ts';
import { createRunner } from './runner.ts';

export interface SecretToStore {
  readonly identifier: string;
  readonly classification: string | null;
  /** Held in memory until the service has answered the start, and nowhere else. */
  readonly value: Uint8Array;
  /** The file it came from, by its name. */
  readonly sourceName: string | null;
}

/** Deferred requests (sections 2, 3, 4.2 and 4.3 of the interface): started, followed, fetched, never lost. */
export interface Jobs {
  enqueueUploads(profileId: string, items: readonly UploadItem[]): Promise<number>;
  enqueueDownloads(profileId: string, objectIds: ArrayLike<number>): Promise<number>;
  /** Answers the job's id. @throws AppFailure badIdentifier, tooLarge, exists (the list has it already) */
  storeSecret(profileId: string, secret: SecretToStore): Promise<string>;
  /**
   * A deferred download whose result is held in memory and given to the caller alone. It stands on the list of jobs
   * like every other. An abort stops following. @throws AppFailure what the service or the window said
   */
  readSecret(objectId: number, signal: AbortSignal): Promise<Uint8Array>;
  page(input: Input<'jobs.page'>): Output<'jobs.page'>;
  summary(): JobSummary;
  checkNow(which: Input<'jobs.checkNow'>['which']): void;
  /** Stops following; the service goes on. */
  cancel(which: Input<'jobs.cancel'>['which']): Promise<void>;
  startAgain(which: Input<'jobs.startAgain'>['which']): Promise<void>;
  clear(group: Input<'jobs.clear'>['group']): Promise<void>;
  /** Absolute. @throws AppFailure notFound */
  savedPathOf(jobId: string): string;
  /** @throws AppFailure notFound */
  activityTokenOf(jobId: string): string;
  /** At most ten times a second. */
  onChanged(listener: (summary: JobSummary) => void): () => void;
  /** A window is about to close with its result not fetched: 10 and 2 minutes before. */
  onClosing(listener: (warning: { jobId: string; identifier: string; leftMs: number }) => void): () => void;
  /** The computer woke up, or the network is back: all windows are judged again, the most endangered checked first. */
  wake(): void;
  removeProfile(profileId: string): Promise<void>;
  /** What a person loses by quitting now: open jobs, with when their windows end. */
  atStake(): { identifier: string; windowEndsAtMs: number | null }[];
  close(): Promise<void>;
  /** Rows of the catalogue that belong to jobs which are not through: others leave them alone. */
  readonly rowsInWork: () => Set<number>;
}

export interface JobsOptions {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly connections: Connections;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => { jobRequestsPerSecond: number; transfersAtOnce: number };
  readonly random?: () => number;
}

/** Reads the journal and goes on with what an earlier run has left. */
export async function createJobs(options: JobsOptions): Promise<Jobs> {
  const { catalogue, documents, connections, pacer, clock, log, settings, random = Math.random } = options;
  const closed = new AbortController();
  const closing = closed.signal;
  const records = createRecords(catalogue);
  const { journal, entries } = await openJournal({ documents, clock, log, closing });
  const lanes = createLanes({
    clock,
    pacer,
    settings,
    closing,
    random,
    step: (entry, lane) => runner.step(entry, lane),
  });
  const list = createJobList({
    journal,
    clock,
    closing,
    laneOf: (entry) => lanes.describe(entry),
    onMoved: (entry) => lanes.place(entry),
  });
  const context: Context = {
    catalogue,
    connections,
    pacer,
    clock,
    log,
    records,
    journal,
    list,
    lanes,
    closing,
  };
  const endings = createEndings(context);
  const runner = createRunner(context, endings, random);
  const intake = createIntake(context);
  list.restore(entries);
  await takeUp(context, endings, entries);
  const minder = createMinder(context);
  lanes.begin();
  const stopListening = connections.onReady((profileId) => runner.resume(profileId));

  function chosen(which: 'all' | readonly string[]): Entry[] {
    if (which === 'all') return [...list.all()];
    return which.map((id) => list.get(id)).filter((entry) => entry !== undefined);
  }

  function get(jobId: string): Entry {
    const entry = list.get(jobId);
    if (!entry) throw new AppFailure({ code: 'notFound', what: 'job' });
    return entry;
  }

  async function cancel(wanted: readonly Entry[]): Promise<void> {
    const open = wanted.filter(({ record }) => !isJobFinished(record.state));
    await Promise.all(open.map((entry) => runner.cancel(entry)));
  }

  return {
    enqueueUploads: intake.enqueueUploads,
    enqueueDownloads: intake.enqueueDownloads,
    storeSecret: intake.storeSecret,

    async readSecret(objectId, signal) {
      signal.throwIfAborted();
      const entry = await intake.readSecret(objectId);
      const onAbort = () => void runner.cancel(entry);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      try {
        return await (entry.reader?.promise ?? Promise.reject(new AppFailure({ code: 'cancelled' })));
      } finally {
        signal.removeEventListener('abort', onAbort);
        entry.reader = null;
      }
    },

    page: ({ offset, limit, filter }) => list.page(offset, limit, filter),
    summary: list.summary,

    checkNow(which) {
      const profiles = new Set<string>();
      for (const entry of chosen(which)) {
        if (!isOpen(entry.record)) continue;
        // Before all others: they are due since some time after the beginning.
        entry.dueMs = 0;
        profiles.add(entry.record.profileId);
      }
      for (const profileId of profiles) {
        pacer.release(profileId);
        lanes.wake(profileId);
      }
      list.touch();
    },

    cancel: (which) => cancel(chosen(which)),

    async startAgain(which) {
      const finished = chosen(which).filter(
        ({ record: { state, kind }, run }) =>
          kind === 'data' &&
          run === null &&
          (state === 'failed' || state === 'lost' || (state === 'cancelled' && which !== 'all')),
      );
      await intake.again(finished);
    },

    async clear(group) {
      const finished = [...list.all()].filter(
        (entry) => groupOf(entry) === group && isJobFinished(entry.record.state) && entry.run === null,
      );
      for (const entry of finished) lanes.drop(entry);
      await list.remove(finished);
    },

    savedPathOf(jobId) {
      const { work } = get(jobId).record;
      if (work.kind !== 'download' || work.savedPath === null) {
        throw new AppFailure({ code: 'notFound', what: 'job' });
      }
      return work.savedPath;
    },

    activityTokenOf(jobId) {
      const { activityToken } = get(jobId).record;
      if (!activityToken) throw new AppFailure({ code: 'notFound', what: 'job' });
      return activityToken;
    },

    onChanged: list.onChanged,
    onClosing: minder.onClosing,

    wake() {
      for (const profileId of lanes.profiles()) {
        if (lanes.of(profileId).isUnreachable) pacer.release(profileId);
        lanes.hurry(profileId);
      }
      minder.wake();
      list.touch();
    },

    async removeProfile(profileId) {
      const going = [...list.all()].filter(({ record }) => record.profileId === profileId);
      await cancel(going);
      // A lost upload may be looked for still.
      for (const { run } of going) await run?.ended;
      for (const entry of going) lanes.drop(entry);
      await list.remove(going);
      lanes.of(profileId).isRefused = false;
    },

    atStake() {
      const now = journal.now();
      return [...list.all()]
        .filter(({ record: { state } }) => !isJobFinished(state))
        .map(({ record }) => {
          const leftMs = windowLeftMs(record, now);
          return {
            identifier: record.identifier,
            windowEndsAtMs: leftMs === null ? null : now.wallMs + leftMs,
          };
        });
    },

    rowsInWork() {
      const open = [...list.all()].filter(({ record }) => isOpen(record));
      return new Set(open.map(({ record }) => record.objectId).filter((id) => id !== null));
    },

    async close() {
      stopListening();
      closed.abort(new AppFailure({ code: 'cancelled' }));
      for (const { run } of list.all()) run?.abort.abort(closing.reason);
      await lanes.ended();
      await minder.ended();
      for (const entry of list.all()) {
        entry.reader?.reject(new AppFailure({ code: 'cancelled' }));
        entry.secret?.fill(0);
      }
    },
  };
}
