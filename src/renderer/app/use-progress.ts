import { useStore } from 'zustand';
import type { Transfer } from '../../shared/domain/transfer.ts';
import type { Moved, Overall } from './progress.ts';
import { useStores } from './stores.ts';

/** `row` with its latest progress. */
export function useWithProgress(row: Transfer): Transfer {
  const moved = useStore(useStores().progress.store, ({ byId }) => byId.get(row.id));
  if (moved === undefined) return row;
  const { doneBytes, totalBytes, bytesPerSecond, leftMs } = moved;
  return { ...row, doneBytes, totalBytes, bytesPerSecond, leftMs };
}

/** The running transfer of an object. */
export function useObjectProgress(objectId: number | undefined): Moved | undefined {
  return useStore(useStores().progress.store, ({ byObjectId }) =>
    objectId === undefined ? undefined : byObjectId.get(objectId),
  );
}

/** The progress of a transfer; undefined: it is not running. */
export function useTransferProgress(id: number | null): Moved | undefined {
  return useStore(useStores().progress.store, ({ byId }) => (id === null ? undefined : byId.get(id)));
}

export function useOverallProgress(): Overall | null {
  return useStore(useStores().progress.store, ({ overall }) => overall);
}
