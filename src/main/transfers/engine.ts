import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Output } from '../../shared/contract.ts';
import type { JobSummary } from '../../shared/domain/job.ts';
import type { TransferProgress, TransferSummary } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue, Documents } from '../catalogue/catalogue.ts';
import { coalesce } from '../coalesce.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import { createActions, type Actions } from './actions.ts';
import type { Context, Gates } from './context.ts';
import { createDeadlineWatch, type ClosingWarning } from './deadline-watch.ts';
import { createDueWatch, type DueWatch } from './due-watch.ts';
import { createEnqueue, type Enqueue } from './enqueue.ts';
import { windowLeftMs, type Entry } from './entry.ts';
import { partNameOf, type PartFile } from './files/target.ts';
import { openJournal } from './journal.ts';
import { createLimits, type LimitSettings } from './limits/limits.ts';
import { openPauses } from './pauses.ts';
import { createProgress } from './progress.ts';
import { askQuestion } from './question.ts';
import { deferredOf, isFinished, type TransferRecord } from './record.ts';
import { takeUp } from './recovery.ts';
import { createRunner } from './runner.ts';
import { createScheduler } from './scheduler.ts';
import { createSecretMemory } from './secret-memory.ts';
import { createServiceGate, type ServiceGate } from './service-gate.ts';
import { createSpacing, type Spacing } from './spacing.ts';
import { partOwner, targetOf } from './steps/download.ts';
import type { TransferStore } from './store-types.ts';
import { createTransferList, type TransferList } from './transfer-list.ts';

/** Everything that moves, direct or deferred, and every deletion: one list, one owner for each decision. */
export interface Engine extends Pick<
  TransferList,
  'page' | 'jobsPage' | 'picked' | 'jobsPicked' | 'overlay'
> {
  readonly enqueue: Enqueue;
  readonly actions: Actions;
  readonly gates: Gates;
  /**
   * A deferred download whose result is held in memory and given to the caller alone. An abort stops following.
   * @throws AppFailure what the service or the window said
   */
  readSecret(objectId: number, signal: AbortSignal): Promise<Uint8Array>;
  /** @param transferId null: the oldest open question. @throws AppFailure notFound */
  question(transferId: number | null): ReturnType<typeof askQuestion>;
  /** Absolute, for Show in folder. @throws AppFailure notFound */
  savedPathOf(id: number): Promise<string>;
  /** What an upload was asked for with. @throws AppFailure notFound */
  uploadOf(id: number): Promise<Output<'transfers.uploadOf'>>;
  /** @throws AppFailure notFound */
  activityTokenOf(id: number): Promise<string>;
  /** At most four times a second, when something of the list has changed. */
  onChanged(
    listener: (change: {
      transfers: TransferSummary;
      jobs: JobSummary;
      /** Services whose rows show something else now. */
      profileIds: readonly string[];
    }) => void,
  ): () => void;
  onProgress(listener: (progress: TransferProgress) => void): () => void;
  /** A window is about to close with its result not fetched: 10 and 2 minutes before. */
  onClosing(listener: (warning: ClosingWarning) => void): () => void;
  /** A deletion went a step on, or ended. */
  onDeletion(listener: (record: TransferRecord) => void): () => void;
  /** The computer woke up, or the network is back. */
  wake(): void;
  /** Limits or hours were changed. */
  limitsChanged(): void;
  removeProfile(profileId: string): Promise<void>;
  readonly unfinishedOf: (profileId: string) => Promise<number>;
  /** What a person loses by quitting now: deferred requests, with when their windows end, and secrets not sent yet. */
  readonly atStake: () => { identifier: string; windowEndsAtMs: number | null }[];
  /** Stops everything; it goes on at the next start. */
  close(): Promise<void>;
}

/** Finished ones beyond these leave the history. */
const mostFinished = 10_000;
const longestKeptMs = 90 * 24 * 3_600_000;
/** Four a second. */
const leastApartMs = 250;

/** Takes the list over from the last run and goes on. */
export async function createEngine(deps: {
  store: TransferStore;
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers'>;
  documents: Documents;
  connections: Connections;
  clock: Clock;
  log: Log;
  settings: () => LimitSettings;
  random?: () => number;
}): Promise<Engine> {
  const { store, catalogue, documents, connections, clock, log, settings, random = Math.random } = deps;
  const closed = new AbortController();
  const closing = closed.signal;
  const active = new Map<number, Entry>();
  const parts = new Map<number, PartFile>();
  const deletionListeners = new Set<(record: TransferRecord) => void>();
  const changeListeners = new Set<Parameters<Engine['onChanged']>[0]>();
  const interrupted = await store.interrupted();
  const moments = interrupted.flatMap((record) => deferredOf(record)?.usedAt ?? []);
  const journal = await openJournal({ store, documents, clock, log, closing, moments });
  const limits = createLimits(clock, settings);
  const pauses = await openPauses(documents, limits);
  const installId = await openInstallId(documents);
  const secrets = createSecretMemory();
  const gates = createGates();
  const spacingsById = new Map<string, Spacing>();

  function createGates(): Gates {
    const known = new Map<string, ServiceGate>();
    return {
      all: () => known,
      of(profileId) {
        const gate =
          known.get(profileId) ??
          createServiceGate({
            profileId,
            clock,
            limits,
            random,
            report: (verdict, trouble) => connections.report(profileId, verdict, trouble),
            onChanged() {
              touched([profileId]);
              if (hasBegun) scheduler.wakeUp();
              deadlines?.wake();
            },
          });
        known.set(profileId, gate);
        return gate;
      },
    };
  }

  /** Services whose rows show something else since it was told the last time. */
  const changedProfiles = new Set<string>();
  const tell = coalesce(() => {
    list.revise();
    const profileIds = [...changedProfiles];
    changedProfiles.clear();
    void Promise.all([list.summary(), list.jobSummary()]).then(
      ([transfers, jobs]) => {
        for (const listener of changeListeners) listener({ transfers, jobs, profileIds });
      },
      (cause: unknown) => {
        if (!closing.aborted) log.error('the list of transfers could not be counted', { cause });
      },
    );
  }, leastApartMs);

  function touched(profileIds: Iterable<string> = connections.profileIds()): void {
    for (const profileId of profileIds) changedProfiles.add(profileId);
    list.revise();
    tell.request();
  }

  function tellDeletion(record: TransferRecord): void {
    if (record.direction !== 'delete') return;
    for (const listener of deletionListeners) listener(record);
  }

  const progress = createProgress({
    clock,
    closing,
    running: () => [...active.values()].filter(({ run }) => run !== null),
  });
  let hasBegun = false;
  let dueWatch: DueWatch | null = null;
  const context: Context & { active: Map<number, Entry> } = {
    store,
    journal,
    connections,
    gates,
    limits,
    secrets,
    parts,
    spacings(profileId) {
      const spacing = spacingsById.get(profileId) ?? createSpacing(random);
      spacingsById.set(profileId, spacing);
      return spacing;
    },
    clock,
    log,
    random,
    installId,
    closing,
    active,
    touch(entry) {
      // Of one that ended it is told when that is on the disk.
      if (!isFinished(entry.record)) tellDeletion(entry.record);
      touched([entry.record.profileId]);
    },
    progressed: progress.moved,
    left(entry, isThere) {
      scheduler.settle(entry, true);
      const { record } = entry;
      if (isThere && record.state.name === 'done') progress.finished(record.totalBytes ?? 0);
      if (!isThere || isFinished(record)) {
        const { state } = record;
        const error = state.name === 'failed' || state.name === 'lost' ? state.error : null;
        secrets.fail(record.id, error ?? { code: 'cancelled' });
      }
      tellDeletion(record);
      touched([record.profileId]);
    },
    sleeps: (untilMs) => dueWatch?.expect(untilMs),
    writeFailed(cause) {
      if (!closing.aborted) log.error('a transfer could not be written down', { cause });
    },
  };
  const list = createTransferList(context, pauses, progress);
  const runner = createRunner(context);
  const scheduler = createScheduler(context, runner, pauses.isPaused, touched);
  const enqueue = createEnqueue({
    context,
    catalogue,
    keep: secrets.keep,
    expect: secrets.expect,
    onAdded(profileId) {
      scheduler.wake(profileId);
      touched([profileId]);
    },
  });
  const actions = createActions(context, scheduler, runner, pauses);
  const deadlines = createDeadlineWatch(context, runner);
  const stopListening = connections.onReady((profileId) => {
    gates.of(profileId).reopen();
    scheduler.wake(profileId);
    scheduler.hurry(profileId);
  });

  async function partPathOf(record: TransferRecord): Promise<string | null> {
    const facts = await connections.factsOf(record.profileId).catch(() => null);
    if (!facts) return null;
    const { folder, fileName } = targetOf(record, facts, null);
    return join(folder, partNameOf(fileName, partOwner(record, installId)));
  }

  await store.trim(mostFinished, clock.nowMs() - longestKeptMs);
  scheduler.take(await takeUp({ store, interrupted, nowMs: clock.nowMs(), partPathOf }));
  hasBegun = true;
  scheduler.begin();
  for (const profileId of connections.profileIds()) scheduler.wake(profileId);
  const due = createDueWatch({
    store,
    limits,
    clock,
    closing,
    onDue() {
      scheduler.wakeAll();
      touched();
    },
    onFailed: (cause) => log.error('next tries are not watched', { cause }),
  });
  dueWatch = due;

  async function get(id: number): Promise<TransferRecord> {
    const record = active.get(id)?.record ?? (await store.getMany([id]))[0];
    if (!record) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return record;
  }

  return {
    page: list.page,
    jobsPage: list.jobsPage,
    picked: list.picked,
    jobsPicked: list.jobsPicked,
    overlay: list.overlay,
    enqueue: {
      ...enqueue,
      async storeSecret(profileId, secret) {
        const id = await enqueue.storeSecret(profileId, secret);
        await scheduler.takeNow(profileId, id);
        return id;
      },
    },
    actions,
    gates,
    async readSecret(objectId, signal) {
      signal.throwIfAborted();
      const { id, profileId, value } = await enqueue.readSecret(objectId);
      const onAbort = () => {
        secrets.fail(id, { code: 'cancelled' });
        void actions.cancel({ kind: 'ids', ids: [id] });
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else await scheduler.takeNow(profileId, id);
      try {
        return await value;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    question: (transferId) => askQuestion(context, catalogue, transferId),
    async savedPathOf(id) {
      const { state } = await get(id);
      if (state.name !== 'done' || state.savedPath === null)
        throw new AppFailure({ code: 'notFound', what: 'transfer' });
      return state.savedPath;
    },
    async uploadOf(id) {
      const { profileId, identifier, work } = await get(id);
      if (work.kind !== 'upload') throw new AppFailure({ code: 'notFound', what: 'transfer' });
      const { classification, fileName } = work;
      return { profileId, identifier, classification, fileName };
    },
    async activityTokenOf(id) {
      const { activityToken } = await get(id);
      if (activityToken === null) throw new AppFailure({ code: 'notFound', what: 'transfer' });
      return activityToken;
    },
    onChanged: (listener) => listen(changeListeners, listener),
    onProgress: progress.onProgress,
    onClosing: deadlines.onClosing,
    onDeletion: (listener) => listen(deletionListeners, listener),
    wake() {
      for (const [profileId, gate] of gates.all()) {
        if (gate.state() === 'unreachable') gate.release();
        scheduler.hurry(profileId);
      }
      deadlines.wake();
      touched();
    },
    limitsChanged() {
      limits.changed();
      due.expect(-Infinity);
      scheduler.wakeAll();
      touched();
    },
    async removeProfile(profileId) {
      await actions.cancel({ kind: 'profile', profileId });
      scheduler.removeProfile(profileId);
      for (const entry of active.values())
        if (entry.record.profileId === profileId) context.left(entry, false);
      await store.removeProfile(profileId);
      await pauses.setProfile(profileId, false);
      touched();
    },
    unfinishedOf: (profileId) => store.unfinished(profileId),
    atStake() {
      const now = journal.now();
      return [...active.values()].flatMap(({ record }) => {
        const leftMs = windowLeftMs(record, now);
        const isUnsent = record.work.kind === 'storeSecret' && !isFinished(record);
        if (leftMs === null && !isUnsent) return [];
        return [
          { identifier: record.identifier, windowEndsAtMs: leftMs === null ? null : now.wallMs + leftMs },
        ];
      });
    },
    async close() {
      stopListening();
      tell.cancel();
      closed.abort(new AppFailure({ code: 'cancelled' }));
      for (const { run } of active.values()) {
        if (!run) continue;
        run.stop ??= 'close';
        run.abort.abort(closing.reason);
      }
      await scheduler.ended();
      await deadlines.ended();
      await due.ended();
      await journal.written();
      await journal.saveTime().catch((cause: unknown) => log.error('the time was not saved', { cause }));
      for (const part of parts.values()) await part.discard();
      secrets.close();
    },
  };
}

async function openInstallId(documents: Pick<Documents, 'get' | 'put'>): Promise<string> {
  const known = await documents.get('engine', 'installId');
  if (typeof known === 'string') return known;
  const made = randomUUID();
  await documents.put('engine', 'installId', made);
  return made;
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
