import { isUnverified } from '../../../shared/domain/unverified.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';
import { separatorDefault } from '../../../shared/domain/service.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import { rememberWatched } from '../../database/watched-files.ts';
import type { AddedRow, ObjectWriter } from '../../objects/object-writer.ts';
import type { TransferRecord } from '../model/record.ts';
import type { Work } from '../model/work.ts';
import type { NewTransfer, TransferStore } from '../model/store-types.ts';
import type { FreeRow } from './take-row.ts';
import type { BulkChanges } from './bulk-changes.ts';
import type { TransferTable } from './transfer-table.ts';

/** States of a secret's row in which another may be stored under its identifier. */
const isNoSecret = new Set<ObjectState>(['failed', 'missing', 'gone', 'unknown']);

type Entered = Omit<NewTransfer, 'newRow'> & { id: number; serviceId: string; batch?: number };
type New = { readonly id: number; readonly transfer: NewTransfer };

export type Insert = ReturnType<typeof createInsert>;

/** Inserts records, with their rows of the list. */
export function createInsert(
  table: TransferTable,
  bulkChanges: BulkChanges,
  writer: ObjectWriter,
  freeRow: FreeRow,
) {
  function enter(service: number, given: readonly Entered[]): { id: number; objectId: number | null }[] {
    const bulkChange = bulkChanges.stamp(service);
    const stored = given.map((each) => {
      const record: TransferRecord = {
        ...each,
        orderKey: table.nextOrderKey(),
        state: { name: 'waiting' },
        tries: 0,
        trouble: null,
        nextAtMs: null,
        activityToken: null,
        finishedAtMs: null,
      };
      return { record, service, isClaimed: false, bulkChange, rowBefore: null };
    });
    table.insert(stored);
    return stored.map(({ record: { id, objectId } }) => ({ id, objectId }));
  }

  /** Checks the document, as a service with an empty list may have no row yet. @throws AppFailure notFound: it was removed */
  function serviceOf(serviceId: string): number {
    const sql = `SELECT 1 FROM document WHERE collection = 'services' AND key = ?`;
    if (table.rows(sql, serviceId).length === 0) {
      throw new AppFailure({ code: 'notFound', what: 'service' });
    }
    return writer.rows.ensureService(serviceId);
  }

  /** The rows of uploads, by the ids of their records. */
  function addRows(service: number, given: readonly New[]): Map<number, AddedRow | null> {
    const objects = given.flatMap(({ id, transfer: { kind, identifier, work, newRow } }) => {
      if (!storesObject(work)) return [];
      const patch: ObjectPatch = { ...newRow, state: 'uploading' };
      return { object: { kind, identifier, patch }, writer: id };
    });
    for (const { object } of objects) freeRow(service, object);
    const rows = writer.addFor(service, objects);
    return new Map(objects.map(({ writer: id }, index) => [id, rows[index] ?? null]));
  }

  /** The row-related fields of a new record. @throws AppFailure exists (a secret) */
  function rowOf(
    { id, transfer: { work, objectId, newRow, storesUnseen = false } }: New,
    found: AddedRow | null | undefined,
  ): { objectId: number | null; work: Work } {
    if (!storesObject(work)) return { objectId, work };
    if (!found) throw new Error('A row could neither be found nor added');
    const { record: row, added: addedRow } = found;
    if (!addedRow && work.kind === 'storeSecret') {
      // An unverified secret does not count as taken: the service, which never overwrites, decides.
      const isUnseen = row.state === 'stored' && isUnverified(row, 'presence');
      if (!isNoSecret.has(row.state) && !(isUnseen && storesUnseen)) throw exists(isUnseen);
      // Columns describing the present value stay until the new one is stored.
      const renewBy = newRow?.renewBy;
      writer.save(row, { state: 'uploading', ...(renewBy !== undefined && { renewBy }) });
      writer.rows.setWriter(row.id, id);
    }
    return { objectId: row.id, work: { ...work, addedRow } };
  }

  const calls = {
    async newBatch() {
      return table.batches.newId();
    },

    /** @throws AppFailure notFound (service), exists (a secret) */
    async enqueue(serviceId, transfers, batch) {
      return table.transaction(() => {
        const service = serviceOf(serviceId);
        const given = transfers.map((transfer) => ({ id: table.newId(), transfer }));
        if (batch) {
          const separator = writer.rows.service(serviceId)?.separator ?? separatorDefault;
          table.batches.grow(service, batch, {
            ids: given.map(({ id }) => id),
            identifiers: transfers.map(({ identifier }) => identifier),
            separator,
            atMs: transfers[0]?.createdAtMs ?? 0,
          });
        }
        const rows = addRows(service, given);
        const entered = given.map((each): Entered => {
          const { id } = each;
          const { newRow: _, storesUnseen: _asked, watched, ...rest } = each.transfer;
          if (watched) rememberWatched(table.rows, watched.folderId, { ...watched, transferId: id });
          return {
            ...rest,
            ...(batch && { batch: batch.id }),
            ...rowOf(each, rows.get(id)),
            id,
            serviceId,
          };
        });
        return enter(service, entered);
      });
    },
  } satisfies Partial<TransferStore>;
  return { calls, enter };
}

function storesObject(work: Work): work is Extract<Work, { kind: 'upload' | 'storeSecret' }> {
  return work.kind === 'upload' || work.kind === 'storeSecret';
}

function exists(isUnseen: boolean): AppFailure {
  return new AppFailure({ code: 'exists', status: 409, message: '', ...(isUnseen && { isUnseen }) });
}
