import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import type { Task } from '../../shared/domain/task.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Clock, Log, Publisher } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Host } from '../host.ts';
import type { Engine } from '../transfers/engine.ts';
import { addKnown } from './add-known.ts';
import { createChangeWriter } from './change-writer.ts';
import { createDeletions } from './deletions.ts';
import { afterParts, changeAfterHead, checkPresence, findMissingParts } from './check-objects.ts';
import { mapConcurrent } from '../lib/async.ts';
import { mostRequests } from '../transfers/queue/limits/adaptive-limit.ts';
import { createRetryingRequest } from '../transfers/queue/retrying-request.ts';
import { createTaskList, type RunningTask } from './task-list.ts';

export interface BulkOperations {
  readonly handlers: Pick<
    Handlers,
    | 'objects.check'
    | 'objects.delete'
    | 'objects.keep'
    | 'objects.unsentDeletions'
    | 'objects.answerUnsent'
    | 'objects.addKnown'
    | 'objects.forget'
    | 'objects.putBack'
    | 'tasks.list'
    | 'tasks.cancel'
  >;
  /** Kinds of the running operations, without those that wait for a token. */
  readonly goingOn: () => Task['kind'][];
  /** Cancels all operations on the person's request. */
  cancelAll(): Promise<void>;
  /** Cancels the operations of a service that is being removed. */
  cancelService(serviceId: string): Promise<void>;
  /** Ends all operations; results so far are written. */
  close(): Promise<void>;
}

const batchSize = 200;
/** Rows removed from the list in one transaction. */
const forgottenAtOnce = 2000;

/** Operations on many objects that transfer no file. */
export function createBulkOperations(deps: {
  catalogue: Omit<Catalogue, 'onChanged'>;
  connections: Connections;
  engine: Engine;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  /** Called when an operation has begun or ended. */
  onChanged: () => void;
}): BulkOperations {
  const { catalogue, connections, engine, clock, log, publisher, onChanged } = deps;
  const list = createTaskList({ breakers: engine.breakers, log, publisher, onChanged });
  const writer = createChangeWriter(catalogue, log);
  const request = createRetryingRequest({ connections, breakers: engine.breakers, clock, priority: 'bulk' });

  /** The rows of a selection, each read when its turn comes; removed rows count as finished. */
  async function* recordsOf(ids: Float64Array, task: RunningTask): AsyncGenerator<ObjectRecord> {
    for (let index = 0; index < ids.length; index += batchSize) {
      const batch = [...ids.subarray(index, index + batchSize)];
      const records = await catalogue.getMany(batch);
      for (let left = batch.length - records.length; left > 0; left -= 1) task.count('ignored');
      yield* records;
    }
  }

  async function startCheck(selection: Selection): Promise<Task> {
    const ids = await catalogue.idsOf(selection);
    const serviceId = await serviceOf(selection, ids);
    return list.start({ kind: 'check', serviceId, total: ids.length }, async (task) => {
      try {
        await mapConcurrent(recordsOf(ids, task), mostRequests, async (record) => {
          task.signal.throwIfAborted();
          await checkObject(record, task);
        });
      } finally {
        await writer.flush();
      }
    });
  }

  async function serviceOf(selection: Selection, ids: Float64Array): Promise<string> {
    if (selection.kind === 'query') return selection.query.serviceId;
    const [first] = await catalogue.getMany([...ids.subarray(0, 1)]);
    if (!first) throw new AppFailure({ code: 'notFound', what: 'object' });
    return first.serviceId;
  }

  async function checkObject(record: ObjectRecord, task: RunningTask): Promise<void> {
    // Section 4.3 shows no HEAD for secrets.
    if (record.kind === 'secret') return task.count('ignored');
    try {
      const seen = await checkPresence(request, record, task.signal);
      const missingParts = await findMissingParts({ catalogue, request }, record, seen, task.signal);
      const ofFile = changeAfterHead(record, seen, connections.momentOf(record.serviceId, clock.nowMs()));
      const change = missingParts && ofFile ? afterParts(ofFile, missingParts) : ofFile;
      if (change) writer.add({ ...change, ifState: record.state });
      task.count(seen.present && !missingParts?.length ? 'present' : 'missing');
    } catch (cause) {
      const error = toAppError(cause);
      if (!error || task.signal.aborted) throw cause;
      task.count('failed', error, record.identifier);
    }
  }

  return {
    goingOn: () => list.goingOn(),
    cancelAll: () => list.cancelAll(),
    cancelService: (serviceId) => list.cancelAll(serviceId),
    async close() {
      await list.close();
      await writer.flush();
    },
    handlers: {
      ...list.handlers,
      ...createDeletions({ ...deps, list, serviceOf }),
      'objects.check': ({ selection }) => startCheck(selection),
      'objects.addKnown': async (wanted) => {
        const { serviceId, identifiers } = wanted;
        await connections.factsOf(serviceId);
        return list.start({ kind: 'addKnown', serviceId, total: identifiers.length }, async (task) => {
          try {
            await addKnown({ catalogue, connections, request, writer, clock }, wanted, task);
          } finally {
            await writer.flush();
          }
        });
      },
      'objects.forget': async ({ selection, unstoredOnly = false }) => {
        const ids = await catalogue.idsOf(selection);
        const removal = randomUUID();
        let forgotten = 0;
        let isKept = true;
        for (let index = 0; index < ids.length; index += forgottenAtOnce) {
          const records = await catalogue.getMany([...ids.subarray(index, index + forgottenAtOnce)]);
          // Nothing can show whether a secret exists that a person only named.
          const over = records.filter(
            ({ kind, state }) =>
              state === 'failed' ||
              (!unstoredOnly &&
                (state === 'gone' || state === 'missing' || (kind === 'secret' && state === 'unknown'))),
          );
          if (over.length === 0) continue;
          const ofThese = over.map(({ id }) => id);
          isKept = (await catalogue.remove(ofThese, removal)) && isKept;
          forgotten += over.length;
        }
        return { forgotten, removal: isKept && forgotten > 0 ? removal : null };
      },
      'objects.putBack': async ({ removal }) => ({ count: await catalogue.putBack(removal) }),
    },
  };
}

export function bulkOperations(host: Host): BulkOperations {
  const own = createBulkOperations({ ...host, onChanged: host.work.changed });
  host.work.add(own.goingOn);
  host.onClose(() => own.close());
  host.onServiceRemoved((serviceId) => own.cancelService(serviceId));
  return own;
}
