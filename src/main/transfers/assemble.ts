import type { Catalogue } from '../objects/catalogue.ts';
import type { Documents } from '../database/documents.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { UndoCopyStore } from './undo/undo-copies.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import { createActions } from './actions.ts';
import type { Context } from './run/context.ts';
import { createExpiryMonitor } from './run/expiry-monitor.ts';
import { databaseRetryMs } from './model/failure-policy.ts';
import { createRetryTimer } from './queue/retry-timer.ts';
import { createEnqueue } from './queue/enqueue.ts';
import type { ActiveTransfer } from './model/active-transfer.ts';
import type { TemporaryFile } from '../local-files/temporary-file.ts';
import { createCircuitBreakers } from './queue/circuit-breakers.ts';
import { openInstallId } from '../database/install-id.ts';
import { openWriteBatcher } from './run/write-batcher.ts';
import { openRememberedLimits } from './queue/limits/remembered-limits.ts';
import { createLimits, type LimitSettings } from './queue/limits/limits.ts';
import { createChangeNotifier } from './view/change-notifier.ts';
import { openPartPlans } from './parts/part-plans.ts';
import { openUndoManifests } from './parts/undo-manifests.ts';
import { createOrphanCollector } from './parts/orphan-collector.ts';
import { openOrphans } from './parts/orphans.ts';
import { joinLookups } from './queue/join-lookups.ts';
import { openPauses } from './queue/pauses.ts';
import { createProgress } from './view/progress.ts';
import { deferredOf, isFinished } from './model/record.ts';
import type { TransferStore } from './model/store-types.ts';
import { createRunner } from './run/run.ts';
import { createScheduler } from './queue/scheduler.ts';
import { createSecretMemory } from './queue/secret-memory.ts';
import { createSecretRequests } from './secret-requests.ts';
import { createPollIntervals } from './queue/poll-interval.ts';
import { createSteps } from './steps/steps.ts';
import { createTransferList } from './view/transfer-list.ts';

export interface EngineDeps {
  store: TransferStore;
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers' | 'manifestOf'>;
  documents: Documents;
  connections: Connections;
  clock: Clock;
  log: Log;
  /** The client name written into manifests. */
  clientName?: string;
  settings: () => LimitSettings & Pick<Settings, 'skipIdentical' | 'versionReach'>;
  undoCopies: UndoCopyStore;
  random?: () => number;
}

/** Constructs the engine, each component from those above it in this function. Starts nothing. */
export async function assemble(deps: EngineDeps) {
  const {
    store,
    catalogue,
    documents,
    connections,
    clock,
    log,
    settings,
    undoCopies,
    random = Math.random,
  } = deps;
  const { clientName = 'Coffer' } = deps;
  const closed = new AbortController();
  const closing = closed.signal;
  const interrupted = await store.interrupted();
  const moments = interrupted.flatMap((record) => deferredOf(record)?.usedAt ?? []);
  const batcher = await openWriteBatcher({ store, documents, clock, log, closing, moments });
  const limits = createLimits(clock, settings);
  const pauses = await openPauses(documents, limits);
  const installId = await openInstallId(documents);
  const plans = await openPartPlans(documents, log);
  const orphans = await openOrphans(documents, log);
  const undoManifests = await openUndoManifests(documents, log);
  const secrets = createSecretMemory();
  const pollIntervals = createPollIntervals(random);
  const remembered = await openRememberedLimits(documents, connections);
  const breakers = createCircuitBreakers({
    clock,
    limits,
    random,
    remembered: remembered.of,
    report: (...shown) => connections.report(...shown),
  });
  const active = new Map<number, ActiveTransfer>();
  const context: Context & { active: typeof active } = {
    store,
    batcher,
    connections,
    breakers,
    limits,
    clock,
    log,
    closing,
    active,
  };

  const notifier = createChangeNotifier({
    serviceIds: () => connections.serviceIds(),
    onFailed(cause) {
      if (!closing.aborted) log.error('the list of transfers could not be counted', { cause });
    },
  });
  const { touched } = notifier;
  const progress = createProgress({
    clock,
    closing,
    running: () => [...active.values()].filter(({ run }) => run !== null),
  });
  const list = createTransferList(context, pauses, progress);
  notifier.begin(list);
  const collector = createOrphanCollector({
    context,
    plans,
    orphans,
    undoManifests,
    isUndoCopy: undoCopies.has,
    onChanged: (serviceId) => touched([serviceId]),
  });

  const scheduler = createScheduler({
    ...context,
    now: batcher.now,
    pollIntervals,
    isPaused: pauses.isPaused,
    onChanged: touched,
    onEnded: notifier.tellDeletion,
  });
  const due = createRetryTimer({
    ...context,
    onDue() {
      scheduler.wakeAll();
      touched();
    },
    onFailed: (cause) => log.error('next tries are not watched', { cause }),
  });

  function onTouched(entry: ActiveTransfer): void {
    // The end of a deletion is reported later, once it is on the disk.
    if (!isFinished(entry.record)) notifier.tellDeletion(entry.record);
    touched([entry.record.serviceId]);
  }

  function onLeft(entry: ActiveTransfer, isThere: boolean): void {
    scheduler.finish(entry, true);
    const { record } = entry;
    if (!isThere || isFinished(record)) secrets.ended(record);
    if (plans.of(record.id) || collector.awaits(record)) collector.collect();
    notifier.tellDeletion(record);
    if (isFinished(record)) notifier.tellEnded(record);
    touched([record.serviceId]);
  }

  /** Complete temporary files that are still open, by record. */
  const temporaryFiles = new Map<number, TemporaryFile>();
  const manifestOf = (id: number) => catalogue.manifestOf(id);
  const takeStep = createSteps({
    list: {
      rows: joinLookups((ids) => store.rows(ids)),
      versions: (...of) => store.versions(...of),
      isBeingStored: (...of) => store.isBeingStored(...of),
      isBeingReclassified: (...of) => store.isBeingReclassified(...of),
      takeIdentifier: (...taken) => store.takeIdentifier(...taken),
      takeRow: (...taken) => store.takeRow(...taken),
      takeVersion: (...taken) => store.takeVersion(...taken),
    },
    files: {
      takeBytes: (...bytes) => limits.takeBytes(...bytes),
      undoCopies,
      temporaryFiles,
      installId,
      onUnflushed: (transferId) => log.warn('a folder could not be flushed to the disk', { transferId }),
    },
    parts: { plans, orphans: collector, undoManifests, clientName, manifestOf },
    requests: { now: batcher.now, secrets },
    pollIntervals,
    settings,
    clock,
  });
  const runner = createRunner({
    ...context,
    temporaryFiles,
    random,
    takeStep,
    onTouched,
    onWritten: progress.written,
    onLeft,
    onTransferred: progress.transferred,
    onAsleep: (untilMs) => due.expect(untilMs),
    onWriteFailed(cause) {
      if (!closing.aborted) log.error('a transfer could not be written down', { cause });
    },
  });
  const deadlines = createExpiryMonitor({ ...context, runner, onTouched });
  breakers.onRoom(() => scheduler.wakeUp());
  breakers.onChanged((serviceId) => {
    touched([serviceId]);
    scheduler.wakeUp();
    deadlines.wake();
  });

  const enqueue = createEnqueue({
    ...context,
    catalogue,
    keep: secrets.keep,
    expect: secrets.expect,
    onAdded(serviceId) {
      scheduler.wake(serviceId);
      touched([serviceId]);
    },
  });
  /** Wakes the scheduler when bulk changes are applied: more transfers may be ready. */
  async function awaitSettled(): Promise<void> {
    for (let isSettled = false; !isSettled && !closing.aborted;) {
      try {
        await store.settled();
        isSettled = true;
      } catch {
        // The database thread died; it continues once it is restarted.
        await clock.delay(databaseRetryMs, closing).catch(() => undefined);
      }
    }
    scheduler.wakeAll();
    touched();
  }
  const actions = createActions({
    ...context,
    awaitSettled: () => void awaitSettled(),
    scheduler,
    runner,
    pauses,
    enqueue,
    secrets,
    orphans: collector,
    tellDeletion: notifier.tellDeletion,
    isUndoManifest: (file) => undoManifests.of(file) !== null,
  });
  const secretRequests = createSecretRequests({ enqueue, scheduler, actions, secrets, clock });

  return {
    closed,
    context,
    interrupted,
    installId,
    pauses,
    secrets,
    plans,
    undoManifests,
    collector,
    temporaryFiles,
    notifier,
    progress,
    list,
    scheduler,
    due,
    runner,
    deadlines,
    enqueue,
    actions,
    secretRequests,
    rememberLimits: () => remembered.save(breakers.learned()),
    awaitSettled: () => void awaitSettled(),
    onLeft,
  };
}
