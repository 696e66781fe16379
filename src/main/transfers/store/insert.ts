import { isClaimed } from '../../../shared/domain/claims.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';
import { separatorDefault } from '../../../shared/domain/service.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { NewObject } from '../../objects/catalogue.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import { rememberWatched } from '../../database/watched-files.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { failureOf, isFinished, newReplace, type TransferRecord, type Work } from '../model/record.ts';
import type { TransferEdit, NewTransfer, RowChange, TransferStore } from '../model/store-types.ts';
import { directionCodes } from './codes.ts';
import type { RowChanges } from './row-changes.ts';
import type { Sweeps } from './sweeps.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** States of a secret's row in which another may be stored under its identifier. */
const isNoSecret = new Set<ObjectState>(['failed', 'missing', 'gone', 'unknown']);

export type Insert = ReturnType<typeof createInsert>;

/** Inserts records and restarts finished ones, with their rows of the list. */
export function createInsert(
  table: TransferTable,
  sweeps: Sweeps,
  writer: ObjectWriter,
  changes: RowChanges,
) {
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

  /** Whether another transfer replaces, deletes or stores the object. */
  function isBusy(
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

  /** Checks the document, as a service with an empty list may have no row yet. @throws AppFailure notFound: it was removed */
  function serviceOf(serviceId: string): number {
    const sql = `SELECT 1 FROM document WHERE collection = 'services' AND key = ?`;
    if (table.rows(sql, serviceId).length === 0) {
      throw new AppFailure({ code: 'notFound', what: 'service' });
    }
    return writer.rows.ensureService(serviceId);
  }

  /** Frees a row whose writer was cancelled by a sweep that is not applied yet. */
  function settleWriter(service: number, { kind, identifier }: NewObject): void {
    if (!sweeps.arePending) return;
    const found = writer.rows.find(service, kind, identifier);
    const holder = found && (writer.rows.row(found.id)?.writer ?? null);
    const stored = holder === null ? null : table.get(holder);
    if (stored !== null) sweeps.settle(stored);
  }

  function rowForNew(
    id: number,
    service: number,
    { kind, identifier, work, objectId, newRow, storesUnseen = false }: NewTransfer,
  ): { objectId: number | null; work: Work } {
    if (work.kind !== 'upload' && work.kind !== 'storeSecret') return { objectId, work };
    const patch: ObjectPatch = { ...newRow, state: 'uploading' };
    const object: NewObject = { kind, identifier, patch };
    settleWriter(service, object);
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

  function retakeRow(
    record: TransferRecord,
    service: number,
    work: Extract<Work, { kind: 'upload' }>,
  ): { objectId: number; work: Work } {
    const { id, kind, identifier, objectId } = record;
    const object: NewObject = { kind, identifier, patch: rowOf(record, work) };
    settleWriter(service, object);
    const found = writer.add(service, object, id);
    if (found === null) throw new Error('A row could neither be found nor added');
    const { record: row, added } = found;
    const isStillOurs = !added && row.state === 'failed' && row.id === objectId;
    if (isStillOurs) {
      writer.save(row, rowOf(record, work));
      writer.rows.setWriter(row.id, id);
    }
    const addedRow = added || (isStillOurs && work.addedRow);
    return { objectId: row.id, work: { ...work, addedRow } };
  }

  /**
   * Restarts a finished record, behind all others, with the file and the service as they are now.
   * @param origin of the service now
   * @param change of an upload; another identifier is another object, of which nothing is known
   * @param takesOther a download takes what the service has where an imported list has said otherwise
   * @param sweep the one that restarts it; without: none that exists applies to it any more
   */
  function beginAgain(
    before: StoredTransfer,
    origin: string,
    { change, takesOther = false, sweep }: { change?: TransferEdit; takesOther?: boolean; sweep?: number },
  ): StoredTransfer {
    const { service } = before;
    const record = change === undefined ? before.record : edited(before.record, change);
    const isRenamed = record.identifier !== before.record.identifier;
    if (isRenamed) forgetRow(before.record);
    const begun = {
      ...record,
      origin,
      state: { name: 'waiting' },
      isPaused: false,
      orderKey: table.nextOrderKey(),
      tries: 0,
      trouble: null,
      nextAtMs: null,
      activityToken: null,
      finishedAtMs: null,
    } as const;
    const after = { ...before, sweep: sweep ?? sweeps.stamp(service), rowBefore: null };
    const { work } = record;
    const failure = failureOf(before.record)?.code;
    const isToldOtherwise = failure === 'claimedLengthDiffers' || failure === 'claimedDigestDiffers';
    if (work.kind === 'download' && (origin !== record.origin || (takesOther && isToldOtherwise))) {
      const moved = { totalBytes: null, work: { ...work, isMoved: true } };
      return table.save(before, { ...after, record: { ...begun, ...moved } });
    }
    if (work.kind !== 'upload') return table.save(before, { ...after, record: begun });
    const isSame = origin === before.record.origin && !isRenamed;
    const mayBeThere = isSame && (work.mayBeThere || mayHaveArrived(record));
    // An unfinished Replace is resumed, unless the identifier, the file or the origin is another. Another classification of the object's
    // own bytes is stored from the copy that is there already.
    const { replace, ...other } = work;
    const goesOn = replace !== undefined && isSame && (change === undefined || work.reclassifies === true);
    // Reset the attempts, but remember that the object was deleted once.
    const half = goesOn && { replace: { ...replace, deletions: Math.min(replace.deletions, 1), stores: 0 } };
    const again = work.reclassifies && {
      replace: newReplace('service'),
      // After something else was found than the list says, a person who tries again means what the service has.
      ...(failure === 'objectChanged' && { agreed: anything }),
    };
    const fresh = { ...other, expected: null, mayBeThere, ...again, ...half };
    if (replace !== undefined && !goesOn) table.letGoOfReplace(before);
    const taken = retakeRow(record, service, fresh);
    return table.save(before, { ...after, record: { ...begun, ...taken } });
  }

  /** Removes the row that was added for an upload that stored nothing, unless it has a note. */
  function forgetRow({ objectId, work }: TransferRecord): void {
    if (objectId === null || work.kind !== 'upload' || !work.addedRow) return;
    const row = writer.rows.row(objectId);
    if (row?.writer !== null || row.record.state !== 'failed' || row.record.note !== '') return;
    writer.remove(row.record);
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

    async takeRow(id) {
      return table.transaction(() => {
        const stored = table.get(id);
        if (stored === null || isFinished(stored.record)) return null;
        const { record, service } = stored;
        const { kind, identifier, work } = record;
        const isOut = work.kind === 'upload' && work.replace?.isOut === true;
        settleWriter(service, { kind, identifier, patch: {} });
        const found = writer.add(service, { kind, identifier, patch: { state: 'unknown' } }, id);
        const row = found && writer.rows.row(found.record.id);
        if (!row) throw new Error('A row could neither be found nor added');
        if (isBusy(stored, row.writer)) return null;
        writer.rows.setWriter(row.record.id, id);
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
        settleWriter(service, row);
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
        settleWriter(service, object);
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
        // What may still be carried out under the former number is on the list.
        const mayArrive = (work.kind === 'upload' && work.mayBeThere) || record.state.name === 'unsure';
        const history = { action: 'uploadFailed', detail: 'exists' } as const;
        const former: RowChange = mayArrive
          ? { kind: 'release', state: 'unknown', history }
          : { kind: 'remove' };
        return moveTo(before, identifier, objectId, { ...work, addedRow: found.added }, former);
      });
    },
  } satisfies Partial<TransferStore>;
  return { calls, enter, beginAgain, forgetRow };
}

function exists(isUnseen: boolean): AppFailure {
  return new AppFailure({ code: 'exists', status: 409, message: '', ...(isUnseen && { isUnseen }) });
}

const anything = { lengthBytes: null, sha256: null };

function edited(before: TransferRecord, change: TransferEdit): TransferRecord {
  if (before.work.kind !== 'upload') return before;
  const { identifier = before.identifier, classification = before.work.classification, file, keeps } = change;
  // What a person has edited is theirs: a watched folder leaves it alone.
  const { kept, isWatched: _watched, ...other } = before.work;
  const isOther = classification !== other.classification;
  // The chosen file replaces the undo copy as the source.
  const source = file
    ? { path: file.path, fileName: file.fileName, modifiedAtMs: file.mtimeMs }
    : { ...(kept && { kept }) };
  const work = {
    ...other,
    ...source,
    classification,
    ...(isOther && { classificationChosen: true }),
    ...(keeps && { keeps }),
  };
  const record = { ...before, work, totalBytes: file?.sizeBytes ?? before.totalBytes };
  if (identifier === before.identifier) return record;
  const { numberedFor: _, ...named } = work;
  return { ...record, identifier, objectId: null, work: { ...named, addedRow: false } };
}

function rowOf(
  { totalBytes }: TransferRecord,
  work: Extract<Work, { kind: 'upload' | 'storeSecret' }>,
): ObjectPatch {
  const sourceName = work.kind === 'upload' ? work.fileName : work.sourceName;
  return { state: 'uploading', lengthBytes: totalBytes, classification: work.classification, sourceName };
}

/** Replacing or numbering: it stores nothing before it has taken a row. */
function isLookingOn({ state }: TransferRecord): boolean {
  return state.name === 'replacing' || state.name === 'numbering';
}

/** A Replace that waits for the user with the object deleted or half stored. */
function isHalfReplaced({ work }: TransferRecord): boolean {
  return work.kind === 'upload' && work.replace?.isOut === true;
}

/** The end of the record does not prove that nothing was stored. */
function mayHaveArrived({ state }: TransferRecord): boolean {
  if (state.name === 'lost') return true;
  return state.name === 'failed' && state.error.code === 'connectionLost' && state.error.outcomeUnknown;
}
