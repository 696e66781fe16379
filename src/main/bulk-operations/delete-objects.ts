import type { Catalogue } from '../objects/catalogue.ts';
import type { Connections } from '../connections/connections.ts';
import type { Clock } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import { closing, type RunningTask } from './task-list.ts';

const batchSize = 200;

/** How long a person may undo a deletion before anything of it is sent. */
export const heldMs = 10_000;

/**
 * Deletes objects, and counts each when HEAD says that it is gone, when it has failed, or when the service has accepted
 * its deletion and still has it after the ten minutes that a deletion may take. The engine does the work: it sends each
 * DELETE once, and verifies open ones after a restart. Cancelling withdraws deletions that have not begun; the others
 * are counted before the task ends.
 * @param how.unseen nobody has looked whether they are there: nothing is done for one that HEAD does not find
 * @param how.isHeld sends nothing for `heldMs`. Counted by the monotonic clock alone, as the record only says that it is paused: no
 * wall clock that jumps sends one early, and one that Coffer leaves behind is never sent by itself.
 * @throws the signal's reason
 */
export async function deleteObjects(
  {
    engine,
    catalogue,
    connections,
    clock,
  }: {
    readonly engine: Pick<Engine, 'enqueue' | 'actions' | 'onDeletion' | 'overlay'>;
    readonly catalogue: Pick<Catalogue, 'getMany'>;
    readonly connections: Pick<Connections, 'originOf'>;
    readonly clock: Pick<Clock, 'delay'>;
  },
  serviceId: string,
  ids: Float64Array,
  task: RunningTask,
  { unseen = false, isHeld = false }: { unseen?: boolean; isHeld?: boolean } = {},
): Promise<void> {
  const { promise: counted, resolve, reject } = Promise.withResolvers<void>();
  /** Events received before all ids were known. */
  const heard = new Map<number, TransferRecord>();
  let open: Set<number> | null = null;
  /** Requested and not verified yet, and whether the service has answered. */
  const asked = new Map<number, { isAnswered: boolean; identifier: string }>();

  function hear(record: TransferRecord): void {
    const { id, state } = record;
    if (open === null) {
      heard.set(id, record);
      return;
    }
    if (state.name === 'deleting')
      asked.set(id, { isAnswered: state.isAnswered, identifier: record.identifier });
    if (state.name === 'done') task.count('missing');
    else if (state.name === 'failed') {
      const { error } = state;
      if (unseen && error.code === 'missing') task.count('ignored');
      else task.count(error.code === 'stillThere' ? 'present' : 'failed', error, record.identifier);
    } else if (state.name !== 'cancelled') return;
    // What the task itself has withdrawn is not counted.
    else if (!task.signal.aborted) task.undone();
    open.delete(id);
    if (open.size === 0) resolve();
  }

  /** Those of which HEAD has said so before: nothing is sent for them. */
  async function countGone(): Promise<number> {
    let gone = 0;
    for (let from = 0; from < ids.length && !task.signal.aborted; from += batchSize) {
      const rows = await catalogue.getMany([...ids.subarray(from, from + batchSize)]);
      gone += rows.filter(({ state }) => state === 'gone').length;
    }
    return gone;
  }

  /** Leaves out objects whose deletion is held already; unless this one is held too, they are let go. */
  async function notHeld(): Promise<Float64Array> {
    const rest: number[] = [];
    for (let from = 0; from < ids.length; from += batchSize) {
      const batch = [...ids.subarray(from, from + batchSize)];
      const over = await engine.overlay(batch);
      rest.push(...batch.filter((id) => over.get(id)?.heldDeletion === undefined));
      const held = batch.flatMap((id) => over.get(id)?.heldDeletion ?? []);
      if (!isHeld && held.length > 0) await engine.actions.pause(held, false);
    }
    return Float64Array.from(rest);
  }

  /** Lets the deletions go once nobody has undone them. They are withdrawn if the service has another address by now. */
  async function hold(origin: string, held: readonly number[]): Promise<void> {
    await Promise.race([clock.delay(heldMs, task.signal).catch(() => undefined), counted]);
    if (task.signal.aborted) return;
    task.letGo();
    if (connections.originOf(serviceId) === origin) await engine.actions.pause([...held], false);
    else await engine.actions.cancel({ kind: 'ids', ids: held });
  }

  const stop = engine.onDeletion((record) => {
    if (open === null || open.has(record.id)) hear(record);
  });
  async function takeBack(): Promise<void> {
    if (open === null) return;
    // The next start says that they were not sent.
    if (isHeld && task.signal.reason === closing) return;
    const cancelled = engine.actions.cancel({ kind: 'ids', ids: [...open] });
    // Deletions already sent are verified after the restart.
    if (task.signal.reason !== closing) await cancelled;
    for (const [id, { isAnswered, identifier }] of asked) {
      if (!open.delete(id)) continue;
      if (isAnswered) task.count('present');
      else task.count('failed', { code: 'deletionUnknown' }, identifier);
    }
  }
  const onAbort = () => {
    // Waits for a running enqueue before withdrawing.
    if (open !== null) void takeBack().then(resolve, reject);
  };
  task.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const gone = await countGone();
    const origin = connections.originOf(serviceId);
    const { signal } = task;
    const enqueued = await engine.enqueue.deletions(serviceId, await notHeld(), { signal, unseen, isHeld });
    // The rest is being stored or deleted.
    const leftOut = task.signal.aborted ? 0 : ids.length - enqueued.length;
    for (let at = 0; at < leftOut; at += 1) task.count(at < gone ? 'missing' : 'ignored');
    open = new Set(enqueued);
    for (const id of enqueued) {
      const record = heard.get(id);
      if (record) hear(record);
    }
    if (task.signal.aborted) onAbort();
    else if (isHeld && open.size > 0) await hold(origin, enqueued);
    if (open.size > 0) await counted;
    task.signal.throwIfAborted();
  } finally {
    task.signal.removeEventListener('abort', onAbort);
    stop();
  }
}
