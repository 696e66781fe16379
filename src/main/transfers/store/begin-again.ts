import type { NewObject } from '../../objects/catalogue.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { failureOf, type TransferRecord } from '../model/record.ts';
import { newReplace } from '../model/replace.ts';
import type { Work } from '../model/work.ts';
import type { TransferEdit } from '../model/store-types.ts';
import { rowOf, type FreeRow } from './take-row.ts';
import type { BulkChanges } from './bulk-changes.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

export type BeginAgain = ReturnType<typeof createBeginAgain>;

/** Restarts finished records, with their rows of the list. */
export function createBeginAgain(
  table: TransferTable,
  bulkChanges: BulkChanges,
  writer: ObjectWriter,
  freeRow: FreeRow,
) {
  function retakeRow(
    record: TransferRecord,
    service: number,
    work: Extract<Work, { kind: 'upload' }>,
  ): { objectId: number; work: Work } {
    const { id, kind, identifier, objectId } = record;
    const object: NewObject = { kind, identifier, patch: rowOf(record, work) };
    freeRow(service, object);
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
   * @param change of an upload; another identifier is another object, about which nothing is known
   * @param takesOther a download accepts what the service has, even where an imported list claims otherwise
   * @param bulkChange the one that restarts it; without: no existing bulk change applies to it any more
   */
  function beginAgain(
    before: StoredTransfer,
    origin: string,
    {
      change,
      takesOther = false,
      bulkChange,
    }: { change?: TransferEdit; takesOther?: boolean; bulkChange?: number },
  ): StoredTransfer {
    const { service } = before;
    const { incarnation, ...record } = change === undefined ? before.record : edited(before.record, change);
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
    const after = { ...before, bulkChange: bulkChange ?? bulkChanges.stamp(service), rowBefore: null };
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
    // An unfinished Replace is resumed, unless the identifier, the file or the origin has changed. A reclassification
    // is resumed even if edited: it stores from the copy that is there.
    const { replace, takenNames: _, ...other } = work;
    const goesOn = replace !== undefined && isSame && (change === undefined || work.reclassifies === true);
    // Reset the attempts, but remember that the object was deleted once.
    const half = goesOn && {
      replace: {
        ...replace,
        deletions: Math.min(replace.deletions, 1),
        refusal: undefined,
        stores: 0,
        refusedNames: 0,
      },
    };
    const again = work.reclassifies && {
      replace: newReplace('service'),
      // The bytes differed from the list, and the person retries: accept what the service has.
      ...(failure === 'objectChanged' && { agreed: anything }),
    };
    const fresh = { ...other, expected: null, mayBeThere, ...again, ...half };
    if (replace !== undefined && !goesOn) table.letGoOfReplace(before);
    const taken = retakeRow(record, service, fresh);
    // Keep the incarnation only if an earlier attempt may have stored these very bytes.
    const isSameFile = mayBeThere && change?.file === undefined;
    const named = isSameFile && incarnation !== undefined && { incarnation };
    return table.save(before, { ...after, record: { ...begun, ...named, ...taken } });
  }

  /** Removes the row that was added for an upload that stored nothing, unless it has a note. */
  function forgetRow({ objectId, work }: TransferRecord): void {
    if (objectId === null || work.kind !== 'upload' || !work.addedRow) return;
    const row = writer.rows.row(objectId);
    if (row?.writer !== null || row.record.state !== 'failed' || row.record.note !== '') return;
    writer.remove(row.record);
  }

  return { beginAgain, forgetRow };
}

const anything = { lengthBytes: null, sha256: null };

function edited(before: TransferRecord, change: TransferEdit): TransferRecord {
  if (before.work.kind !== 'upload') return before;
  const { identifier = before.identifier, classification = before.work.classification, file, keeps } = change;
  // An edited upload no longer belongs to a watched folder or a command.
  const { kept, isWatched: _watched, isByCommand: _command, ...other } = before.work;
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

/** The end of the record does not prove that nothing was stored. */
function mayHaveArrived({ state }: TransferRecord): boolean {
  if (state.name === 'lost') return true;
  return state.name === 'failed' && state.error.code === 'connectionLost' && state.error.outcomeUnknown;
}
