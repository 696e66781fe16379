import type { Input } from '../../shared/contract.ts';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { tabOf } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { isFinished } from './model/record.ts';
import type { Context } from './run/context.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { ActiveTransfer } from './model/active-transfer.ts';
import type { Pauses } from './queue/pauses.ts';
import type { Runner } from './run/runner.ts';
import type { Scheduler } from './queue/scheduler.ts';
import type { Secrets } from './queue/secret-memory.ts';
import { chosenFile } from './queue/chosen-file.ts';
import { traitsOf } from './model/state-traits.ts';
import type { TransferEdit, Tab, Which } from './model/store-types.ts';

/** What a person wants of transfers that are there. What is in work is the runner's; the rest is changed in the file. */
export interface Actions {
  cancel(which: Which): Promise<void>;
  /** Failed and cancelled ones begin again where their service is now, waiting ones try now; `all` leaves alone what a person cancelled. */
  retry(which: Which): Promise<void>;
  /** Another identifier or classification for an upload that came to nothing, which begins again. @throws AppFailure badIdentifier, partsShared, notFound */
  editAndRetry(input: Input<'transfers.editAndRetry'>): Promise<void>;
  /**
   * Another file takes the place of the one that an upload came to nothing with, under its identifier, and it begins again.
   * @throws AppFailure fileGone, fileUnreadable, fileSpecial, notFound
   */
  replaceFile(id: number, path: string): Promise<void>;
  /** A Replace that had no room here begins again, and keeps the old bytes on the service. @throws AppFailure notFound */
  keepOnService(id: number): Promise<void>;
  /** Those that came to nothing leave the list, with the rows of the list that were added for them. */
  drop(which: Which): Promise<void>;
  pause(which: Input<'transfers.pause'>['which'], isPaused: boolean): Promise<void>;
  /** What has begun of what is paused. */
  stopNow(): Promise<void>;
  setPriority(input: Input<'transfers.setPriority'>): Promise<void>;
  move(input: Input<'transfers.move'>): Promise<void>;
  clear(tab: Tab, group: 'done' | 'needsYou'): Promise<void>;
  answer(input: Input<'transfers.answer'>): Promise<void>;
}

export function createActions(
  deps: Pick<Context, 'store' | 'active' | 'breakers' | 'clock' | 'connections'> & {
    scheduler: Pick<Scheduler, 'exclusively'>;
    runner: Pick<Runner, 'cancel' | 'putBack'>;
    pauses: Pauses;
    enqueue: Pick<Enqueue, 'stop'>;
    secrets: Pick<Secrets, 'ids' | 'ended'>;
    /** What transfers in parts have left is taken away. */
    orphans: {
      collect: () => void;
      /** Does what takes transfers off the list because a person wants that. */
      dropping: <T>(work: () => Promise<T>) => Promise<T>;
    };
    /** What is kept in this file of the vault is a list of parts. */
    isKeptList: (file: string) => boolean;
  },
): Actions {
  const { store, active, breakers, clock, connections, secrets } = deps;
  const { scheduler, runner, pauses, enqueue, orphans, isKeptList } = deps;

  function inWork(which: Which): ActiveTransfer[] {
    return [...active.values()].filter((entry) => !isFinished(entry.record) && matches(entry, which));
  }

  function matches({ record }: ActiveTransfer, which: Which): boolean {
    switch (which.kind) {
      case 'all':
        return record.direction !== 'delete' && (which.tab === undefined || tabOf(record) === which.tab);
      case 'ids':
        return which.ids.includes(record.id);
      case 'service':
        return record.serviceId === which.serviceId;
      case 'cause':
        return record.serviceId === which.serviceId && which.group === 'waiting';
    }
  }

  /** A trouble of the service holds up everything of it that waits. */
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
    let met: ActiveTransfer[] = [];
    await scheduler.exclusively(() => {
      met = inWork(which);
      return store.cancel(meant);
    });
    met = [...new Set([...met, ...inWork(which)])];
    await Promise.all(met.map((entry) => runner.cancel(entry)));
    // Some were just going back to the file, where the store did not meet them yet.
    const ids = met
      .filter((entry) => !isFinished(entry.record) && active.get(entry.record.id) !== entry)
      .map(({ record }) => record.id);
    if (ids.length > 0) await cancel({ kind: 'ids', ids });
    await endSecrets();
    orphans.collect();
  }

  /** Those that wait for their next try are cancelled in the file, where nobody tells who expects a value. */
  async function endSecrets(): Promise<void> {
    const expected = secrets.ids();
    if (expected.length === 0) return;
    for (const record of await store.getMany(expected)) if (isFinished(record)) secrets.ended(record);
  }

  /** Work over the file: what the list shows as finished may still be on its way into it. */
  async function onFile<T>(work: () => Promise<T>): Promise<T> {
    const ending = [...active.values()].filter(({ record }) => isFinished(record));
    await Promise.all(ending.flatMap(({ run }) => run?.ended ?? []));
    return scheduler.exclusively(work);
  }

  /** An Undo of a file in parts brings its list back: that names parts of this object, which have their classification. */
  async function requireSameParts({
    id,
    identifier,
    classification,
  }: Input<'transfers.editAndRetry'>): Promise<void> {
    const [record] = await store.getMany([id]);
    if (record?.work.kind !== 'upload') return;
    const { work } = record;
    const hasParts = work.kept !== undefined && isKeptList(work.kept.file);
    if (hasParts && (identifier !== record.identifier || classification !== work.classification))
      throw new AppFailure({ code: 'partsShared' });
  }

  async function editAndRetry(id: number, change: TransferEdit): Promise<void> {
    const isMended = await onFile(() => store.editAndRetry(id, change, origins()));
    if (!isMended) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    for (const { serviceId } of await store.getMany([id])) breakers.of(serviceId).release();
  }

  return {
    cancel,

    async retry(which) {
      await onFile(async () => {
        await store.retryNow(which);
        await store.retry(which, origins());
      });
      const nowMs = clock.monotonicMs();
      for (const entry of inWork(which)) entry.dueMs = Math.min(entry.dueMs, nowMs);
      const services =
        which.kind === 'cause' || which.kind === 'service'
          ? [which.serviceId]
          : which.kind === 'all'
            ? [...breakers.all()].map(([serviceId]) => serviceId)
            : new Set([
                ...inWork(which).map(({ record }) => record.serviceId),
                ...(await store.getMany(which.ids)).map(({ serviceId }) => serviceId),
              ]);
      for (const serviceId of services) breakers.of(serviceId).release();
    },

    async editAndRetry(input) {
      const { id, identifier, classification } = input;
      const verdict = checkObjectId(identifier);
      if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
      await requireSameParts(input);
      await editAndRetry(id, { identifier, classification });
    },

    async replaceFile(id, path) {
      await editAndRetry(id, { file: await chosenFile(path) });
    },

    keepOnService: (id) => editAndRetry(id, { keeps: 'service' }),

    drop: (which) => orphans.dropping(() => onFile(async () => void (await store.drop(which)))),

    async pause(which, isPaused) {
      await scheduler.exclusively(async () => {
        if (which === 'all') return pauses.setAll(isPaused);
        if (!Array.isArray(which)) return pauses.setService(which.serviceId, isPaused);
        await store.pause({ kind: 'ids', ids: which }, isPaused);
      });
    },

    async stopNow() {
      // A secret is out in a moment, and nothing but its answer tells whether it arrived.
      const moving = [...active.values()].filter(
        ({ run, record }) =>
          run !== null &&
          pauses.isPaused(record.serviceId) &&
          record.kind === 'data' &&
          traitsOf(record.state).movesBytes === true,
      );
      await Promise.all(moving.map((entry) => runner.putBack(entry)));
    },

    setPriority: ({ ids, priority }) => scheduler.exclusively(() => store.setPriority(ids, priority)),
    move: ({ ids, before }) => scheduler.exclusively(() => store.move(ids, before)),
    clear: (tab, group) => orphans.dropping(() => onFile(() => store.clear(tab, group))),

    async answer({ transferId, answer, applyToAll }) {
      const [record] = await store.getMany([transferId]);
      if (record?.state.name !== 'asking') throw new AppFailure({ code: 'notFound', what: 'transfer' });
      const { serviceId } = record;
      await scheduler.exclusively(() => store.answer(serviceId, applyToAll ? 'all' : [transferId], answer));
      if (!applyToAll) return;
      // Those that have not met the question yet will not ask it.
      for (const entry of active.values()) {
        const { work } = entry.record;
        if (entry.record.serviceId !== serviceId || work.kind !== 'upload' || work.ifExists !== 'ask')
          continue;
        entry.record = { ...entry.record, work: { ...work, ifExists: answer } };
      }
    },
  };
}
