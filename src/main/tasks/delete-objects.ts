import type { ObjectRecord, ObjectState } from '../../shared/domain/object.ts';
import { toAppError } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Log } from '../ports.ts';
import type { ChangeWriter } from './change-writer.ts';
import { changeAfterLook, look } from './look.ts';
import { createLimiter } from './parallel.ts';
import type { Persist } from './persistence.ts';
import type { RunningTask } from './task-list.ts';

/** Deletion is only initiated (section 4.1): how long after DELETE HEAD is asked again, in seconds; ten minutes in all. */
const looksAfterSeconds = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60];

/** Deletes one object and counts it. @throws the signal's reason */
export type DeleteObject = (record: ObjectRecord, task: RunningTask) => Promise<void>;

export function createDeletion(deps: {
  catalogue: Pick<Catalogue, 'update'>;
  persist: Persist;
  writer: ChangeWriter;
  clock: Clock;
  log: Log;
  /** The app ends: rows stay `deleting`, and are taken up again at the next start. */
  closing: AbortSignal;
}): DeleteObject {
  const { catalogue, persist, writer, clock, log, closing } = deps;
  const inTurn = createLimiter(4);

  async function deleteObject(record: ObjectRecord, task: RunningTask): Promise<void> {
    if (record.kind !== 'data' || record.state === 'uploading') return task.count('failed');
    if (record.state === 'gone') return task.count('missing');
    // A row that is `deleting` already was left over by an earlier run.
    const before = record.state === 'deleting' ? 'unknown' : record.state;
    const deleting: ObjectRecord = { ...record, state: 'deleting' };
    await catalogue.update([
      { id: record.id, patch: { state: 'deleting' }, history: { action: 'deleteStarted' } },
    ]);
    let isSent = false;
    let isInitiated = false;
    try {
      await sendDelete(record, task.signal, () => (isSent = true));
      isInitiated = true;
      const isGone = await lookOnce(deleting, task.signal);
      task.count(isGone ? 'missing' : 'present');
      if (!isGone) void confirmGone(deleting, before);
    } catch (cause) {
      // At the next start it goes on.
      if (closing.aborted) throw cause;
      const error = toAppError(cause);
      // Only a plain no leaves the object as it was; after anything else that was sent it may be gone.
      const isRefused = !isInitiated && (error?.code === 'forbidden' || error?.code === 'badRequest');
      putBack(record, isSent && !isRefused ? 'unknown' : before, error?.code ?? 'cancelled');
      if (!error || task.signal.aborted) throw cause;
      task.count('failed', error);
    }
  }

  /** Section 4.1, Delete Data. 404: somebody else was first. */
  async function sendDelete(record: ObjectRecord, signal: AbortSignal, onSend: () => void): Promise<void> {
    try {
      const { activityToken } = await persist(record.profileId, signal, (client) => {
        onSend();
        return client.deleteData(record.identifier, { signal });
      });
      writer.add('deleting', { id: record.id, patch: { activityToken } });
    } catch (cause) {
      if (toAppError(cause)?.code !== 'missing') throw cause;
    }
  }

  async function lookOnce(deleting: ObjectRecord, signal: AbortSignal): Promise<boolean> {
    const seen = await look(persist, deleting, signal);
    const change = changeAfterLook(deleting, seen, clock.nowMs());
    if (change) writer.add('deleting', change);
    return !seen.present;
  }

  /** Looks until the object is gone, in the background. */
  async function confirmGone(deleting: ObjectRecord, before: ObjectState): Promise<void> {
    try {
      for (const seconds of looksAfterSeconds) {
        await clock.delay(seconds * 1000, closing);
        if (await inTurn(() => lookOnce(deleting, closing))) return;
      }
      putBack(deleting, before, 'still there after ten minutes');
    } catch (cause) {
      if (closing.aborted) return;
      const error = toAppError(cause);
      if (!error) log.error('looking whether an object is gone failed', { cause });
      putBack(deleting, 'unknown', error?.code ?? 'unexpected');
    }
  }

  function putBack({ id }: ObjectRecord, state: ObjectState, detail: string): void {
    writer.add('deleting', { id, patch: { state }, history: { action: 'deleteFailed', detail } });
  }

  return deleteObject;
}
