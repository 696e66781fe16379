import type { ObjectState } from '../../../shared/domain/object.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { NewObject } from '../../objects/catalogue.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { isFinished, type TransferRecord, type Work } from '../model/record.ts';
import type { Leftover, TransferEdit, NewTransfer, TransferStore } from '../model/store-types.ts';
import { directionCodes } from './codes.ts';
import type { RowChanges } from './row-changes.ts';
import type { BulkUpdates } from './bulk-updates.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** What a secret may have been left as, so that another may be stored under its identifier. */
const isNoSecret = new Set<ObjectState>(['failed', 'missing', 'gone', 'unknown']);

export type Insert = ReturnType<typeof createEntering>;

/** How records come into the file, and how those that ended begin again: with their rows of the list. */
export function createEntering(
  table: TransferTable,
  bulkUpdates: BulkUpdates,
  writer: ObjectWriter,
  changes: RowChanges,
) {
  function enter(
    service: number,
    given: Omit<NewTransfer, 'newRow'> & { id: number; serviceId: string },
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
    const sweep = bulkUpdates.stamp(service);
    table.insert({ record, service, isClaimed: false, sweep, rowBefore: null });
    return { id: given.id, objectId: record.objectId };
  }

  /** Somebody replaces it, deletes it, or is at storing it. */
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

  /** The upload has another row from now on, and leaves the one before. */
  function moveTo(
    before: StoredTransfer,
    identifier: string,
    objectId: number,
    work: Extract<Work, { kind: 'upload' | 'storeSecret' }>,
  ) {
    const { record } = before;
    const { addedRow } = work;
    if (record.objectId !== objectId) {
      // With a note it stays: what exists there already is somebody else's, and was not asked about.
      // Where an earlier request may still be carried out it stays too, as not known.
      const mayArrive = (work.kind === 'upload' && work.mayBeThere) || record.state.name === 'unsure';
      const history = { action: 'uploadFailed', detail: 'exists' } as const;
      changes.apply(mayArrive ? { kind: 'release', state: 'unknown', history } : { kind: 'remove' }, before);
    }
    table.saveRecord(before, { identifier, objectId, work });
    return { objectId, addedRow };
  }

  /** A service that was removed has no document any more; one whose list is empty may have no row yet. */
  function serviceOf(serviceId: string): number {
    const sql = `SELECT 1 FROM document WHERE collection = 'services' AND key = ?`;
    if (table.rows(sql, serviceId).length === 0) {
      throw new AppFailure({ code: 'notFound', what: 'service' });
    }
    return writer.rows.ensureService(serviceId);
  }

  /** A row whose transfer was cancelled a moment ago, and does not know yet, is free. */
  function settleWriter(service: number, { kind, identifier }: NewObject): void {
    if (!bulkUpdates.arePending) return;
    const found = writer.rows.find(service, kind, identifier);
    const holder = found && (writer.rows.row(found.id)?.writer ?? null);
    const stored = holder === null ? null : table.get(holder);
    if (stored !== null) bulkUpdates.settle(stored);
  }

  function rowForNew(
    id: number,
    service: number,
    { kind, identifier, work, objectId }: NewTransfer,
    newRow: ObjectPatch | null,
  ): { objectId: number | null; work: Work } {
    if (work.kind !== 'upload' && work.kind !== 'storeSecret') return { objectId, work };
    const patch: ObjectPatch = { ...newRow, state: 'uploading' };
    const object: NewObject = { kind, identifier, patch };
    settleWriter(service, object);
    const found = writer.add(service, object, id);
    if (found === null) throw new Error('A row could neither be found nor added');
    const { record: row, added: addedRow } = found;
    if (!addedRow && work.kind === 'storeSecret') {
      if (!isNoSecret.has(row.state)) throw new AppFailure({ code: 'exists', status: 409, message: '' });
      // What it holds now stays known until the new value is stored.
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

  /** What a Replace has put beside an object and could not take away: the list has it, and its deletion is asked for. */
  function leave({ record, service }: StoredTransfer, leftovers: readonly Leftover[], nowMs: number): void {
    const { serviceId, origin } = record;
    for (const { identifier, stays = false, ...known } of leftovers) {
      const patch = { ...known, state: stays ? 'stored' : 'unknown', storedAtMs: nowMs } as const;
      const row = writer.add(service, { kind: 'data', identifier, patch });
      if (stays || !row?.added) continue;
      enter(service, {
        id: table.newId(),
        serviceId,
        origin,
        kind: 'data',
        route: 'direct',
        direction: 'delete',
        identifier,
        objectId: row.record.id,
        totalBytes: null,
        priority: 'normal',
        isPaused: false,
        createdAtMs: nowMs,
        work: { kind: 'delete' },
      });
    }
  }

  /**
   * A finished one begins anew, behind all others. A person means the file as it is now, and the service.
   * @param origin where that is
   * @param change of an upload: another identifier is another object, which nothing is known of
   */
  function beginAgain(before: StoredTransfer, origin: string, change?: TransferEdit): StoredTransfer {
    const { service } = before;
    const record = change === undefined ? before.record : edited(before.record, change);
    const isRenamed = record.identifier !== before.record.identifier;
    if (isRenamed) forgetRow(before.record);
    const again = {
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
    const after = { ...before, sweep: bulkUpdates.stamp(service), rowBefore: null };
    const { work } = record;
    if (work.kind === 'download' && origin !== record.origin) {
      const moved = { totalBytes: null, work: { ...work, isMoved: true } };
      return table.save(before, { ...after, record: { ...again, ...moved } });
    }
    if (work.kind !== 'upload') return table.save(before, { ...after, record: again });
    const isSame = origin === before.record.origin && !isRenamed;
    const mayBeThere = isSame && (work.mayBeThere || mayHaveArrived(record));
    // Half of a Replace is gone on with where it was; of another identifier, file or address nothing of it is true.
    const { replace, ...other } = work;
    const goesOn = replace !== undefined && isSame && change === undefined;
    // It has new tries; that it was deleted once stays true.
    const half = goesOn && { replace: { ...replace, deletions: Math.min(replace.deletions, 1), stores: 0 } };
    const fresh = { ...other, expected: null, mayBeThere, ...half };
    if (replace !== undefined && !goesOn) table.letGoOfReplace(before);
    const taken = retakeRow(record, service, fresh);
    return table.save(before, { ...after, record: { ...again, ...taken } });
  }

  /** Takes off the list what was added for an upload of which nothing is stored. Nobody has said anything of it. */
  function forgetRow({ objectId, work }: TransferRecord): void {
    if (objectId === null || work.kind !== 'upload' || !work.addedRow) return;
    const row = writer.rows.row(objectId);
    if (row?.writer !== null || row.record.state !== 'failed' || row.record.note !== '') return;
    writer.remove(row.record);
  }

  const calls = {
    /** @throws AppFailure notFound (service), exists (a secret) */
    async enqueue(serviceId, transfers) {
      return table.transaction(() => {
        const service = serviceOf(serviceId);
        return transfers.map((given) => {
          const id = table.newId();
          const { newRow, ...rest } = given;
          return enter(service, { ...rest, ...rowForNew(id, service, given, newRow), id, serviceId });
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
        // One that is paused may stay so for ever.
        return isClaimed || (work.kind === 'upload' && work.mayBeThere && !isPaused);
      });
    },

    /** Gives an upload another identifier with a row of its own; null: the list has it already. */
    async takeIdentifier(id, identifier) {
      return table.transaction(() => {
        const before = table.get(id);
        const work = before?.record.work;
        if (!before || work?.kind !== 'upload' || isFinished(before.record)) return null;
        const { record, service } = before;
        const row: NewObject = { kind: record.kind, identifier, patch: rowOf(record, work) };
        settleWriter(service, row);
        const added = writer.add(service, row, id);
        if (added?.added !== true) return null;
        return moveTo(before, identifier, added.record.id, { ...work, addedRow: true });
      });
    },

    /**
     * As `takeIdentifier`, also over a row whose object the service does not show; null: somebody has not ended with it, or has since it
     * was looked for.
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
        // Sniffed before, or asked for by this name.
        if (row.writer === id && record.objectId === objectId) return { objectId, addedRow: work.addedRow };
        if (!found.added) {
          if (row.writer !== null || row.record.state === 'deleting' || !isAsSeen) return null;
          writer.save(row.record, { ...object.patch, sha256: null });
          rows.setWriter(objectId, id);
        }
        return moveTo(before, identifier, objectId, { ...work, addedRow: found.added });
      });
    },
  } satisfies Partial<TransferStore>;
  return { calls, leave, beginAgain, forgetRow };
}

function edited(before: TransferRecord, change: TransferEdit): TransferRecord {
  if (before.work.kind !== 'upload') return before;
  const { identifier = before.identifier, classification = before.work.classification, file, keeps } = change;
  const { kept, ...other } = before.work;
  const isOther = classification !== other.classification;
  // A file stands for the bytes from now on, and not what is kept.
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

/** It stores nothing before it has taken a row: it replaces, or looks for the number of its version. */
function isLookingOn({ state }: TransferRecord): boolean {
  return state.name === 'replacing' || state.name === 'numbering';
}

/** What a person has not answered yet, with the object deleted or half stored. */
function isHalfReplaced({ work }: TransferRecord): boolean {
  return work.kind === 'upload' && work.replace?.isOut === true;
}

/** What it ended with does not say that nothing was stored. */
function mayHaveArrived({ state }: TransferRecord): boolean {
  if (state.name === 'lost') return true;
  return state.name === 'failed' && state.error.code === 'connectionLost' && state.error.outcomeUnknown;
}
