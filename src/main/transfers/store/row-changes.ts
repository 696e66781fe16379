import { isUnverified, provenDigest, provenLength } from '../../../shared/domain/unverified.ts';
import { isStoredWithOther } from '../../../shared/domain/object.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { ObjectRow } from '../../objects/object-store.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { isFinished, type TransferRecord } from '../model/record.ts';
import type { Confirmed, RowChange } from '../model/transition.ts';
import {
  byWhom,
  isDeletable,
  isShownBeforeEnd,
  lengthThere,
  type RowOutcome,
  stateOfAbsent,
  theirs,
  unproven,
  UploadRowChanges,
} from './row-rules.ts';
import type { StoredTransfer } from './transfer-rows.ts';

/**
 * Applies row changes of transfers, within their transaction. A row belongs to a transfer only while it names it as its writer, and
 * an answer of HEAD is valid only while the row has not changed since.
 */
export class RowChanges {
  readonly #writer: ObjectWriter;
  readonly #uploads: UploadRowChanges;
  readonly #nowMs: () => number;

  constructor(writer: ObjectWriter, nowMs: () => number) {
    this.#writer = writer;
    this.#uploads = new UploadRowChanges(writer);
    this.#nowMs = nowMs;
  }

  /** @param atMs when the service gave the answers behind the change, by its clock */
  apply(change: RowChange, stored: StoredTransfer, atMs = this.#nowMs()): RowOutcome {
    const { record, rowBefore } = stored;
    const { objectId } = record;
    if (change.kind === 'stored') {
      return { held: true, objectId: this.#uploads.putStored(change, stored), rowBefore: null };
    }
    if (change.kind === 'found') return this.#uploads.find(change, stored, atMs);
    const row = objectId === null ? null : this.#writer.rows.row(objectId);
    const held = row !== null && this.#applyTo(row, change, stored, atMs);
    if (change.kind === 'deleting') return { held, objectId, rowBefore: held ? row.record.state : rowBefore };
    return { held, objectId, rowBefore: change.kind === 'deleted' ? null : rowBefore };
  }

  /** Replaces unverified facts in the row by what was seen, unless the row has changed since. */
  confirm({ objectId, epoch, lengthBytes, sha256, isInParts }: Confirmed, checkedAtMs: number): void {
    const row = this.#writer.rows.row(objectId);
    if (row?.epoch !== epoch || row.record.unverified === undefined) return;
    // Unverified parts were not compared, and without known parts the row cannot describe a file in parts.
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
    if (isShownBeforeEnd(row, record)) this.#writer.save(row.record, unproven);
    else if (state === 'uploading' || state === 'deleting')
      this.#writer.save(row.record, { state: 'unknown' });
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
        return this.#download(row, change, record, atMs);
      case 'unsure':
        if (row.writer !== record.id || row.record.state !== 'uploading') return false;
        this.#writer.save(row.record, { state: 'unknown' });
        return true;
      case 'secretRead':
        return this.#readSecret(row, change.lengthBytes);
      case 'release':
        return this.#uploads.release(row, change.state, change.history, record);
      case 'remove':
        return this.#uploads.remove(row, record);
      case 'replacing':
        if (row.writer !== record.id) return false;
        this.#writer.save(row.record, { ...unproven, state: 'uploading' });
        return true;
      case 'verified':
        if (row.writer !== record.id) return false;
        this.#writer.save(row.record, change.patch, undefined, undefined, record.incarnation);
        return true;
      case 'leave':
        return this.#uploads.leave(row, change.history, record);
      case 'skipped':
        return this.#uploads.skip(row, change.seen, record, atMs);
      case 'deleting':
        return this.#take(row, record);
      case 'deleted':
        return this.#endDeletion(row, change, stored, atMs);
      case 'note':
        this.#writer.note(row.record.id, { ...change.history, ...byWhom(record) });
        return true;
    }
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
      // For an object in parts, HEAD reports the length of its manifest.
      const same = parts ? patch : { ...patch, lengthBytes };
      this.#writer.save(row.record, isSame ? same : other, history);
    } else {
      // Keep the time when it was first seen as gone.
      const isKnown = state === 'gone' && !isUnverified(row.record, 'presence');
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
    record: TransferRecord,
    checkedAtMs: number,
  ): boolean {
    const { lengthBytes, sha256, epoch, isFresh, inParts } = change;
    const history = { action: 'downloaded', ...byWhom(record) } as const;
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

  #take({ record, writer }: ObjectRow, { id, work }: TransferRecord): boolean {
    if (!isDeletable(record) || writer !== null) return false;
    const isMoved = work.kind === 'delete' && work.only !== undefined;
    this.#writer.save(record, { state: 'deleting' }, isMoved ? undefined : { action: 'deleteStarted' });
    this.#writer.rows.setWriter(record.id, id);
    return true;
  }

  #endDeletion(
    row: ObjectRow,
    { state, history, isOther }: Extract<RowChange, { kind: 'deleted' }>,
    { record, rowBefore, service }: StoredTransfer,
    checkedAtMs: number,
  ): boolean {
    if (row.writer !== record.id) return false;
    this.#writer.rows.setWriter(row.record.id, null);
    const moved = state === 'gone' ? whereTo(record) : {};
    // The state has changed since. But if a check was first to see the object gone, still note its new identifier.
    if (row.record.state !== 'deleting' && !(row.record.state === 'gone' && moved.movedTo)) return false;
    const patch: ObjectPatch = {
      state: state ?? rowBefore ?? 'unknown',
      ...(isOther && { ...theirs, lengthBytes: null }),
      ...(state === 'missing' && { checkedAtMs }),
      ...(state === 'gone' && { checkedAtMs, ...moved }),
      ...(record.activityToken !== null && { activityToken: record.activityToken }),
    };
    this.#writer.save(row.record, patch, history);
    if (moved.movedTo !== undefined) this.#handOver(row.record, moved.movedTo, service);
    return true;
  }

  /** Its history goes with a moved object. */
  #handOver({ id, kind }: ObjectRow['record'], identifier: string, service: number): void {
    const { rows } = this.#writer;
    const copy = rows.find(service, kind, identifier);
    if (copy !== null) rows.moveHistory(id, copy.id);
  }
}

/** For a deletion that ends a move: the new identifier. */
function whereTo({ work }: TransferRecord): Pick<ObjectPatch, 'movedTo'> {
  return work.kind === 'delete' && work.only ? { movedTo: work.only.at } : {};
}
