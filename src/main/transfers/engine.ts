import type { TransferProgress } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Actions } from './actions.ts';
import { assemble, type EngineDeps } from './assemble.ts';
import type { ClosingWarning } from './run/expiry-monitor.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { Gates } from './queue/circuit-breakers.ts';
import { createLookups, type Lookups } from './view/queries.ts';
import type { News } from './view/change-notifier.ts';
import type { KeptLists } from './chunks/undo-manifests.ts';
import type { OrphanCollector } from './chunks/orphan-collector.ts';
import { askQuestion } from './steps/conflict-prompt.ts';
import { takeUp } from './run/recovery.ts';
import type { SecretRequests } from './secret-requests.ts';
import { partPathOf } from './steps/download-target.ts';
import type { TransferList } from './view/transfer-list.ts';

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
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { store, catalogue, connections, clock, log, settings, kept } = deps;
  const assembled = await assemble(deps);
  const { closed, context, interrupted, installId, pauses, secrets, plans, keptLists, collector } = assembled;
  const { news, progress, list, scheduler, due, runner, deadlines, enqueue, actions } = assembled;
  const { active, closing, gates, journal, limits } = context;
  const { touched } = news;
  const lookups = createLookups(context, plans);
  const stopWatchingKept = kept.onChanged(() => collector.collect());
  const stopListening = connections.onReady((profileId) => {
    gates.of(profileId).reopen();
    scheduler.wake(profileId);
    scheduler.hurry(profileId);
    collector.collect();
  });

  // What became of transfers in parts is acted on before their records may leave the history.
  await collector.reconcile();
  await store.trim(mostFinished, clock.nowMs() - longestKeptMs);
  const taken = await takeUp({
    store,
    interrupted,
    nowMs: clock.nowMs(),
    partPathOf: (record) => partPathOf(connections, record, installId),
    keepsPart: ({ id }) => plans.ofKind(id, 'download') !== null,
  });
  scheduler.take(taken);
  scheduler.begin(runner.run);
  for (const profileId of connections.profileIds()) scheduler.wake(profileId);
  collector.collect();
  due.begin();

  return {
    page: list.page,
    picked: list.picked,
    ofIds: list.ofIds,
    overlay: list.overlay,
    failureOf: list.failureOf,
    ...lookups,
    enqueue: { ...enqueue, storeSecret: assembled.secretRequests.store },
    actions,
    gates,
    async downloadAsItIs(id) {
      const { profileId, objectId } = await lookups.objectOf(id);
      const options = { saveAsPath: null, route: 'direct', asItIs: true } as const;
      await enqueue.downloads(profileId, [objectId], options);
    },
    keptListOf: (file) => keptLists.of(file),
    leftParts: collector,
    readSecret: assembled.secretRequests.read,
    question: (transferId) => askQuestion({ ...context, kept, settings }, catalogue, transferId),
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
        if (entry.record.profileId === profileId) assembled.onLeft(entry, false);
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
      for (const part of assembled.parts.values()) await part.discard();
      secrets.close();
    },
  };
}
