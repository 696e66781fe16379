import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TransferProgress } from '../../shared/domain/transfer-summary.ts';
import type { Client } from './client.ts';

export type ObjectProgress = TransferProgress['entries'][number];
export type BatchProgress = NonNullable<TransferProgress['batches']>[number];
export type Overall = Pick<TransferProgress, 'bytesPerSecond' | 'leftMs' | 'fraction'>;

type ProgressState = {
  byId: ReadonlyMap<number, ObjectProgress>;
  byObjectId: ReadonlyMap<number, ObjectProgress>;
  byBatch: ReadonlyMap<number, BatchProgress>;
  /** null while nothing moves: the summary has the totals. */
  overall: Overall | null;
};

const still: ProgressState = {
  byId: new Map(),
  byObjectId: new Map(),
  byBatch: new Map(),
  overall: null,
};

/** The progress of everything that moves. Rows read theirs by id, so that progress never reloads a list. */
export type Progress = {
  store: StoreApi<ProgressState>;
  /** @returns stops */
  start: () => () => void;
};

export function createProgress(client: Client): Progress {
  const store = createStore<ProgressState>(() => still);
  const start = () =>
    client.on('transfers.progress', ({ entries, batches = [], ...overall }) => {
      if (entries.length === 0) {
        store.setState(still);
        return;
      }
      store.setState({
        byId: new Map(entries.map((entry) => [entry.id, entry])),
        byObjectId: new Map(
          entries.flatMap((entry) => (entry.objectId === null ? [] : [[entry.objectId, entry]])),
        ),
        byBatch: new Map(batches.map((batch) => [batch.id, batch])),
        overall,
      });
    });
  return { store, start };
}
