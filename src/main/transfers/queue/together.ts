import type { RequestKind } from '../../../shared/domain/service.ts';
import { batchFrom, type BatchAction } from '../../../shared/domain/batch.ts';
import type { NewBatch, NewTransfer, TransferStore } from '../model/store-types.ts';

/** One action of a person, which several calls enqueue: the same object for each. Its transfers are a batch, unless they are few. */
export interface Together {
  /** How many it starts, as far as is known: less what was left out so far. */
  count: number;
  /** A person has cancelled all of it: what is not enqueued yet is not to be. */
  isStopped?: boolean;
}

/** What a person wants of all transfers of a batch. */
export type Wanted = Partial<Pick<NewTransfer, 'isPaused' | 'priority'>>;

/** Gives each action its batch. undefined: they are few, or deferred requests, each of which is followed by its own window. */
export function createBatches(store: Pick<TransferStore, 'newBatch'>) {
  const ids = new WeakMap<Together, Promise<number>>();
  const started = new Map<number, { together: Together; wanted: Wanted }>();

  async function batchOf(
    action: BatchAction,
    together: Together,
    route: RequestKind = 'direct',
  ): Promise<NewBatch | undefined> {
    const known = ids.get(together);
    if (known === undefined && (together.count < batchFrom || route === 'deferred')) return undefined;
    const asked = known ?? store.newBatch();
    ids.set(together, asked);
    const id = await asked;
    if (!started.has(id)) started.set(id, { together, wanted: {} });
    return { id, action };
  }

  function stop(batch: number): void {
    const found = started.get(batch);
    if (found) found.together.isStopped = true;
  }

  /** Holds for what is not enqueued yet. */
  function want(batch: number, wanted: Wanted): void {
    const found = started.get(batch);
    if (found) found.wanted = { ...found.wanted, ...wanted };
  }

  function asWanted(batch: NewBatch, transfers: readonly NewTransfer[]): NewTransfer[] {
    return transfers.map((transfer) => ({ ...transfer, ...started.get(batch.id)?.wanted }));
  }

  return { batchOf, stop, want, asWanted };
}
