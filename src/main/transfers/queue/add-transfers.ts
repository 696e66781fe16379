import { setImmediate } from 'node:timers/promises';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { RequestKind } from '../../../shared/domain/service.ts';
import type { BatchAction } from '../../../shared/domain/batch.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { Catalogue } from '../../objects/catalogue.ts';
import type { Clock } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { batchesOf } from '../model/batches.ts';
import type { NewBatch, NewTransfer, TransferStore } from '../model/store-types.ts';
import { isFor } from './origin.ts';
import type { Asked } from './record-factory.ts';
import { createBatches, type Together } from './together.ts';

export type AddTransfers = ReturnType<typeof createAddTransfers>;

/** Writes new records to the database, in slices, so that other calls of the window run in between. */
export function createAddTransfers(deps: {
  store: Pick<TransferStore, 'enqueue' | 'newBatch'>;
  connections: Pick<Connections, 'originOf'>;
  clock: Clock;
  closing: AbortSignal;
  catalogue: Pick<Catalogue, 'getMany'>;
  onAdded: (serviceId: string) => void;
}) {
  const { store, connections, clock, closing, catalogue, onAdded } = deps;
  const { batchOf, stop, want, asWanted } = createBatches(store);

  function askedNow(serviceId: string, origin: string = connections.originOf(serviceId)): Asked {
    return { serviceId, origin, createdAtMs: clock.nowMs() };
  }

  /** @param onIds called before any of them can start */
  async function add(
    serviceId: string,
    transfers: readonly NewTransfer[],
    onIds: (ids: number[]) => void = () => undefined,
    batch?: NewBatch,
  ): Promise<number[]> {
    closing.throwIfAborted();
    if (transfers.length === 0) return [];
    const now = connections.originOf(serviceId);
    if (!transfers.every((transfer) => isFor(transfer, now))) throw new AppFailure({ code: 'cancelled' });
    const given = batch === undefined ? transfers : asWanted(batch, transfers);
    const added = await store.enqueue(serviceId, given, batch);
    onIds(added.map(({ id }) => id));
    onAdded(serviceId);
    // Let other calls of the window run between two slices.
    await setImmediate();
    return added.map(({ id }) => id);
  }

  async function addOne(transfer: NewTransfer): Promise<number> {
    const [id] = await add(transfer.serviceId, [transfer]);
    if (id === undefined) throw new AppFailure({ code: 'notFound', what: 'transfer' });
    return id;
  }

  /** Enqueues a transfer for each wanted object, all in one batch unless `action` is null. */
  async function addForRows(
    serviceId: string,
    objectIds: ArrayLike<number>,
    of: {
      action: BatchAction | null;
      route?: RequestKind;
      together?: Together | undefined;
      isWanted: (row: ObjectRecord) => boolean;
      /** Asked before each slice is enqueued. */
      isStopped?: () => boolean;
      make: (asked: Asked, row: ObjectRecord) => NewTransfer;
    },
  ): Promise<number[]> {
    const { action, route, together = { count: objectIds.length }, isWanted, isStopped, make } = of;
    const origin = connections.originOf(serviceId);
    const ids: number[] = [];
    for (const slice of batchesOf(objectIds)) {
      const rows = (await catalogue.getMany(slice)).filter(isWanted);
      together.count -= slice.length - rows.length;
      const batch = action === null ? undefined : await batchOf(action, together, route);
      if (together.isStopped === true || isStopped?.() === true) break;
      const asked = askedNow(serviceId, origin);
      const transfers = rows.map((row) => make(asked, row));
      ids.push(...(await add(serviceId, transfers, undefined, batch)));
    }
    return ids;
  }

  return { askedNow, add, addOne, addForRows, batchOf, stopBatch: stop, want };
}
