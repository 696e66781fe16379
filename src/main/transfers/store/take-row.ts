import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { NewObject } from '../../objects/catalogue.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { isFinished, type TransferRecord } from '../model/record.ts';
import type { Work } from '../model/work.ts';
import type { RowChange } from '../model/transition.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { BulkChanges } from './bulk-changes.ts';
import type { TransferTable } from './transfer-table.ts';
import { directionCodes } from './codes.ts';
import type { RowChanges } from './row-changes.ts';
import type { StoredTransfer } from './transfer-rows.ts';

export type FreeRow = ReturnType<typeof createFreeRow>;

/** Frees the row of an identifier whose writer was cancelled by a bulk change that is not applied yet; within a transaction. */
export function createFreeRow(table: TransferTable, bulkChanges: BulkChanges, rows: ObjectStore) {
  return (service: number, { kind, identifier }: Pick<NewObject, 'kind' | 'identifier'>): void => {
    if (!bulkChanges.arePending) return;
    const found = rows.find(service, kind, identifier);
    const holder = found && (rows.row(found.id)?.writer ?? null);
    const stored = holder === null ? null : table.get(holder);
    if (stored !== null) bulkChanges.resolve(stored);
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

/** Gives records in work another row of the list. */
export function createTakeRow(
  table: TransferTable,
  writer: ObjectWriter,
  changes: RowChanges,
  freeRow: FreeRow,
) {
  /** Moves the upload to another row. @param former releases the one it had */
  function moveTo(
    before: StoredTransfer,
    identifier: string,
    objectId: number,
    work: Extract<Work, { kind: 'upload' | 'storeSecret' }>,
    former: RowChange,
  ) {
    const { record } = before;
    const { addedRow } = work;
    if (record.objectId !== objectId) changes.apply(former, before);
    table.saveRecord(before, { identifier, objectId, work });
    return { objectId, addedRow };
  }

  return {
    async takeRow(id) {
      return table.transaction(() => {
        const stored = table.get(id);
        if (stored === null || isFinished(stored.record)) return null;
        const { record, service } = stored;
        const { kind, identifier, work } = record;
        const replace = work.kind === 'upload' ? work.replace : undefined;
        freeRow(service, { kind, identifier });
        const found = writer.add(service, { kind, identifier, patch: { state: 'unknown' } }, id);
        const row = found && writer.rows.row(found.record.id);
        if (!row) throw new Error('A row could neither be found nor added');
        if (isBusy(table, stored, row.writer)) return null;
        writer.rows.setWriter(row.record.id, id);
        // The last look is at an object that the list shows already.
        const isOut = replace?.isOut === true && replace.phase !== 'again';
        if (isOut && row.record.state !== 'uploading') writer.save(row.record, { state: 'uploading' });
        const objectId = row.record.id;
        if (objectId !== record.objectId) table.saveRecord(stored, { objectId });
        return { objectId };
      });
    },

    async isBeingStored(id, identifier) {
      const own = table.get(id);
      if (own === null) return false;
      const others = table.find(
        't.service = ? AND t.identifier = ? AND t.direction = ? AND t.finished_at_ms IS NULL AND t.id <> ?',
        own.service,
        identifier,
        directionCodes.code('upload'),
        id,
      );
      return others.some(({ isClaimed, record: { kind, state, work, isPaused } }) => {
        if (kind !== own.record.kind || state.name === 'numbering' || state.name === 'asking') return false;
        // A paused one may stay paused forever.
        return isClaimed || (work.kind === 'upload' && work.mayBeThere && !isPaused);
      });
    },

    /** Gives an upload another identifier with a row of its own; null: the list has it already. */
    async takeIdentifier(id, identifier, former) {
      return table.transaction(() => {
        const before = table.get(id);
        const work = before?.record.work;
        if (!before || work?.kind !== 'upload' || isFinished(before.record)) return null;
        const { record, service } = before;
        const row: NewObject = { kind: record.kind, identifier, patch: rowOf(record, work) };
        freeRow(service, row);
        const added = writer.add(service, row, id);
        if (added?.added !== true) return null;
        return moveTo(before, identifier, added.record.id, { ...work, addedRow: true }, former);
      });
    },

    /**
     * As `takeIdentifier`, but may take an existing row, as the service does not show its object; null: the row has a writer, or it
     * changed since the service was asked.
     */
    async takeVersion(id, identifier, epoch, classification) {
      return table.transaction(() => {
        const before = table.get(id);
        const given = before?.record.work;
        const isStored = given?.kind === 'upload' || given?.kind === 'storeSecret';
        if (!before || !isStored || isFinished(before.record)) return null;
        const { record, service } = before;
        const work = classification === undefined ? given : { ...given, classification };
        const { rows } = writer;
        const object: NewObject = { kind: record.kind, identifier, patch: rowOf(record, work) };
        const listed = rows.find(service, record.kind, identifier);
        const isAsSeen = (listed && rows.row(listed.id)?.epoch) === epoch;
        freeRow(service, object);
        const found = writer.add(service, object, id);
        const row = found && rows.row(found.record.id);
        if (!found || !row) throw new Error('A row could neither be found nor added');
        const objectId = row.record.id;
        // Claimed before, or requested under this identifier.
        if (row.writer === id && record.objectId === objectId) return { objectId, addedRow: work.addedRow };
        if (!found.added) {
          if (row.writer !== null || row.record.state === 'deleting' || !isAsSeen) return null;
          writer.save(row.record, { ...object.patch, sha256: null });
          rows.setWriter(objectId, id);
        }
        // An upload that may still arrive under the former number stays on the list.
        const mayArrive = (work.kind === 'upload' && work.mayBeThere) || record.state.name === 'unsure';
        const history = { action: 'uploadFailed', detail: 'exists' } as const;
        const former: RowChange = mayArrive
          ? { kind: 'release', state: 'unknown', history }
          : { kind: 'remove' };
        return moveTo(before, identifier, objectId, { ...work, addedRow: found.added }, former);
      });
    },
  } satisfies Partial<TransferStore>;
}

/** Whether another transfer replaces, deletes or stores the object. */
function isBusy(
  table: TransferTable,
  { record: { id, identifier, kind }, service }: StoredTransfer,
  writer: number | null,
): boolean {
  const other = writer === null || writer === id ? null : table.get(writer);
  if (other && !isFinished(other.record)) {
    const isAtIt = other.isClaimed && other.record.state.name !== 'numbering';
    if (isAtIt || isHalfReplaced(other.record)) return true;
  }
  const inWork = table.find(
    't.service = ? AND t.identifier = ? AND t.claimed = 1 AND t.id <> ?',
    service,
    identifier,
    id,
  );
  return inWork.some(
    ({ record }) => record.kind === kind && record.direction !== 'download' && !isLookingOn(record),
  );
}

/** Replacing or numbering: stores nothing before it has taken a row. */
function isLookingOn({ state }: TransferRecord): boolean {
  return state.name === 'replacing' || state.name === 'numbering';
}

/** A Replace that may have deleted or changed the object. */
function isHalfReplaced({ work }: TransferRecord): boolean {
  return work.kind === 'upload' && work.replace?.isOut === true;
}
