import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { NewObject } from '../../objects/catalogue.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { TransferRecord } from '../model/record.ts';
import type { Work } from '../model/work.ts';
import type { Sweeps } from './sweeps.ts';
import type { TransferTable } from './transfer-table.ts';

export type FreeRow = ReturnType<typeof createFreeRow>;

/** Frees the row of an identifier whose writer was cancelled by a sweep that is not applied yet; within a transaction. */
export function createFreeRow(table: TransferTable, sweeps: Sweeps, rows: ObjectStore) {
  return (service: number, { kind, identifier }: Pick<NewObject, 'kind' | 'identifier'>): void => {
    if (!sweeps.arePending) return;
    const found = rows.find(service, kind, identifier);
    const holder = found && (rows.row(found.id)?.writer ?? null);
    const stored = holder === null ? null : table.get(holder);
    if (stored !== null) sweeps.settle(stored);
  };
}

/** Row values of an upload in progress. */
export function rowOf(
  { totalBytes }: TransferRecord,
  work: Extract<Work, { kind: 'upload' | 'storeSecret' }>,
): ObjectPatch {
  const sourceName = work.kind === 'upload' ? work.fileName : work.sourceName;
  return { state: 'uploading', lengthBytes: totalBytes, classification: work.classification, sourceName };
}
