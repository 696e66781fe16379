import type { Handlers } from '../../shared/contract.ts';
import type { Selection } from '../../shared/domain/object.ts';
import type { Task } from '../../shared/domain/task.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Clock } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import { batchesOf } from '../transfers/model/batches.ts';
import { deleteObjects } from './delete-objects.ts';
import type { TaskList } from './task-list.ts';

/** Deletes objects, and answers for deletions that Coffer's end has kept from being sent. */
export function createDeletions({
  list,
  serviceOf,
  ...deps
}: {
  readonly engine: Pick<
    Engine,
    'enqueue' | 'actions' | 'onDeletion' | 'overlay' | 'recordsOf' | 'unsentDeletionsOf'
  >;
  readonly catalogue: Pick<Catalogue, 'getMany' | 'idsOf'>;
  readonly connections: Pick<Connections, 'originOf'>;
  readonly clock: Pick<Clock, 'delay'>;
  readonly list: Pick<TaskList, 'start'>;
  readonly serviceOf: (selection: Selection, ids: Float64Array) => Promise<string>;
}): Pick<Handlers, 'objects.delete' | 'objects.keep' | 'objects.unsentDeletions' | 'objects.answerUnsent'> {
  const { engine, catalogue } = deps;

  function start(serviceId: string, ids: Float64Array, how: { unseen?: true; isHeld?: true }): Task {
    const { isHeld } = how;
    const facts = { kind: 'delete', serviceId, total: ids.length, ...(isHeld && { isHeld }) } as const;
    return list.start(facts, (task) => deleteObjects(deps, serviceId, ids, task, how));
  }

  /** Leaves out objects that are gone, or were stored again since. */
  async function unsent(serviceId: string): Promise<{ ids: number[]; transferIds: number[] }> {
    const records = await engine.unsentDeletionsOf(serviceId);
    const ids: number[] = [];
    for (const batch of batchesOf(records)) {
      const found = await catalogue.getMany(batch.flatMap(({ objectId }) => objectId ?? []));
      const rows = new Map(found.map((row) => [row.id, row]));
      for (const { objectId, finishedAtMs } of batch) {
        const row = rows.get(objectId ?? 0);
        if (row && row.state !== 'gone' && (row.storedAtMs ?? 0) <= (finishedAtMs ?? 0)) ids.push(row.id);
      }
    }
    return { ids, transferIds: records.map(({ id }) => id) };
  }

  return {
    'objects.delete': async ({ selection, ...how }) => {
      const ids = await catalogue.idsOf(selection);
      return start(await serviceOf(selection, ids), ids, how);
    },
    'objects.keep': async ({ id }) => {
      // The one that is held now: what the row shows may have been taken back, and been asked for once more.
      const held = (await engine.overlay([id])).get(id)?.heldDeletion;
      if (held === undefined) return { isKept: false };
      await engine.actions.cancel({ kind: 'ids', ids: [held] });
      const [record] = await engine.recordsOf([held]);
      return { isKept: record?.state.name === 'cancelled' };
    },
    'objects.unsentDeletions': async ({ serviceId }) => ({ count: (await unsent(serviceId)).ids.length }),
    'objects.answerUnsent': async ({ serviceId, answer }) => {
      const { ids, transferIds } = await unsent(serviceId);
      if (answer === 'delete' && ids.length > 0) start(serviceId, Float64Array.from(ids), {});
      await engine.actions.drop({ kind: 'ids', ids: transferIds });
      return undefined;
    },
  };
}
