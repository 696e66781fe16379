import { provenDigest } from '../../../shared/domain/claims.ts';
import type { ObjectRecord, ObjectState } from '../../../shared/domain/object.ts';
import type { HistoryNote, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import { isOfWatched, type TransferRecord } from '../model/record.ts';
import type { RowChange } from '../model/transition.ts';

/** The result of a row change, and what the record must remember of it. */
export interface RowOutcome {
  readonly held: boolean;
  readonly objectId: number | null;
  readonly rowBefore: ObjectState | null;
}

/** Only the length of somebody else's object is known; the row must not keep what ours was to have, or what was there before. */
export const theirs: ObjectPatch = { sha256: null, classification: null, sourceName: null, storedAtMs: null };

/**
 * What the list may say of an object that HEAD has found where an abandoned upload may have stored its own. Only the
 * length identifies it.
 * @param row null: it was not on the list
 */
export function whatIsFound(
  { lengthBytes, sentBytes, listedStoredAtMs }: Extract<RowChange, { kind: 'found' }>,
  row: ObjectRecord | null,
  work: TransferRecord['work'],
): ObjectPatch {
  const isAsSent = lengthBytes !== null && lengthBytes === sentBytes;
  const isAsListed = row !== null && lengthBytes !== null && lengthBytes === lengthThere(row);
  // Stored by another upload: the identifier was free when that was accepted, and nothing can arrive there while its
  // object exists. What only an imported list claims proves nothing.
  const isStoredSince =
    row !== null &&
    provenDigest(row) !== null &&
    row.storedAtMs !== null &&
    row.storedAtMs !== listedStoredAtMs;
  // For a chunked object it is the length of the manifest.
  if (isAsListed && (!isAsSent || isStoredSince)) return row.parts ? {} : { lengthBytes };
  if (isAsSent && work.kind === 'upload') {
    const { classification, fileName: sourceName } = work;
    // Nothing else was known to be stored, or it was gone before the bytes were sent: uploads over a listed object begin
    // with HEAD.
    if (row?.state !== 'stored' || !isAsListed) return { ...theirs, lengthBytes, classification, sourceName };
    // It is one of the two, and both have this classification.
    if (isAsListed && row.classification === classification) return { lengthBytes, sha256: null };
  }
  return { ...theirs, lengthBytes };
}

/** Transfers of watched folders and commands do not count as use by a person in the window. */
export function byWhom({ work }: TransferRecord): Pick<HistoryNote, 'isByItself'> {
  const isByCommand = 'isByCommand' in work && work.isByCommand === true;
  return isByCommand || isOfWatched({ work }) ? { isByItself: true } : {};
}

/** Whether the row was added for this upload, and describes no other object. */
export function wasAddedFor({ work }: TransferRecord): boolean {
  return 'addedRow' in work && work.addedRow;
}

/** The length that HEAD reports for an object: that of the content under its identifier. */
export function lengthThere({ lengthBytes, parts }: ObjectRecord): number | null {
  return parts?.manifestBytes ?? lengthBytes;
}

export function isDeletable({ kind, state }: ObjectRecord): boolean {
  return kind === 'data' && state !== 'uploading' && state !== 'deleting';
}

/** Objects that never arrived or were deleted do not become `missing`. */
export function stateOfAbsent(state: ObjectState): ObjectState {
  return state === 'gone' || state === 'failed' ? state : 'missing';
}
