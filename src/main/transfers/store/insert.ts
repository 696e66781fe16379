import { isClaimed } from '../../../shared/domain/claims.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';
import { separatorDefault } from '../../../shared/domain/service.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { NewObject } from '../../objects/catalogue.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import { rememberWatched } from '../../database/watched-files.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import type { TransferRecord, Work } from '../model/record.ts';
import type { NewTransfer, TransferStore } from '../model/store-types.ts';
import type { FreeRow } from './free-row.ts';
import type { Sweeps } from './sweeps.ts';
import type { TransferTable } from './transfer-table.ts';

/** States of a secret's row in which another may be stored under its identifier. */
const isNoSecret = new Set<ObjectState>(['failed', 'missing', 'gone', 'unknown']);

export type Insert = ReturnType<typeof createInsert>;

/** Inserts records, with their rows of the list. */
export function createInsert(table: TransferTable, sweeps: Sweeps, writer: ObjectWriter, freeRow: FreeRow) {
  function enter(
    service: number,
    given: Omit<NewTransfer, 'newRow'> & { id: number; serviceId: string; batch?: number },
  ): { id: number; objectId: number | null } {
    const record: TransferRecord = {
      ...given,
      orderKey: table.nextOrderKey(),
      state: { name: 'waiting' },
      tries: 0,
      trouble: null,
      nextAtMs: null,
      activityToken: null,
      finishedAtMs: null,
    };
    const sweep = sweeps.stamp(service);
    table.insert({ record, service, isClaimed: false, sweep, rowBefore: null });
    return { id: given.id, objectId: record.objectId };
  }

  /** Checks the document, as a service with an empty list may have no row yet. @throws AppFailure notFound: it was removed */
  function serviceOf(serviceId: string): number {
    const sql = `SELECT 1 FROM document WHERE collection = 'services' AND key = ?`;
    if (table.rows(sql, serviceId).length === 0) {
      throw new AppFailure({ code: 'notFound', what: 'service' });
    }
    return writer.rows.ensureService(serviceId);
  }

  function rowForNew(
    id: number,
    service: number,
    { kind, identifier, work, objectId, newRow, storesUnseen = false }: NewTransfer,
  ): { objectId: number | null; work: Work } {
    if (work.kind !== 'upload' && work.kind !== 'storeSecret') return { objectId, work };
    const patch: ObjectPatch = { ...newRow, state: 'uploading' };
    const object: NewObject = { kind, identifier, patch };
    freeRow(service, object);
    const found = writer.add(service, object, id);
    if (found === null) throw new Error('A row could neither be found nor added');
    const { record: row, added: addedRow } = found;
    if (!addedRow && work.kind === 'storeSecret') {
      // The service, which never overwrites, decides about one that is only said to be there.
      const isUnseen = row.state === 'stored' && isClaimed(row, 'presence');
      if (!isNoSecret.has(row.state) && !(isUnseen && storesUnseen)) throw exists(isUnseen);
      // The columns of the present value stay until the new one is stored.
      const { renewBy } = patch;
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
        const ids = transfers.map(() => table.newId());
        if (batch) {
          const identifiers = transfers.map(({ identifier }) => identifier);
          const separator = writer.rows.service(serviceId)?.separator ?? separatorDefault;
          table.batches.grow(service, batch, {
            ids,
            identifiers,
            separator,
            atMs: transfers[0]?.createdAtMs ?? 0,
          });
        }
        return transfers.map((given, index) => {
          const id = ids[index] ?? 0;
          const {
            newRow: _,
            storesUnseen: _asked,
            watched,
            ...rest
          } = { ...given, ...(batch && { batch: batch.id }) };
          if (watched) rememberWatched(table.rows, watched.folderId, { ...watched, transferId: id });
          return enter(service, { ...rest, ...rowForNew(id, service, given), id, serviceId });
        });
      });
    },
  } satisfies Partial<TransferStore>;
  return { calls, enter };
}

function exists(isUnseen: boolean): AppFailure {
  return new AppFailure({ code: 'exists', status: 409, message: '', ...(isUnseen && { isUnseen }) });
}
