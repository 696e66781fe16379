import { useState } from 'react';
import { useStore } from 'zustand';
import type { Batch, TransferSummary } from '../../shared/domain/transfer-summary.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import type { ObjectProgress, Overall } from './progress.ts';
import { useStores } from './stores.ts';

/** `row` with its latest progress. */
export function useWithProgress(row: Transfer): Transfer {
  const progress = useNewest(
    row,
    useStore(useStores().progress.store, ({ byId }) => byId.get(row.id)),
  );
  if (progress === undefined) return row;
  const { doneBytes, totalBytes, bytesPerSecond, leftMs } = progress;
  return { ...row, doneBytes, totalBytes, bytesPerSecond, leftMs };
}

/** `batch` with its latest progress. Bytes of finished transfers were counted when it was loaded. */
export function useBatchProgress(batch: Batch): Batch {
  const progress = useNewest(
    batch,
    useStore(useStores().progress.store, ({ byBatch }) => byBatch.get(batch.id)),
  );
  if (progress === undefined) return batch;
  const doneBytes = Math.min(
    Math.max(batch.doneBytes, batch.finishedBytes + progress.transferredBytes),
    batch.totalBytes,
  );
  return { ...batch, doneBytes, bytesPerSecond: progress.bytesPerSecond };
}

/** The running transfer of an object in a list. */
export function useObjectProgress(row: { readonly id: number } | undefined): ObjectProgress | undefined {
  return useNewest(row, useMovingObject(row?.id ?? null));
}

/** The progress of an object's transfer; undefined: none is running. */
export function useMovingObject(id: number | null): ObjectProgress | undefined {
  return useStore(useStores().progress.store, ({ byObjectId }) =>
    id === null ? undefined : byObjectId.get(id),
  );
}

/** The progress of a transfer; undefined: it is not running. */
export function useTransferProgress(id: number | null): ObjectProgress | undefined {
  return useStore(useStores().progress.store, ({ byId }) => (id === null ? undefined : byId.get(id)));
}

/** `summary` with the latest progress of everything. */
export function useOverallProgress(summary: TransferSummary): Overall {
  const overall = useStore(useStores().progress.store, (state) => state.overall ?? undefined);
  return useNewest(summary, overall) ?? summary;
}

/**
 * The progress of a loaded value. When it ends, the last progress stays until the value is loaded again: returning to
 * the older loaded value would make a bar go back.
 */
function useNewest<T>(loaded: object | undefined, progress: T | undefined): T | undefined {
  const [last, setLast] = useState({ loaded, moved: progress });
  const newest = progress ?? (last.loaded === loaded ? last.moved : undefined);
  if (last.loaded !== loaded || last.moved !== newest) setLast({ loaded, moved: newest });
  return newest;
}
