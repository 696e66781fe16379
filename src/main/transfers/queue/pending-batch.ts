import type { RequestKind } from '../../../shared/domain/service.ts';
import { batchFrom, type BatchAction } from '../../../shared/domain/transfer-summary.ts';
import type { NewBatch, NewTransfer, TransferStore } from '../model/store-types.ts';

/**
 * One action of a person that takes several enqueue calls, which all pass the same object. From `batchFrom` transfers
 * on it is a batch.
 */
export interface PendingBatch {
  /** Expected number of transfers, without those left out so far. */
  count: number;
  /** The person has cancelled the whole action: enqueue no more. */
  isStopped?: boolean;
}

/** Settings that a person chose for a whole batch. */
export type Wanted = Partial<Pick<NewTransfer, 'isPaused' | 'priority'>>;

/**
 * Assigns a batch to each action. undefined: too few transfers, or deferred requests, each with a window of its own.
 */
export function createBatches(store: Pick<TransferStore, 'newBatch'>) {
  const ids = new WeakMap<PendingBatch, Promise<number>>();
  const started = new Map<number, { pendingBatch: PendingBatch; wanted: Wanted }>();

  async function batchOf(
    action: BatchAction,
    pendingBatch: PendingBatch,
    route: RequestKind = 'direct',
  ): Promise<NewBatch | undefined> {
    const known = ids.get(pendingBatch);
    if (known === undefined && (pendingBatch.count < batchFrom || route === 'deferred')) return undefined;
    const asked = known ?? store.newBatch();
    ids.set(pendingBatch, asked);
    const id = await asked;
    if (!started.has(id)) started.set(id, { pendingBatch, wanted: {} });
    return { id, action };
  }

  function stop(batch: number): void {
    const found = started.get(batch);
    if (found) found.pendingBatch.isStopped = true;
  }

  /** Applies to transfers that are not enqueued yet. */
  function want(batch: number, wanted: Wanted): void {
    const found = started.get(batch);
    if (found) found.wanted = { ...found.wanted, ...wanted };
  }

  function asWanted(batch: NewBatch, transfers: readonly NewTransfer[]): NewTransfer[] {
    return transfers.map((transfer) => ({ ...transfer, ...started.get(batch.id)?.wanted }));
  }

  return { batchOf, stop, want, asWanted };
}
