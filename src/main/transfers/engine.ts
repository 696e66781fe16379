import type { TransferProgress } from '../../shared/domain/transfer-summary.ts';
import type { LeftBehind } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Actions } from './actions.ts';
import { assemble, type EngineDeps } from './assemble.ts';
import type { ClosingWarning } from './run/expiry-monitor.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { CircuitBreakers } from './queue/circuit-breakers.ts';
import { createTransferQueries, type TransferQueries } from './view/queries.ts';
import type { ChangeNotifier } from './view/change-notifier.ts';
import type { UndoManifests } from './parts/undo-manifests.ts';
import type { OrphanCollector } from './parts/orphan-collector.ts';
import { describeConflict } from './steps/conflict-prompt.ts';
import { takeUp } from './run/recovery.ts';
import type { SecretRequests } from './secret-requests.ts';
import { temporaryPathOf } from './steps/download-target.ts';
import type { TransferList } from './view/transfer-list.ts';

/** All uploads, downloads and deletions, direct or deferred: one list, one owner for each decision. */
export interface Engine
  extends
    Pick<
      TransferList,
      'page' | 'dock' | 'picked' | 'openIds' | 'ofIds' | 'overlay' | 'failureOf' | 'summary'
    >,
    TransferQueries {
  readonly enqueue: Enqueue;
  readonly actions: Actions;
  readonly breakers: CircuitBreakers;
  readonly readSecret: SecretRequests['read'];
  /** The conflict prompt. @param transferId null: the oldest open one. @throws AppFailure notFound */
  conflictPrompt(transferId: number | null): ReturnType<typeof describeConflict>;
  /** Fires at most four times a second when the list has changed. */
  readonly onChanged: ChangeNotifier['onChanged'];
  onProgress(listener: (progress: TransferProgress) => void): () => void;
  /** A window is about to close before its result was fetched: fires 10 and 2 minutes before. */
  onClosing(listener: (warning: ClosingWarning) => void): () => void;
  /** A deletion changed its state, or ended. */
  readonly onDeletion: ChangeNotifier['onDeletion'];
  readonly onEnded: ChangeNotifier['onEnded'];
  /** Downloads the manifest of the object of a download. @throws AppFailure notFound */
  downloadAsItIs(id: number): Promise<void>;
  /** The manifest in an undo copy; null: the undo copy is not one. */
  readonly undoManifestOf: UndoManifests['of'];
  /** Orphans that stay on the service until the user wants them removed. */
  readonly orphans: Pick<OrphanCollector, 'left' | 'removing' | 'removeLeft' | 'removeUpTo'>;
  /** Orphans, and objects whose deletion has not ended: what is still to be deleted at the service. */
  leftBehind(serviceId: string): Promise<LeftBehind[]>;
  /** The computer woke up, or the network is back. */
  wake(): void;
  /** Limits or hours were changed. */
  limitsChanged(): void;
  removeService(serviceId: string): Promise<void>;
  readonly unfinishedOf: (serviceId: string) => Promise<number>;
  /** Stops everything; the next start resumes it. */
  close(): Promise<void>;
}

/** Limits of the history: the number and age of finished transfers. */
const maxFinished = 10_000;
const longestKeptMs = 90 * 24 * 3_600_000;

/** Starts the engine and resumes the transfers of the last run. */
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, catalogue, connections, clock, log, settings, undoCopies } = deps;
  const assembled = await assemble(deps);
  const { closed, context, interrupted, installId, pauses, secrets, plans, undoManifests, collector } =
    assembled;
  const { notifier, progress, list, scheduler, due, runner, deadlines, enqueue, actions } = assembled;
  const { active, closing, breakers, batcher, limits } = context;
  const { touched } = notifier;
  const lookups = createTransferQueries(context, plans, secrets);
  const stopWatchingUndoCopies = undoCopies.onChanged(() => collector.collect());
  const stopListening = connections.onReady((serviceId) => {
    breakers.of(serviceId).reset();
    scheduler.wake(serviceId);
    scheduler.retryNow(serviceId);
    collector.collect();
  });

  // Reconcile orphans before the records of their transfers may leave the history.
  await collector.reconcile();
  await store.trim(maxFinished, clock.nowMs() - longestKeptMs);
  const taken = await takeUp({
    store,
    interrupted,
    nowMs: clock.nowMs(),
    temporaryPathOf: (record) => temporaryPathOf(connections, record, installId),
    keepsTemporaryFile: ({ id }) => plans.ofKind(id, 'download') !== null,
  });
  scheduler.take(taken);
  scheduler.begin((...started) => runner.run(...started));
  for (const serviceId of connections.serviceIds()) scheduler.wake(serviceId);
  assembled.awaitSettled();
  collector.collect();
  due.begin();

  return {
    page: list.page,
    dock: list.dock,
    picked: list.picked,
    openIds: list.openIds,
    ofIds: list.ofIds,
    overlay: list.overlay,
    failureOf: list.failureOf,
    summary: () => list.summary(),
    ...lookups,
    enqueue: { ...enqueue, storeSecret: assembled.secretRequests.store },
    actions,
    breakers,
    async downloadAsItIs(id) {
      const { serviceId, objectId } = await lookups.objectOf(id);
      const options = { saveAsPath: null, route: 'direct', asItIs: true } as const;
      await enqueue.downloads(serviceId, [objectId], options);
    },
    undoManifestOf: (file) => undoManifests.of(file),
    orphans: collector,
    async leftBehind(serviceId) {
      const deletions = await store.deletions(serviceId);
      return [
        ...deletions.map((identifier): LeftBehind => ({
          kind: 'object',
          identifier,
          lastPart: '',
          count: 1,
          isGoing: true,
        })),
        ...(await collector.leftBehind(serviceId)),
      ];
    },
    readSecret: assembled.secretRequests.read,
    conflictPrompt: (transferId) =>
      describeConflict({ ...context, undoCopies, settings }, catalogue, transferId),
    onChanged: notifier.onChanged,
    onProgress: progress.onProgress,
    onClosing: deadlines.onClosing,
    onDeletion: notifier.onDeletion,
    onEnded: notifier.onEnded,
    wake() {
      for (const [serviceId, breaker] of breakers.all()) {
        if (breaker.state() === 'unreachable') breaker.release();
        scheduler.retryNow(serviceId);
      }
      deadlines.wake();
      touched();
    },
    limitsChanged() {
      limits.changed();
      breakers.limitsChanged();
      due.expect(-Infinity);
      scheduler.wakeAll();
      touched();
    },
    async removeService(serviceId) {
      await actions.cancel({ kind: 'service', serviceId });
      scheduler.removeService(serviceId);
      for (const entry of active.values())
        if (entry.record.serviceId === serviceId) assembled.onLeft(entry, false);
      await store.removeService(serviceId);
      await collector.forgetService(serviceId);
      await pauses.setService(serviceId, false);
      touched();
    },
    unfinishedOf: (serviceId) => store.unfinished(serviceId),
    async close() {
      stopListening();
      stopWatchingUndoCopies();
      notifier.close();
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
      await batcher.written();
      await batcher.saveTime().catch((cause: unknown) => log.error('the time was not saved', { cause }));
      await assembled
        .rememberLimits()
        .catch((cause: unknown) => log.error('what services can take was not saved', { cause }));
      for (const file of assembled.temporaryFiles.values()) await file.discard();
      secrets.close();
    },
  };
}
