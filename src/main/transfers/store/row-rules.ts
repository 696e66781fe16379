import { isUnverified, provenDigest } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord, ObjectState } from '../../../shared/domain/object.ts';
import type { HistoryNote, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { ObjectRow } from '../../objects/object-store.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { isFinished, isOfWatched, type TransferRecord } from '../model/record.ts';
import type { RowChange } from '../model/transition.ts';
import type { Seen } from '../model/state.ts';
import type { StoredTransfer } from './transfer-rows.ts';

/** The result of a row change, and what the record must remember of it. */
export interface RowOutcome {
  readonly held: boolean;
  readonly objectId: number | null;
  readonly rowBefore: ObjectState | null;
}

/** Only the length of somebody else's object is known; the row must not keep what ours was to have, or what was there before. */
export const theirs: ObjectPatch = { sha256: null, classification: null, sourceName: null, storedAtMs: null };

/** A Replace has ended, or goes on, without its last look: the object may have other bytes of the same length. */
export const unproven = { state: 'unknown', sha256: null } as const satisfies ObjectPatch;

/** Whether the list shows the new object of a Replace that is still to look at it a last time. */
export function isShownBeforeEnd(row: ObjectRow, { id, work }: TransferRecord): boolean {
  const isOut = work.kind === 'upload' && work.replace?.isOut === true;
  return isOut && row.writer === id && row.record.state === 'stored';
}

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
  // For an object in parts it is the length of the manifest.
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
function wasAddedFor({ work }: TransferRecord): boolean {
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

/** Row changes of uploads: what was stored, or found in its place, and how a row is released when nothing was. */
export class UploadRowChanges {
  readonly #writer: ObjectWriter;

  constructor(writer: ObjectWriter) {
    this.#writer = writer;
  }

  putStored(
    { patch, history: noted, manifest, gaps }: Extract<RowChange, { kind: 'stored' }>,
    stored: StoredTransfer,
  ): number {
    const history = { ...noted, ...byWhom(stored.record) };
    const { kind, identifier, objectId, incarnation = null } = stored.record;
    const { rows } = this.#writer;
    const known =
      (objectId === null ? null : rows.get(objectId)) ?? rows.find(stored.service, kind, identifier);
    const found = known ?? this.#writer.add(stored.service, { kind, identifier, patch: {} })?.record;
    if (found === undefined) throw new Error('A row could neither be found nor added');
    if (this.#isOfAnother(found, patch, stored.record)) {
      this.#writer.note(found.id, history);
      return found.id;
    }
    const { parts, ...whole } = { state: 'stored' as const, ...patch };
    // Without a digest, HEAD has found something other than was sent. For a secret the service's response is the only
    // proof.
    const isOwn = kind === 'secret' || typeof patch.sha256 === 'string';
    this.#writer.save(found, { ...whole, parts }, history, manifest, isOwn ? incarnation : null);
    if (gaps) this.#writer.rows.setMissingParts(found.id, gaps.parts);
    const { work } = stored.record;
    const { firstStoredAtMs } = (work.kind === 'upload' && work.moves) || {};
    if (firstStoredAtMs !== undefined) rows.setFirstStored(found.id, firstStoredAtMs);
    rows.setWriter(found.id, null);
    return found.id;
  }

  /** Whether the object that an upload found in place of its own was stored by another upload. */
  #isOfAnother(row: ObjectRecord, { state, lengthBytes }: ObjectPatch, { id }: TransferRecord): boolean {
    const thereBytes = row.parts?.manifestBytes ?? row.lengthBytes;
    if (state !== 'failed' || row.state !== 'stored' || thereBytes !== lengthBytes) return false;
    return this.#writer.rows.row(row.id)?.writer !== id;
  }

  find(
    change: Extract<RowChange, { kind: 'found' }>,
    { record, service }: StoredTransfer,
    checkedAtMs: number,
  ): RowOutcome {
    const { kind, identifier, work } = record;
    const { rows } = this.#writer;
    const found = { state: 'stored', checkedAtMs } as const;
    const known = record.objectId === null ? null : rows.row(record.objectId);
    const patch = { ...found, ...whatIsFound(change, null, work) };
    const added = known === null ? this.#writer.add(service, { kind, identifier, patch }) : null;
    const row = known ?? (added && rows.row(added.record.id));
    if (row === null) throw new Error('A row could neither be found nor added');
    const outcome = { objectId: row.record.id, rowBefore: null };
    if (row.writer === record.id) rows.setWriter(row.record.id, null);
    if (added?.added) return { ...outcome, held: true };
    const { state } = row.record;
    const wasDeleted = state === 'deleting' || (state === 'gone' && row.epoch !== change.epoch);
    if (wasDeleted) return { ...outcome, held: false };
    this.#writer.save(row.record, { ...found, ...whatIsFound(change, row.record, work) });
    return { ...outcome, held: true };
  }

  release(row: ObjectRow, state: ObjectState, history: HistoryNote, record: TransferRecord): boolean {
    if (row.writer !== record.id) {
      this.#writer.note(row.record.id, history);
      return false;
    }
    const isOpen = row.record.state === 'uploading' || row.record.state === 'unknown';
    // A claimed object may exist although this upload stored nothing.
    const released = isUnverified(row.record, 'presence') ? 'unknown' : state;
    const patch = isShownBeforeEnd(row, record) ? unproven : isOpen ? { state: released } : {};
    this.#writer.save(row.record, patch, history);
    this.#writer.rows.setWriter(row.record.id, null);
    return true;
  }

  remove(row: ObjectRow, record: TransferRecord): boolean {
    if (row.writer !== record.id) return false;
    if (wasAddedFor(record) && row.record.state === 'uploading' && row.record.note === '') {
      this.#writer.remove(row.record);
      return true;
    }
    return this.release(row, 'failed', { action: 'uploadFailed', detail: 'cancelled' }, record);
  }

  leave(row: ObjectRow, history: HistoryNote | null, record: TransferRecord): boolean {
    const note = history ?? undefined;
    const isUploading = row.record.state === 'uploading';
    const wasAdded = wasAddedFor(record);
    if (row.writer !== record.id) {
      if (note) this.#writer.note(row.record.id, note);
      return false;
    }
    if (isUploading && wasAdded) {
      // It prompts, or continues as an ordinary upload that owns its row.
      if (!isFinished(record)) return true;
      if (record.state.name === 'cancelled') return this.remove(row, record);
    }
    // Something is there: otherwise there was nothing to replace. A row added for this upload says nothing about it.
    const ofOurs = wasAdded ? { ...theirs, lengthBytes: null } : {};
    this.#writer.save(row.record, isUploading ? { ...ofOurs, state: 'unknown' } : {}, note);
    this.#writer.rows.setWriter(row.record.id, null);
    return true;
  }

  skip(row: ObjectRow, seen: Seen, record: TransferRecord, checkedAtMs: number): boolean {
    const history = { action: 'existedAlready', ...byWhom(record) } as const;
    const { state } = row.record;
    const saysOurs = state === 'uploading' || (state === 'unknown' && wasAddedFor(record));
    if (row.writer !== record.id || !saysOurs) {
      const isAsListed = seen.present && !row.record.parts && seen.lengthBytes === row.record.lengthBytes;
      const patch = { checkedAtMs, ...(isAsListed && { lengthBytes: seen.lengthBytes }) };
      this.#writer.save(row.record, seen.present ? patch : {}, history);
    } else if (seen.present) {
      const patch = { ...theirs, state: 'stored', lengthBytes: seen.lengthBytes, checkedAtMs } as const;
      this.#writer.save(row.record, patch, history);
    } else {
      this.#writer.save(row.record, { ...theirs, state: 'unknown', lengthBytes: null }, history);
    }
    if (row.writer === record.id) this.#writer.rows.setWriter(row.record.id, null);
    return true;
  }
}
