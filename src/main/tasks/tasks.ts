import type { Handlers } from '../../shared/contract.ts';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import type { Task } from '../../shared/domain/task.ts';
import { AppFailure, toAppError } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock, Log, Publisher } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Pacer } from '../transfers/pacing.ts';
import { addKnown } from './add-known.ts';
import { createChangeWriter } from './change-writer.ts';
import { createDeletion } from './delete-objects.ts';
import { changeAfterLook, look } from './look.ts';
import { workInParallel } from './parallel.ts';
import { createPersist } from './persistence.ts';
import { createTaskList, type RunningTask } from './task-list.ts';

export interface Tasks {
  readonly handlers: Pick<
    Handlers,
    'objects.check' | 'objects.delete' | 'objects.addKnown' | 'objects.forget' | 'tasks.list' | 'tasks.cancel'
  >;
  /** Goes on with the deletions that were left open when the app ended. */
  recover(profileId: string): Promise<void>;
  /** The profile goes: what works for it ends. */
  cancelProfile(profileId: string): Promise<void>;
  /** Ends everything; what was found out is written. */
  close(): Promise<void>;
}

const atOnce = 4;
const batchSize = 200;

/** Work over many objects that moves no file. */
export function createTasks(deps: {
  catalogue: Catalogue;
  connections: Connections;
  pacer: Pacer;
  clock: Clock;
  log: Log;
  publisher: Publisher;
}): Tasks {
  const { catalogue, connections, pacer, clock, log } = deps;
  const closing = new AbortController();
  const list = createTaskList(deps);
  const writer = createChangeWriter(catalogue, log);
  const persist = createPersist({ connections, pacer, clock, onHeldBack: () => list.changed() });
  const deleteObject = createDeletion({ catalogue, persist, writer, clock, log, closing: closing.signal });

  /** The rows of a selection as they are when their turn comes; those that left the list are counted as through. */
  async function* recordsOf(ids: Float64Array, task: RunningTask): AsyncGenerator<ObjectRecord> {
    for (let index = 0; index < ids.length; index += batchSize) {
      const batch = [...ids.subarray(index, index + batchSize)];
      const records = await catalogue.getMany(batch);
      for (let left = batch.length - records.length; left > 0; left -= 1) task.count('ignored');
      yield* records;
    }
  }

  async function startOver(
    kind: 'check' | 'delete',
    selection: Selection,
    work: (record: ObjectRecord, task: RunningTask) => Promise<void>,
  ): Promise<Task> {
    const ids = await catalogue.idsOf(selection);
    return startOverIds(kind, await profileOf(selection, ids), ids, work);
  }

  function startOverIds(
    kind: 'check' | 'delete',
    profileId: string,
    ids: Float64Array,
    work: (record: ObjectRecord, task: RunningTask) => Promise<void>,
  ): Task {
    return list.start({ kind, profileId, total: ids.length }, async (task) => {
      try {
        await workInParallel(recordsOf(ids, task), atOnce, async (record) => {
          task.signal.throwIfAborted();
          await work(record, task);
        });
      } finally {
        await writer.flush();
      }
    });
  }

  async function profileOf(selection: Selection, ids: Float64Array): Promise<string> {
    if (selection.kind === 'query') return selection.query.profileId;
    const [first] = await catalogue.getMany([...ids.subarray(0, 1)]);
    if (!first) throw new AppFailure({ code: 'notFound', what: 'object' });
    return first.profileId;
  }

  async function checkObject(record: ObjectRecord, task: RunningTask): Promise<void> {
    // Section 4.3 shows no HEAD for secrets.
    if (record.kind === 'secret') return task.count('ignored');
    try {
      const seen = await look(persist, record, task.signal);
      const change = changeAfterLook(record, seen, clock.nowMs());
      if (change) writer.add(record.state, change);
      task.count(seen.present ? 'present' : 'missing');
    } catch (cause) {
      const error = toAppError(cause);
      if (!error || task.signal.aborted) throw cause;
      task.count('failed', error);
    }
  }

  return {
    async recover(profileId) {
      const ids = await catalogue.idsInStates(profileId, ['deleting']);
      if (ids.length > 0) startOverIds('delete', profileId, Float64Array.from(ids), deleteObject);
    },
    cancelProfile: (profileId) => list.cancelAll(profileId),
    async close() {
      closing.abort();
      await list.cancelAll();
      await writer.flush();
    },
    handlers: {
      ...list.handlers,
      'objects.check': ({ selection }) => startOver('check', selection, checkObject),
      'objects.delete': ({ selection }) =>
        startOver('delete', selection, (record, task) =>
          record.state === 'deleting' ? ignore(task) : deleteObject(record, task),
        ),
      'objects.addKnown': async ({ profileId, kind, identifiers }) => {
        await connections.factsOf(profileId);
        const wanted = { profileId, kind, identifiers };
        return list.start({ kind: 'addKnown', profileId, total: identifiers.length }, async (task) => {
          try {
            await addKnown({ catalogue, persist, writer, clock }, wanted, task);
          } finally {
            await writer.flush();
          }
        });
      },
      'objects.forget': async ({ selection }) => {
        const ids = await catalogue.idsOf(selection);
        let forgotten = 0;
        for (let index = 0; index < ids.length; index += batchSize) {
          const records = await catalogue.getMany([...ids.subarray(index, index + batchSize)]);
          // Whether a secret that was only named exists, nobody can be asked.
          const over = records.filter(
            ({ kind, state }) =>
              state === 'gone' ||
              state === 'missing' ||
              state === 'failed' ||
              (kind === 'secret' && state === 'unknown'),
          );
          if (over.length > 0) await catalogue.remove(over.map(({ id }) => id));
          forgotten += over.length;
        }
        return { forgotten };
      },
    },
  };
}

/** It is being deleted already. */
async function ignore(task: RunningTask): Promise<void> {
  task.count('ignored');
}
