import { isClaimed, provenDigest, provenLength } from '../../../shared/domain/claims.ts';
import { isStoredWithOther, type ObjectRecord, type ObjectState } from '../../../shared/domain/object.ts';
import type { HistoryNote, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { ObjectRow } from '../../objects/object-store.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { isFinished, isOfWatched, type Seen, type TransferRecord } from '../model/record.ts';
import type { Confirmed, RowChange } from '../model/store-types.ts';
import { isDeletable, lengthThere, stateOfAbsent, theirs, wasAddedFor, whatIsFound } from './row-rules.ts';
import type { StoredTransfer } from './transfer-rows.ts';

/** The result of a row change, and what the record must remember of it. */
export interface RowOutcome {
  readonly held: boolean;
  readonly objectId: number | null;
  readonly rowBefore: ObjectState | null;
}

/**
 * Applies row changes of transfers, within their transaction. A row belongs to a transfer only while it names it as its writer, and
 * an answer of HEAD is valid only while the row has not changed since.
 */
export class RowChanges {
  readonly #writer: ObjectWriter;
  readonly #nowMs: () => number;

  constructor(writer: ObjectWriter, nowMs: () => number) {
    this.#writer = writer;
    this.#nowMs = nowMs;
  }

  /** @param atMs of the answers of the service that led to the change, by its clock */
  apply(change: RowChange, stored: StoredTransfer, atMs = this.#nowMs()): RowOutcome {
    const { record, rowBefore } = stored;
    const { objectId } = record;
    if (change.kind === 'stored') {
      return { held: true, objectId: this.#putStored(change, stored), rowBefore: null };
    }
    if (change.kind === 'found') return this.#find(change, stored, atMs);
    const row = objectId === null ? null : this.#writer.rows.row(objectId);
    const held = row !== null && this.#applyTo(row, change, stored, atMs);
    if (change.kind === 'deleting') return { held, objectId, rowBefore: held ? row.record.state : rowBefore };
    return { held, objectId, rowBefore: change.kind === 'deleted' ? null : rowBefore };
  }

  /** Writes what was seen over what somebody has said, unless the row has changed since. */
  confirm({ objectId, epoch, lengthBytes, sha256, isInParts }: Confirmed, checkedAtMs: number): void {
    const row = this.#writer.rows.row(objectId);
    if (row?.epoch !== epoch || row.record.claimed === undefined) return;
    // Whether it lies in the parts that somebody has named was not compared; and of parts that nobody has named the row would tell nothing.
    const facts = row.record.parts || isInParts ? {} : { lengthBytes, sha256 };
    this.#writer.save(row.record, { ...facts, checkedAtMs });
  }

  /** Whether another upload has stored other bytes since this one was verified. */
  isOvertaken(change: RowChange | undefined, { objectId }: TransferRecord): boolean {
    if (change?.kind !== 'stored' || change.epoch === undefined || objectId === null) return false;
    const row = this.#writer.rows.row(objectId);
    const { sha256 = null } = change.patch;
    return row !== null && row.epoch !== change.epoch && isStoredWithOther(row.record, sha256);
  }

  /** Invariant: the writer of a row is unfinished. Releases the row of a record that has ended without doing so. */
  letGo(record: TransferRecord): void {
    if (record.direction === 'download' || record.objectId === null || !isFinished(record)) return;
    const row = this.#writer.rows.row(record.objectId);
    if (row?.writer !== record.id) return;
    const { state } = row.record;
    if (state === 'uploading' || state === 'deleting') this.#writer.save(row.record, { state: 'unknown' });
    this.#writer.rows.setWriter(row.record.id, null);
  }

  #applyTo(
    row: ObjectRow,
    change: Exclude<RowChange, { kind: 'stored' | 'found' }>,
    stored: StoredTransfer,
    atMs: number,
  ): boolean {
    const { record } = stored;
    switch (change.kind) {
      case 'seen':
        return this.#see(row, change, atMs);
      case 'downloaded':
        return this.#download(row, change, atMs);
      case 'unsure':
        if (row.writer !== record.id || row.record.state !== 'uploading') return false;
        this.#writer.save(row.record, { state: 'unknown' });
        return true;
      case 'secretRead':
        return this.#readSecret(row, change.lengthBytes);
      case 'release':
        return this.#release(row, change.state, change.history, record);
      case 'remove':
        return this.#remove(row, record);
      case 'replacing':
        if (row.writer !== record.id) return false;
        // If the end is not observed, the object may have other bytes of the same length.
        this.#writer.save(row.record, { state: 'uploading', sha256: null });
        return true;
      case 'leave':
        return this.#leave(row, change.history, record);
      case 'skipped':
        return this.#skip(row, change.seen, record, atMs);
      case 'deleting':
        return this.#take(row, record);
      case 'deleted':
        return this.#endDeletion(row, change, stored, atMs);
      case 'note':
        this.#writer.note(row.record.id, change.history);
        return true;
    }
  }

  #putStored(
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
    // What HEAD found in place of what was sent is not this transfer's. Of a secret the service's answer is the only proof.
    const isOwn = kind === 'secret' || typeof patch.sha256 === 'string';
    this.#writer.save(found, { ...whole, parts }, history, manifest, isOwn ? incarnation : null);
    if (gaps) this.#writer.rows.setMissingParts(found.id, gaps.parts);
    rows.setWriter(found.id, null);
    return found.id;
  }

  /** Whether the object that an upload found in place of its own was stored by another upload. */
  #isOfAnother(row: ObjectRecord, { state, lengthBytes }: ObjectPatch, { id }: TransferRecord): boolean {
    const thereBytes = row.parts?.manifestBytes ?? row.lengthBytes;
    if (state !== 'failed' || row.state !== 'stored' || thereBytes !== lengthBytes) return false;
    return this.#writer.rows.row(row.id)?.writer !== id;
  }

  #find(
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

  #see(row: ObjectRow, change: Extract<RowChange, { kind: 'seen' }>, checkedAtMs: number): boolean {
    const { seen, epoch, history, gaps } = change;
    const { state, lengthBytes, parts } = row.record;
    if (row.epoch !== epoch || state === 'deleting' || state === 'uploading') {
      if (history) this.#writer.note(row.record.id, history);
      return false;
    }
    if (seen.present) {
      const isSame = seen.lengthBytes === lengthThere(row.record);
      const patch = { state: 'stored', checkedAtMs } as const;
      const other = { ...patch, lengthBytes: seen.lengthBytes, sha256: null };
      // Of an object in parts HEAD tells the length of its manifest.
      const same = parts ? patch : { ...patch, lengthBytes };
      this.#writer.save(row.record, isSame ? same : other, history);
    } else {
      // Keep the time when it was first seen as gone.
      const isKnown = state === 'gone' && !isClaimed(row.record, 'presence');
      const patch = isKnown ? {} : { state: stateOfAbsent(state), checkedAtMs };
      this.#writer.save(row.record, patch, history);
      if (gaps && gaps.manifestSha256 === parts?.manifestSha256)
        this.#writer.rows.setMissingParts(row.record.id, gaps.parts);
    }
    return true;
  }

  #download(
    row: ObjectRow,
    change: Extract<RowChange, { kind: 'downloaded' }>,
    checkedAtMs: number,
  ): boolean {
    const { lengthBytes, sha256, epoch, isFresh, inParts } = change;
    const history = { action: 'downloaded' } as const;
    const { state } = row.record;
    // A deferred result may be old: it applies only if what was seen here agrees with it.
    const agrees =
      (provenDigest(row.record) ?? sha256) === sha256 &&
      (provenLength(row.record) ?? lengthBytes) === lengthBytes;
    if (epoch === null ? !agrees || state !== 'stored' : row.epoch !== epoch) {
      this.#writer.note(row.record.id, history);
      return false;
    }
    const isThere = isFresh && (state === 'stored' || state === 'unknown' || state === 'missing');
    const patch = { lengthBytes, sha256, checkedAtMs, ...(isThere && { state: 'stored' }) };
    this.#writer.save(
      row.record,
      { ...(patch as ObjectPatch), parts: inParts?.parts },
      history,
      inParts?.manifest,
    );
    return true;
  }

  #readSecret({ record }: ObjectRow, lengthBytes: number): boolean {
    if (record.state === 'uploading') return false;
    this.#writer.save(record, { state: 'stored', lengthBytes });
    return true;
  }

  #release(row: ObjectRow, state: ObjectState, history: HistoryNote, { id }: TransferRecord): boolean {
    if (row.writer !== id) {
      this.#writer.note(row.record.id, history);
      return false;
    }
    const isOpen = row.record.state === 'uploading' || row.record.state === 'unknown';
    // That this upload stored nothing does not say that nothing is there, where somebody says that it is.
    const released = isClaimed(row.record, 'presence') ? 'unknown' : state;
    this.#writer.save(row.record, isOpen ? { state: released } : {}, history);
    this.#writer.rows.setWriter(row.record.id, null);
    return true;
  }

  #remove(row: ObjectRow, record: TransferRecord): boolean {
    if (row.writer !== record.id) return false;
    if (wasAddedFor(record) && row.record.state === 'uploading' && row.record.note === '') {
      this.#writer.remove(row.record);
      return true;
    }
    return this.#release(row, 'failed', { action: 'uploadFailed', detail: 'cancelled' }, record);
  }

  #leave(row: ObjectRow, history: HistoryNote | null, record: TransferRecord): boolean {
    const note = history ?? undefined;
    const isUploading = row.record.state === 'uploading';
    const wasAdded = wasAddedFor(record);
    if (row.writer !== record.id) {
      if (note) this.#writer.note(row.record.id, note);
      return false;
    }
    if (isUploading && wasAdded) {
      // It asks, or continues as an ordinary upload that owns its row.
      if (!isFinished(record)) return true;
      if (record.state.name === 'cancelled') return this.#remove(row, record);
    }
    const state = wasAdded ? 'failed' : 'unknown';
    this.#writer.save(row.record, isUploading ? { state } : {}, note);
    this.#writer.rows.setWriter(row.record.id, null);
    return true;
  }

  #skip(row: ObjectRow, seen: Seen, record: TransferRecord, checkedAtMs: number): boolean {
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

  #take({ record, writer }: ObjectRow, { id }: TransferRecord): boolean {
    if (!isDeletable(record) || writer !== null) return false;
    this.#writer.save(record, { state: 'deleting' }, { action: 'deleteStarted' });
    this.#writer.rows.setWriter(record.id, id);
    return true;
  }

  #endDeletion(
    row: ObjectRow,
    { state, history }: Extract<RowChange, { kind: 'deleted' }>,
    { record, rowBefore }: StoredTransfer,
    checkedAtMs: number,
  ): boolean {
    if (row.writer !== record.id) return false;
    this.#writer.rows.setWriter(row.record.id, null);
    const moved = state === 'gone' ? whereTo(record) : {};
    // The state was changed meanwhile. A check that saw first that it is gone could not tell where it is now.
    if (row.record.state !== 'deleting' && !(row.record.state === 'gone' && moved.movedTo)) return false;
    const patch: ObjectPatch = {
      state: state ?? rowBefore ?? 'unknown',
      ...(state === 'gone' && { checkedAtMs, ...moved }),
      ...(record.activityToken !== null && { activityToken: record.activityToken }),
    };
    this.#writer.save(row.record, patch, history);
    return true;
  }
}

/** What a watched folder sends is no use by a person. */
function byWhom(record: TransferRecord): Pick<HistoryNote, 'isByItself'> {
  return isOfWatched(record) ? { isByItself: true } : {};
}

/** An object is deleted at the end of its move, too. */
function whereTo({ work }: TransferRecord): Pick<ObjectPatch, 'movedTo'> {
  return work.kind === 'delete' && work.only ? { movedTo: work.only.at } : {};
}
