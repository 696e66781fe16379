import type { Input } from '../../shared/contract.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { isFinished, isOfWatched, storedTabOf } from './model/record.ts';
import type { TransferEdit, Which } from './model/store-types.ts';
import type { Tab } from '../../shared/domain/transfer.ts';
import type { Context } from './run/context.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { ActiveTransfer } from './model/active-transfer.ts';
import type { Pauses } from './queue/pauses.ts';
import type { Runner } from './run/run.ts';
import type { Scheduler } from './queue/scheduler.ts';
import type { Secrets } from './queue/secret-memory.ts';
import { chosenFile } from './queue/add-transfers.ts';
import { batchesOf } from './model/batches.ts';
import { traitsOf } from './model/state.ts';
import type { ChangeNotifier } from './view/change-notifier.ts';

/** User actions on existing transfers. The runner changes active ones; the rest is changed in the database. */
export interface Actions {
  cancel(which: Which): Promise<void>;
  /**
   * Restarts failed and cancelled transfers at the present origin of their service, and retries waiting ones now.
   * Only `ids` includes what the person cancelled.
   * @param takesOther downloads accept what the service has, even where an imported list claims otherwise
   */
  retry(which: Which, takesOther?: boolean): Promise<void>;
  /**
   * Restarts an unsuccessful upload with another identifier or classification. @throws AppFailure badIdentifier, partsShared,
   * notFound
   */
  editAndRetry(input: Input<'transfers.editAndRetry'>): Promise<void>;
  /**
   * Restarts an unsuccessful upload with another file under its identifier.
   * @throws AppFailure fileGone, fileUnreadable, fileSpecial, notFound
   */
  replaceFile(id: number, path: string): Promise<void>;
  /**
   * Restarts a Replace that lacked local disk space, keeping the old bytes on the service. @throws AppFailure
   * notFound
   */
  keepOnService(id: number): Promise<void>;
  /** Removes unsuccessful transfers from the list, with the object rows that were added for them. */
  drop(which: Which): Promise<void>;
  pause(which: Input<'transfers.pause'>['which'], isPaused: boolean): Promise<void>;
  /** Stops running transfers of paused services. */
  stopNow(): Promise<void>;
  setPriority(input: Input<'transfers.setPriority'>): Promise<void>;
  reorder(input: Input<'transfers.reorder'>): Promise<void>;
  clear(tab: Tab, group: 'done' | 'needsYou'): Promise<void>;
  /** Removes the done and cancelled transfers of a batch. */
  clearBatch(batch: number): Promise<void>;
  answer(input: Input<'transfers.answer'>): Promise<void>;
}

export function createActions(
  deps: Pick<Context, 'store' | 'active' | 'breakers' | 'clock' | 'connections'> & {
    scheduler: Pick<Scheduler, 'exclusively'>;
    runner: Pick<Runner, 'cancel' | 'putBack'>;
    pauses: Pauses;
    enqueue: Pick<Enqueue, 'stop' | 'want'>;
    secrets: Pick<Secrets, 'ids' | 'ended'>;
    orphans: {
      collect: () => void;
      /** Runs `work`, which removes transfers from the list for the person. */
      dropping: <T>(work: () => Promise<T>) => Promise<T>;
    };
    /** Called after a bulk action, which the store finishes in the background. */
    awaitSettled: () => void;
    readonly tellDeletion: ChangeNotifier['tellDeletion'];
    /** Whether this undo copy is a manifest. */
    isUndoManifest: (file: string) => boolean;
  },
): Actions {
  const { store, active, breakers, clock, connections, secrets } = deps;
  const { scheduler, runner, pauses, enqueue, orphans, awaitSettled, tellDeletion, isUndoManifest } = deps;

  function inWork(which: Which): ActiveTransfer[] {
    return [...active.values()].filter((entry) => !isFinished(entry.record) && matches(entry, which));
  }

  function matches({ record }: ActiveTransfer, which: Which): boolean {
    switch (which.kind) {
      case 'all':
        return which.tab === undefined ? record.direction !== 'delete' : storedTabOf(record) === which.tab;
      case 'ids':
        return which.ids.includes(record.id);
      case 'service':
        return record.serviceId === which.serviceId;
      case 'batch':
        return record.batch === which.batch;
      case 'cause':
        return record.serviceId === which.serviceId && which.group === 'waiting';
    }
  }

  /** An error of the whole service holds up all of its waiting records. */
  function heldOf(which: Which): Which {
    if (which.kind !== 'cause' || which.group !== 'waiting') return which;
    const isOfService = breakers.of(which.serviceId).trouble()?.code === which.code;
    return isOfService ? { kind: 'service', serviceId: which.serviceId } : which;
  }

  function origins(): Map<string, string> {
    return new Map(connections.serviceIds().map((id) => [id, connections.originOf(id)]));
  }

  async function cancel(which: Which): Promise<void> {
    const meant = heldOf(which);
    enqueue.stop(meant);
    let inFlight: ActiveTransfer[] = [];
    await scheduler.exclusively(() => {
      inFlight = inWork(which);
      return store.cancel(meant);
    });
    inFlight = [...new Set([...inFlight, ...inWork(which)])];
    await Promise.all(inFlight.map((entry) => runner.cancel(entry)));
    // Some were being put back into the database meanwhile, so the store's cancel missed them.
    const ids = inFlight
      .filter((entry) => !isFinished(entry.record) && active.get(entry.record.id) !== entry)
      .map(({ record }) => record.id);
    if (ids.length > 0) await cancel({ kind: 'ids', ids });
    awaitSettled();
    await endSecrets();
    if (which.kind === 'ids') await tellDeletions(which.ids);
    orphans.collect();
  }

  /** Secrets waiting for a retry are cancelled in the database, so their readers must be told here. */
  async function endSecrets(): Promise<void> {
    const expected = secrets.ids();
    if (expected.length === 0) return;
    for (const record of await store.getMany(expected)) if (isFinished(record)) secrets.ended(record);
  }

  /** Deletions that wait are cancelled in the database, so whoever counts them must be told here. */
  async function tellDeletions(cancelled: readonly number[]): Promise<void> {
    for (const ids of batchesOf(cancelled))
      for (const record of await store.getMany(ids)) if (isFinished(record)) tellDeletion(record);
  }

  /** Runs `work` on the database once the transfers shown as finished are written. */
  async function onFile<T>(work: () => Promise<T>): Promise<T> {
    const ending = [...active.values()].filter(({ record }) => isFinished(record));
    await Promise.all(ending.flatMap(({ run }) => run?.ended ?? []));
    return scheduler.exclusively(work);
  }

  /**
   * The Undo of a file in parts restores its manifest, which names parts of this object with their classification. A
   * reclassification keeps its identifier, and a move cannot lead back to its source.
   */
  async function requireSameParts({
    id,
    identifier,
    classification,
  }: Input<'transfers.editAndRetry'>): Promise<void> {
    const [record] = await store.getMany([id]);
    if (record?.work.kind !== 'upload') return;
    const { work } = record;
    const isOwnSource = work.moves?.identifier === identifier;
    if (isOwnSource || (work.reclassifies && identifier !== record.identifier))
      throw new AppFailure({ code: 'notFound', what: 'transfer' });
    const hasParts = work.kept !== undefined && isUndoManifest(work.kept.file);
    if (hasParts && (identifier !== record.identifier || classification !== work.classification))
      throw new AppFailure({ code: 'partsShared' });
  }

  async function servicesOf(which: Which): Promise<Iterable<string>> {
    switch (which.kind) {
      case 'cause':
      case 'service':
        return [which.serviceId];
      case 'all':
        return [...breakers.all()].map(([serviceId]) => serviceId);
      case 'batch': {
        const batch = await store.batch(which.batch);
        return batch === null ? [] : [batch.serviceId];
      }
      case 'ids':
        return new Set([
          ...inWork(which).map(({ record }) => record.serviceId),
          ...(await store.getMany(which.ids)).map(({ serviceId }) => serviceId),
        ]);
    }
  }

  async function editAndRetry(id: number, change: TransferEdit): Promise<void> {
    const isRetried = await onFile(() => store.editAndRetry(id, change, origins()));
    if (!isRetried) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    for (const { serviceId } of await store.getMany([id])) breakers.of(serviceId).release();
  }

  return {
    cancel,

    async retry(which, takesOther = false) {
      await onFile(async () => {
        await store.retryNow(which);
        await store.retry(which, origins(), takesOther);
      });
      awaitSettled();
      const nowMs = clock.monotonicMs();
      for (const entry of inWork(which)) entry.dueMs = Math.min(entry.dueMs, nowMs);
      for (const serviceId of await servicesOf(which)) breakers.of(serviceId).release();
    },

    async editAndRetry(input) {
      const { id, identifier, classification } = input;
      const verdict = checkObjectId(identifier);
      if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
      await requireSameParts(input);
      await editAndRetry(id, { identifier, classification });
    },

    async replaceFile(id, path) {
      const [record] = await store.getMany([id]);
      // Its source is a stored object: there is no file to choose.
      if (record?.work.kind === 'upload' && (record.work.reclassifies || record.work.moves))
        throw new AppFailure({ code: 'notFound', what: 'transfer' });
      await editAndRetry(id, { file: await chosenFile(path) });
    },

    keepOnService: (id) => editAndRetry(id, { keeps: 'service' }),

    drop: (which) => orphans.dropping(() => onFile(async () => void (await store.drop(which)))),

    async pause(which, isPaused) {
      await scheduler.exclusively(async () => {
        if (which === 'all') return pauses.setAll(isPaused);
        if ('serviceId' in which) return pauses.setService(which.serviceId, isPaused);
        const meant = idsOrBatch(which);
        if (meant.kind === 'batch') enqueue.want(meant.batch, { isPaused });
        await store.pause(meant, isPaused);
      });
      awaitSettled();
    },

    async stopNow() {
      // Not secrets: one is sent in a moment, and only its response tells whether it arrived.
      const moving = [...active.values()].filter(
        ({ run, record }) =>
          run !== null &&
          pauses.isPaused(record.serviceId) &&
          record.kind === 'data' &&
          traitsOf(record.state).movesBytes === true,
      );
      await Promise.all(moving.map((entry) => runner.putBack(entry)));
    },

    async setPriority({ priority, ...which }) {
      const meant = idsOrBatch('ids' in which ? which.ids : which);
      if (meant.kind === 'batch') enqueue.want(meant.batch, { priority });
      await scheduler.exclusively(() => store.setPriority(meant, priority));
      awaitSettled();
    },
    reorder: ({ ids, before }) => scheduler.exclusively(() => store.reorder(ids, before)),
    clear: (tab, group) => orphans.dropping(() => onFile(() => store.clear(tab, group))),
    clearBatch: (batch) => orphans.dropping(() => onFile(() => store.clearBatch(batch))),

    async answer({ transferId, answer, applyToAll }) {
      const [record] = await store.getMany([transferId]);
      if (record?.state.name !== 'asking') throw new AppFailure({ code: 'notFound', what: 'transfer' });
      const { serviceId } = record;
      const isWatched = isOfWatched(record);
      const all = isWatched ? 'allWatched' : 'all';
      await scheduler.exclusively(() => store.answer(serviceId, applyToAll ? all : [transferId], answer));
      if (!applyToAll) return;
      // Active transfers take the answer over before they ask.
      for (const entry of active.values()) {
        const { work } = entry.record;
        if (entry.record.serviceId !== serviceId || work.kind !== 'upload' || work.ifExists !== 'ask')
          continue;
        if (isOfWatched(entry.record) !== isWatched) continue;
        entry.record = { ...entry.record, work: { ...work, ifExists: answer } };
      }
    },
  };
}

function idsOrBatch(which: number[] | { batch: number }): Which {
  return Array.isArray(which) ? { kind: 'ids', ids: which } : { kind: 'batch', ...which };
}
