import type { DatabaseSync } from 'node:sqlite';
import { factBits, isUnverified, provenDigest } from '../../shared/domain/unverified.ts';
import { actionsOfUse, type ObjectRecord, type ObjectState } from '../../shared/domain/object.ts';
import { open } from '../local-files/fs.ts';
import type { NewObject } from './catalogue.ts';
import type { HistoryNote, ObjectPatch } from '../../shared/domain/object-changes.ts';
import { runTransaction } from '../database/migrations.ts';
import { unknownObject } from './rows.ts';
import { nobody, type ListObserver } from './list-observer.ts';
import type { ObjectStore } from './object-store.ts';

/** Size of the WAL, in pages, at which a long operation checkpoints it: large, so that each page is written once. */
const unflushedPages = 16_000;

/** added: false if the row existed before. */
export type AddedRow = { readonly record: ObjectRecord; readonly added: boolean };
export type Saved = {
  readonly record: ObjectRecord;
  readonly textChanged: boolean;
  /** It was stored before: what it is in was there by it already. */
  readonly wasStored?: boolean;
  /** Of an object under way to another identifier. */
  readonly isMoving?: true;
};

export type Removed = Pick<ObjectRecord, 'serviceId' | 'id'>;

/** Also if other bytes, or another classification, are being stored now. */
const wasStored = ({ state, storedAtMs }: ObjectRecord) => state === 'stored' || storedAtMs !== null;

/** Keeps data in memory in step with the database. Called after each committed transaction. */
export interface RowFollower {
  readonly saved?: (saved: readonly Saved[]) => void;
  readonly removed?: (rows: readonly Removed[]) => void;
  readonly serviceRemoved?: (serviceId: string, service: number) => void;
}

/** Changes rows of the list. Code that writes through `rows` directly must call `noteSaved`. */
export class ObjectWriter {
  readonly rows: ObjectStore;
  readonly #db: DatabaseSync;
  /** Set as soon as the list of a service is shared. */
  observer: ListObserver = nobody;
  readonly #nowMs: () => number;
  #beforeCommit: () => void = () => undefined;
  readonly #followers: RowFollower[] = [];
  /**
   * Cached because consecutive rows usually belong to one service; per transaction, as a rollback may remove the service.
   */
  #lastService: { readonly number: number; readonly id: string } | null = null;
  #saved: Saved[] = [];
  #removed: Removed[] = [];

  constructor(db: DatabaseSync, rows: ObjectStore, nowMs: () => number) {
    this.#db = db;
    this.rows = rows;
    this.#nowMs = nowMs;
  }

  follow(follower: RowFollower): void {
    this.#followers.push(follower);
  }

  /** @param work runs at the end of each transaction that has changed rows */
  beforeCommit(work: () => void): void {
    this.#beforeCommit = work;
  }

  /** All methods below that change rows must be called within one, except `removeService`. */
  transaction<T>(work: () => T): T {
    this.#lastService = null;
    this.observer.begin();
    const saved: Saved[] = (this.#saved = []);
    const removed: Removed[] = (this.#removed = []);
    const result = runTransaction(this.#db, () => {
      const done = work();
      if (saved.length > 0 || removed.length > 0) this.#beforeCommit();
      return done;
    });
    for (const follower of this.#followers) {
      if (saved.length > 0) follower.saved?.(saved);
      if (removed.length > 0) follower.removed?.(removed);
    }
    return result;
  }

  /**
   * One of the many transactions of a long operation: atomic, but durable only when `flush` resolves or another
   * caller commits. Waiting for the disk after each would take most of the time.
   */
  unflushed<T>(work: () => T): T {
    const usual = Number(this.#db.prepare('PRAGMA wal_autocheckpoint').get()?.['wal_autocheckpoint']);
    this.#db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${String(unflushedPages)}`);
    try {
      return this.transaction(work);
    } finally {
      this.#db.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${String(usual)}`);
    }
  }

  /** Makes everything written by `unflushed` durable. */
  async flush(): Promise<void> {
    const path = this.#db.location();
    if (path === null) return;
    const log = await open(`${path}-wal`, 'r+');
    try {
      await log.sync();
    } finally {
      await log.close();
    }
  }

  /** Leaves existing identifiers unchanged. @param writer the transfer that the row is added for */
  add(service: number, object: NewObject, writer: number | null = null): AddedRow | null {
    const id = this.rows.insert(service, object, writer);
    return id === null ? this.#found(service, object) : this.#added(service, object, id);
  }

  /** Like `add`, for many, each with its own writer. @returns in the same order */
  addFor(
    service: number,
    objects: readonly { readonly object: NewObject; readonly writer: number }[],
  ): (AddedRow | null)[] {
    const ids = this.rows.insertFor(service, objects);
    return objects.map(({ object, writer }) => {
      const id = ids.get(writer);
      return id === undefined ? this.#found(service, object) : this.#added(service, object, id);
    });
  }

  #found(service: number, { kind, identifier }: NewObject): AddedRow | null {
    const record = this.rows.find(service, kind, identifier);
    if (record === null) return null;
    this.observer.adopted(record.id);
    return { record, added: false };
  }

  #added(service: number, object: NewObject, id: number): AddedRow {
    if (object.history !== undefined) this.#addHistory(id, object.history);
    const { kind, identifier, patch } = object;
    const serviceId = this.#serviceId(service);
    const record: ObjectRecord = { id, serviceId, kind, identifier, ...unknownObject, ...patch };
    this.#saved.push({ record, textChanged: true });
    this.observer.changed(null, record, patch, false);
    return { record, added: true };
  }

  #serviceId(service: number): string {
    if (this.#lastService?.number !== service) {
      this.#lastService = { number: service, id: this.rows.serviceId(service) ?? '' };
    }
    return this.#lastService.id;
  }

  /**
   * @param manifest what is stored under the identifier, if the patch says that the object is in parts. Part data
   * belongs to the bytes it describes: a new length or digest without it means that the object is stored whole, as
   * far as is known.
   * @param incarnation of the bytes that a transfer has stored; null: other bytes; omitted: unchanged unless the bytes
   * differ or may be somebody else's
   */
  save(
    before: ObjectRecord,
    given: ObjectPatch,
    history?: HistoryNote,
    manifest?: string,
    incarnation?: string | null,
  ): void {
    const isFoundGone = before.state === 'gone' && given.state === 'stored' && before.parts === undefined;
    const mayBeOthers = incarnation === undefined && mayBeOtherPersons(before, given);
    const patch = {
      ...(isFoundGone && { sha256: null }),
      // Without it, joining a team does not take it for stored here either.
      ...(mayBeOthers ? { storedAtMs: null } : storedBefore(before, given)),
      ...given,
      ...this.observer.later(before, given),
    };
    const isSame =
      !isOtherThan(before.lengthBytes, patch.lengthBytes) && !isOtherThan(before.sha256, patch.sha256);
    const { parts, unverified: _, ...rest } = { ...before, ...patch };
    const unverified = unverifiedAfter(before, patch);
    const isInParts = parts !== undefined && ('parts' in patch || isSame);
    const record: ObjectRecord = {
      ...rest,
      ...(unverified !== 0 && { unverified }),
      ...(isInParts && { parts }),
      ...(history && isUse(history) && { usedAtMs: this.#nowMs() }),
    };
    this.rows.update(record);
    if (before.parts !== undefined && record.parts?.manifestSha256 !== before.parts.manifestSha256)
      this.rows.setManifest(record.id, null);
    if (manifest !== undefined) this.rows.setManifest(record.id, manifest);
    if (incarnation !== undefined || !isSame || mayBeOthers)
      this.rows.setIncarnation(record.id, incarnation ?? null);
    if (history !== undefined) this.#addHistory(record.id, history);
    this.observer.changed(before, record, patch, typeof incarnation === 'string');
    const textChanged = before.note !== record.note || before.sourceName !== record.sourceName;
    this.#saved.push({ record, textChanged, wasStored: wasStored(before) });
  }

  note(id: number, history: HistoryNote): void {
    this.#addHistory(id, history);
    if (isUse(history)) this.noteUse(id);
  }

  /** Notes a use of the object that does not belong in its history. */
  noteUse(id: number): void {
    const before = this.rows.get(id);
    if (before === null) return;
    const record = { ...before, usedAtMs: this.#nowMs() };
    this.rows.update(record);
    this.#saved.push({ record, textChanged: false, wasStored: wasStored(before) });
  }

  #addHistory(id: number, history: HistoryNote): void {
    this.rows.addHistory(id, history, this.#nowMs());
  }

  remove(record: ObjectRecord): void {
    this.observer.forgotten(record);
    this.drop(record);
  }

  /** Removes a row from this computer's list only. */
  drop(record: ObjectRecord): void {
    this.rows.remove(record.id);
    this.#removed.push(record);
  }

  /** Like `drop`, for many rows of one service. */
  dropMany(serviceId: string, ids: readonly number[]): void {
    this.rows.removeMany(ids);
    for (const id of ids) this.#removed.push({ serviceId, id });
  }

  /** Call after writing through `rows` directly. */
  noteSaved(saved: readonly Saved[]): void {
    for (const each of saved) this.#saved.push(each);
  }

  removeService(serviceId: string): void {
    const service = this.rows.service(serviceId);
    if (service === null) return;
    this.rows.removeService(service.number);
    for (const follower of this.#followers) follower.serviceRemoved?.(serviceId, service.number);
  }
}

/**
 * What is at an identifier that was seen to be empty may be somebody else's, even if the length is the same. If that
 * 404 came too late, or from a token that may not see the object, an own one counts as not own: then it is not deleted
 * unless a person names it. For a missing object, a digest proves that the bytes are the same ones.
 */
function mayBeOtherPersons(before: ObjectRecord, { state = before.state, sha256 }: ObjectPatch): boolean {
  if (!isAway(before.state) || isAway(state)) return false;
  return before.state === 'gone' || sha256 == null || sha256 !== provenDigest(before);
}

/** What only a list has said of when it was stored is not later than the look that proves that it is there. */
function storedBefore(before: ObjectRecord, { checkedAtMs, storedAtMs }: ObjectPatch): ObjectPatch {
  const isProof = isUnverified(before, 'presence') && before.isShared !== true && storedAtMs === undefined;
  if (!isProof || checkedAtMs == null || before.storedAtMs === null) return {};
  return { storedAtMs: Math.min(before.storedAtMs, checkedAtMs) };
}

function isAway(state: ObjectState): boolean {
  return state === 'gone' || state === 'missing';
}

function isUse({ action, isByItself }: HistoryNote): boolean {
  return actionsOfUse.has(action) && isByItself !== true;
}

/**
 * The facts that are still unverified. Whatever is written through `save` was seen here: a digest, a length, or, by the
 * time of storing or of a check, whether the object is there. Imports and the team copy write unverified facts, through `rows`.
 */
function unverifiedAfter({ unverified = 0 }: ObjectRecord, patch: ObjectPatch): number {
  const seen =
    (patch.sha256 === undefined ? 0 : factBits.digest) |
    (patch.lengthBytes === undefined ? 0 : factBits.length) |
    (tellsPresence(patch) ? factBits.presence : 0);
  return unverified & ~seen;
}

export function tellsPresence({ checkedAtMs, storedAtMs }: ObjectPatch): boolean {
  return checkedAtMs !== undefined || storedAtMs != null;
}

/** Filling in an unknown value contradicts nothing. */
function isOtherThan<T>(before: T | null, now: T | null | undefined): boolean {
  return now !== undefined && before !== null && now !== before;
}
