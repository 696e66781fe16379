import { join } from 'node:path';
import type { TransferProgress } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue, Documents } from '../catalogue/catalogue.ts';
import type { Keeper } from '../kept/kept.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import { createActions, type Actions } from './actions.ts';
import type { Context, Gates } from './context.ts';
import { createDeadlineWatch, type ClosingWarning } from './deadline-watch.ts';
import { createDueWatch, type DueWatch } from './due-watch.ts';
import { createEnqueue, type Enqueue } from './enqueue.ts';
import type { Entry } from './entry.ts';
import { findSubfolders } from './files/subfolders.ts';
import { partNameOf, type PartFile } from './files/target.ts';
import { createGates } from './gates.ts';
import { openPartsJournal } from './parts/journal.ts';
import { openKeptLists, type KeptLists } from './parts/kept-lists.ts';
import { createOrphanCollector, type OrphanCollector } from './parts/orphan-collector.ts';
import { openOrphans } from './parts/orphans.ts';
import { openInstallId } from './install-id.ts';
import { openJournal } from './journal.ts';
import { createLimits, type LimitSettings } from './limits/limits.ts';
import { createNews, type News } from './news.ts';
import { createLookups, type Lookups } from './lookups.ts';
import { openPauses } from './pauses.ts';
import { createProgress } from './progress.ts';
import { askQuestion } from './question.ts';
import { deferredOf, isFinished, type TransferRecord } from './record.ts';
import { takeUp } from './recovery.ts';
import { createRunner } from './runner.ts';
import { createScheduler } from './scheduler.ts';
import { createSecretMemory } from './secret-memory.ts';
import { createSecretRequests, type SecretRequests } from './secret-requests.ts';
import { createSpacing, type Spacing } from './spacing.ts';
import { partOwner, targetOf } from './steps/download.ts';
import type { TransferStore } from './store-types.ts';
import { createTransferList, type TransferList } from './transfer-list.ts';

/** Everything that moves, direct or deferred, and every deletion: one list, one owner for each decision. */
export interface Engine
  extends Pick<TransferList, 'page' | 'picked' | 'ofIds' | 'overlay' | 'failureOf'>, Lookups {
  readonly enqueue: Enqueue;
  readonly actions: Actions;
  readonly gates: Gates;
  readonly readSecret: SecretRequests['read'];
  /** @param transferId null: the oldest open question. @throws AppFailure notFound */
  question(transferId: number | null): ReturnType<typeof askQuestion>;
  /** At most four times a second, when something of the list has changed. */
  readonly onChanged: News['onChanged'];
  onProgress(listener: (progress: TransferProgress) => void): () => void;
  /** A window is about to close with its result not fetched: 10 and 2 minutes before. */
  onClosing(listener: (warning: ClosingWarning) => void): () => void;
  /** A deletion went a step on, or ended. */
  readonly onDeletion: News['onDeletion'];
  readonly onEnded: News['onEnded'];
  /** Of the object of a download the list of its parts. @throws AppFailure notFound */
  downloadAsItIs(id: number): Promise<void>;
  /** The list of parts that is kept in a file of the vault; null: what is kept there is none. */
  readonly keptListOf: KeptLists['of'];
  /** Parts that are left at the service until a person wants them removed. */
  readonly leftParts: Pick<OrphanCollector, 'left' | 'removing' | 'removeLeft'>;
  /** The computer woke up, or the network is back. */
  wake(): void;
  /** Limits or hours were changed. */
  limitsChanged(): void;
  removeProfile(profileId: string): Promise<void>;
  readonly unfinishedOf: (profileId: string) => Promise<number>;
  /** Stops everything; it goes on at the next start. */
  close(): Promise<void>;
}

/** Finished ones beyond these leave the history. */
const mostFinished = 10_000;
const longestKeptMs = 90 * 24 * 3_600_000;

/** Takes the list over from the last run and goes on. */
export async function createEngine(deps: {
  store: TransferStore;
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers' | 'manifestOf'>;
  documents: Documents;
  connections: Connections;
  clock: Clock;
  log: Log;
  /** What lists of parts say of who wrote them. */
  clientName?: string;
  settings: () => LimitSettings & ReturnType<Context['settings']>;
  kept: Keeper;
  random?: () => number;
}): Promise<Engine> {
  const { store, catalogue, documents, connections, clock, log, settings, kept, random = Math.random } = deps;
  const { clientName = 'Coffer' } = deps;
  const closed = new AbortController();
  const closing = closed.signal;
  const active = new Map<number, Entry>();
  const parts = new Map<number, PartFile>();
  const interrupted = await store.interrupted();
  const moments = interrupted.flatMap((record) => deferredOf(record)?.usedAt ?? []);
  const journal = await openJournal({ store, documents, clock, log, closing, moments });
  const limits = createLimits(clock, settings);
  const pauses = await openPauses(documents, limits);
  const installId = await openInstallId(documents);
  const secrets = createSecretMemory();
  const partsJournal = await openPartsJournal(documents, log);
  const orphans = await openOrphans(documents, log);
  const keptLists = await openKeptLists(documents, log);
  const gates = createGates({
    clock,
    limits,
    random,
    report: (...shown) => connections.report(...shown),
    onChanged(profileId) {
      touched([profileId]);
      if (hasBegun) scheduler.wakeUp();
      deadlines?.wake();
    },
  });
  const spacings = new Map<string, Spacing>();

  const news = createNews({
    list: () => list,
    profileIds: () => connections.profileIds(),
    onFailed(cause) {
      if (!closing.aborted) log.error('the list of transfers could not be counted', { cause });
    },
  });
  const { touched, tellDeletion, tellEnded } = news;
  const progress = createProgress({
    clock,
    closing,
    running: () => [...active.values()].filter(({ run }) => run !== null),
  });
  let hasBegun = false;
  let dueWatch: DueWatch | null = null;
  const collector = createOrphanCollector({
    context: { store, connections, gates, clock, log, closing },
    journal: partsJournal,
    orphans,
    keptLists,
    isKept: kept.has,
    onChanged: (profileId) => touched([profileId]),
  });
  const context: Context & { active: Map<number, Entry> } = {
    inParts: {
      journal: partsJournal,
      orphans: collector,
      keptLists,
      clientName,
      manifestOf: (id) => catalogue.manifestOf(id),
    },
    store,
    journal,
    connections,
    gates,
    limits,
    settings,
    secrets,
    kept,
    parts,
    spacings(profileId, kind) {
      const key = `${kind} ${profileId}`;
      const spacing = spacings.get(key) ?? createSpacing(random);
      spacings.set(key, spacing);
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
      if (!isThere || isFinished(record)) secrets.ended(record);
      if (partsJournal.of(record.id) || collector.awaits(record)) collector.collect();
      tellDeletion(record);
      if (isFinished(record)) tellEnded(record);
      touched([record.profileId]);
    },
    sleeps: (untilMs) => dueWatch?.expect(untilMs),
    writeFailed(cause) {
      if (!closing.aborted) log.error('a transfer could not be written down', { cause });
    },
  };
  const lookups = createLookups(context);
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
  const actions = createActions(context, scheduler, runner, pauses, enqueue);
  const secretRequests = createSecretRequests({ enqueue, scheduler, actions, secrets });
  const deadlines = createDeadlineWatch(context, runner);
  const stopWatchingKept = kept.onChanged(() => collector.collect());
  const stopListening = connections.onReady((profileId) => {
    gates.of(profileId).reopen();
    scheduler.wake(profileId);
    scheduler.hurry(profileId);
    collector.collect();
  });

  async function partPathOf(record: TransferRecord): Promise<string | null> {
    const facts = await connections.factsOf(record.profileId).catch(() => null);
    if (!facts) return null;
    const { folder, subfolders = [], fileName } = targetOf(record, facts, null);
    const found = await findSubfolders(folder, subfolders);
    return found && join(found, partNameOf(fileName, partOwner(record, installId)));
  }

  // What became of transfers in parts is acted on before their records may leave the history.
  await collector.reconcile();
  await store.trim(mostFinished, clock.nowMs() - longestKeptMs);
  const keepsPart = ({ id }: TransferRecord) => partsJournal.ofKind(id, 'download') !== null;
  scheduler.take(await takeUp({ store, interrupted, nowMs: clock.nowMs(), partPathOf, keepsPart }));
  hasBegun = true;
  scheduler.begin();
  for (const profileId of connections.profileIds()) scheduler.wake(profileId);
  collector.collect();
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

  return {
    page: list.page,
    picked: list.picked,
    ofIds: list.ofIds,
    overlay: list.overlay,
    failureOf: list.failureOf,
    ...lookups,
    enqueue: { ...enqueue, storeSecret: secretRequests.store },
    actions,
    gates,
    async downloadAsItIs(id) {
      const { profileId, objectId } = await lookups.objectOf(id);
      const options = { saveAsPath: null, route: 'direct', asItIs: true } as const;
      await enqueue.downloads(profileId, [objectId], options);
    },
    keptListOf: (file) => keptLists.of(file),
    leftParts: collector,
    readSecret: secretRequests.read,
    question: (transferId) => askQuestion(context, catalogue, transferId),
    onChanged: news.onChanged,
    onProgress: progress.onProgress,
    onClosing: deadlines.onClosing,
    onDeletion: news.onDeletion,
    onEnded: news.onEnded,
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
      await collector.forgetProfile(profileId);
      await pauses.setProfile(profileId, false);
      touched();
    },
    unfinishedOf: (profileId) => store.unfinished(profileId),
    async close() {
      stopListening();
      stopWatchingKept();
      news.close();
      closed.abort(new AppFailure({ code: 'cancelled' }));
      for (const { run } of active.values()) {
        if (!run) continue;
        run.stop ??= 'close';
        run.abort.abort(closing.reason);
      }
      await scheduler.ended();
      await collector.ended();
      await deadlines.ended();
      await due.ended();
      await journal.written();
      await journal.saveTime().catch((cause: unknown) => log.error('the time was not saved', { cause }));
      for (const part of parts.values()) await part.discard();
      secrets.close();
    },
  };
}
