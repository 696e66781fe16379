import type { Engine } from '../transfers/engine.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import { closing, type RunningTask } from './task-list.ts';

/**
 * Deletes objects, and counts each when it is gone, has failed, or was requested and is still there: some services
 * need time. The engine does the work: it sends each DELETE once, and verifies open ones after a restart. Cancelling
 * withdraws deletions that have not begun; the others are counted before the task ends.
 * @throws the signal's reason
 */
export async function deleteObjects(
  engine: Pick<Engine, 'enqueue' | 'actions' | 'onDeletion'>,
  serviceId: string,
  ids: Float64Array,
  task: RunningTask,
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
    const isAskedFor = state.name === 'deleting' && state.looks > 0;
    if (state.name === 'done') task.count('missing');
    else if (state.name === 'failed') task.count('failed', state.error, record.identifier);
    else if (state.name === 'cancelled') task.count('ignored');
    else if (isAskedFor) task.count('present');
    else return;
    open.delete(id);
    if (open.size === 0) resolve();
  }

  const stop = engine.onDeletion((record) => {
    if (open === null || open.has(record.id)) hear(record);
  });
  async function takeBack(): Promise<void> {
    if (open === null) return;
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
    const enqueued = await engine.enqueue.deletions(serviceId, ids, task.signal);
    const isWhole = !task.signal.aborted;
    for (let left = isWhole ? ids.length - enqueued.length : 0; left > 0; left -= 1) task.count('ignored');
    open = new Set(enqueued);
    for (const id of enqueued) {
      const record = heard.get(id);
      if (record) hear(record);
    }
    if (task.signal.aborted) onAbort();
    if (open.size > 0) await counted;
    task.signal.throwIfAborted();
  } finally {
    task.signal.removeEventListener('abort', onAbort);
    stop();
  }
}
