import { isUnverified, provenDigest, provenLength } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord, ObjectState } from '../../../shared/domain/object.ts';
import { latestAtMs } from '../../../shared/domain/at-ms.ts';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { Statements } from '../../database/statements.ts';
import { kindCode } from '../rows.ts';
import type { ListObserver } from '../list-observer.ts';
import { tellsPresence } from '../object-writer.ts';
import { type LocalRow, readWords, TeamRows } from './team-rows.ts';

/** Bits: what the team is to be told of an object. */
export const dueBits = { bytes: 1, presence: 2, note: 4, renewBy: 8, forget: 16 } as const;

/** A change in the format of push_1; what is left out is null. */
export interface Change {
  readonly kind: number;
  readonly identifier: string;
  readonly state?: number;
  readonly seen_ms?: number;
  readonly incarnation?: string;
  readonly length_bytes?: number;
  readonly sha256?: string;
  readonly classification?: string;
  readonly source_name?: string;
  readonly stored_ms?: number;
  readonly parts?: ObjectRecord['parts'];
  readonly note?: string;
  readonly note_base?: string;
  readonly renew_by?: string | null;
  readonly sets_renew?: boolean;
  readonly forget?: boolean;
}

/** The server's codes. Other states are not told. */
const toldStates: Partial<Record<ObjectState, number>> = { stored: 0, unknown: 2, missing: 3, gone: 5 };
const [maxIdentifierBytes, maxNameLength, maxTextLength, maxNoteLength] = [2000, 1000, 2000, 10_000];
const maxMs = 8_640_000_000_000_000;

/** Other identifiers stay private: the server's index cannot hold longer ones, and its JSON has no NUL. */
function isShareable(identifier: string): boolean {
  return isText(identifier) && Buffer.byteLength(identifier) <= maxIdentifierBytes;
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isTextUpTo(text: string, length: number): boolean {
  return text.length <= length && isText(text);
}

/** null: there is nothing to tell, or nothing that can be told. */
export function tell(local: LocalRow, bits: number, noteBase: string | null): Change | null {
  const { record } = local;
  const { kind, identifier, classification } = record;
  // The classification decides who may read an object new to the server: without it others might see the identifier.
  if (classification !== null && !isTextUpTo(classification, maxTextLength)) return null;
  const words = tellWords(record, bits, noteBase);
  const facts = { ...tellSeen(local, bits), ...words };
  // Nobody needs to be told that an object they have never heard of is missing.
  const isAway = record.state === 'gone' || record.state === 'missing';
  const isNews = local.rev !== null || !isAway || isStore(local, bits) || Object.keys(words).length > 0;
  if (!isNews || Object.keys(facts).length === 0) return null;
  return { kind: kindCode(kind), identifier, ...(classification !== null && { classification }), ...facts };
}

/**
 * What is told of an object that leaves the list: what was not told yet, but not that it was stored here. The area of
 * those bytes may be closed to this person, and the removal would be refused with them.
 */
function tellForgotten(local: LocalRow, bits: number, noteBase: string | null): Change {
  const { kind, identifier } = local.record;
  const { incarnation: _, ...facts } = tell(local, bits, noteBase) ?? {};
  return { kind: kindCode(kind), identifier, ...facts, forget: true };
}

function tellSeen(local: LocalRow, bits: number): Partial<Change> {
  const { record, incarnation } = local;
  const state = toldStates[record.state];
  if (state === undefined || !(bits & (dueBits.bytes | dueBits.presence))) return {};
  // After an unfinished upload, `unknown` says nothing about what is there. For a secret nothing else can be known.
  if (record.state === 'unknown' && record.kind === 'data') return {};
  return {
    state,
    seen_ms: seenMs(record),
    ...tellLength(record),
    ...(incarnation !== null && isStore(local, bits) && tellStore(record, incarnation)),
  };
}

function isStore({ incarnation }: LocalRow, bits: number): boolean {
  return (bits & dueBits.bytes) !== 0 && incarnation !== null;
}

/** When it was seen here, by the service's clock. */
function seenMs({ checkedAtMs, storedAtMs, ...unverified }: ObjectRecord): number {
  const checked = isUnverified(unverified, 'presence') ? 0 : (checkedAtMs ?? 0);
  return inRange(Math.max(checked, storedAtMs ?? 0));
}

/** For an object in parts HEAD reports the length of its manifest. That it is in parts may be unverified. */
function tellLength(record: ObjectRecord): Partial<Change> {
  const { parts } = record;
  if (parts !== undefined && isUnverified(record, 'digest')) return { length_bytes: parts.manifestBytes };
  const [length, sha256] = [provenLength(record), provenDigest(record)];
  return {
    ...(length !== null && { length_bytes: length }),
    ...(sha256 !== null && { sha256 }),
    ...(parts !== undefined && { parts }),
  };
}

function tellStore(record: ObjectRecord, incarnation: string): Partial<Change> {
  const { sourceName, storedAtMs } = record;
  return {
    incarnation,
    ...(sourceName !== null && isTextUpTo(sourceName, maxNameLength) && { source_name: sourceName }),
    ...(storedAtMs !== null && { stored_ms: inRange(storedAtMs) }),
  };
}

function tellWords(
  { note, renewBy = null }: ObjectRecord,
  bits: number,
  noteBase: string | null,
): Partial<Change> {
  const isNoteDue = (bits & dueBits.note) !== 0 && isTextUpTo(note, maxNoteLength);
  return {
    ...(isNoteDue && { note, note_base: noteBase ?? '' }),
    ...((bits & dueBits.renewBy) !== 0 && { renew_by: renewBy, sets_renew: true }),
  };
}

function inRange(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), maxMs);
}

/** What was heard up to this long after a look may have arrived while the service's answer was on its way into the list. */
const maxAnswerMs = 60_000;

/**
 * Records what the team's server is to be told, in the transaction that changes the list. A set and not a log: of a
 * thousand edits of a note only the last is told. Holds only what was seen or typed here, never what others have said.
 */
export class Outbox implements ListObserver {
  readonly #rows: Statements['rows'];
  readonly #team: TeamRows;
  /** Numbers of the services with a team; null: none. Cached for one transaction, as a rollback may undo the joining. */
  readonly #teams = new Map<string, number | null>();
  #isClearing: boolean | null = null;

  constructor(statements: Statements) {
    this.#rows = statements.rows;
    this.#team = new TeamRows(statements);
  }

  /** Call at the beginning of each transaction. */
  begin(): void {
    this.#teams.clear();
    this.#isClearing = null;
  }

  changed(before: ObjectRecord | null, record: ObjectRecord, patch: ObjectPatch, isStored: boolean): void {
    const isTyped = before === null && record.kind === 'secret' && patch.state === 'unknown';
    const isSeen = tellsPresence(patch) && patch.unverified === undefined;
    const bits =
      (isStored ? dueBits.bytes : 0) |
      (isSeen || isTyped ? dueBits.presence : 0) |
      (record.note === (before?.note ?? '') ? 0 : dueBits.note) |
      ((record.renewBy ?? null) === (before?.renewBy ?? null) ? 0 : dueBits.renewBy);
    this.note(record, bits);
  }

  note(record: ObjectRecord, bits: number): void {
    if (bits === 0) return;
    this.adopted(record.id);
    if (!isShareable(record.identifier)) return;
    const service = this.#serviceOf(record.serviceId);
    if (service !== null) this.mark(service, record, bits | this.#unheard(service, record, bits));
  }

  /** Keeps a row that the person adds, sees or changes when rows of a team that was left, or of a lost area, are cleared. */
  adopted(id: number): void {
    this.#isClearing ??= this.#rows('SELECT 1 FROM team_clearing LIMIT 1').length > 0;
    if (!this.#isClearing) return;
    this.#rows(
      `UPDATE object SET team_rev = NULL, team_area = NULL WHERE id = ? AND EXISTS (
         SELECT 1 FROM team_clearing c
         WHERE c.service = object.service AND object.id > c.after_id AND object.id <= c.last_id
           AND (c.areas IS NULL OR team_area IN (SELECT value FROM json_each(c.areas))))`,
      id,
    );
  }

  /** The first note or "renew by" of an object also tells what was seen here: a missing object was not worth telling before. */
  #unheard(service: number, record: ObjectRecord, bits: number): number {
    const isWord = (bits & (dueBits.note | dueBits.renewBy)) !== 0;
    if (!isWord || record.checkedAtMs === null || isUnverified(record, 'presence')) return 0;
    return this.#team.find(service, record.kind, record.identifier)?.rev === null ? dueBits.presence : 0;
  }

  mark(service: number, record: ObjectRecord, bits: number): void {
    // Storing or seeing it again cancels a pending removal, with the facts recorded for it.
    this.#rows(
      `INSERT OR REPLACE INTO team_due (service, kind, identifier, bits, note_base)
       SELECT ?1, ?2, ?3, ?4 | coalesce(max(bits) & ~?5, 0),
         iif(coalesce(max(bits), 0) & ?6, max(note_base), iif(?4 & ?6, ?7, NULL))
       FROM team_due WHERE service = ?1 AND kind = ?2 AND identifier = ?3`,
      service,
      kindCode(record.kind),
      record.identifier,
      bits,
      dueBits.forget,
      dueBits.note,
      bits & dueBits.note ? readWords(this.#team.wordsOf(record.id)).note : null,
    );
  }

  /** Call when a person takes an object off the list. Drops what is pending if nobody else has heard of the object. */
  forgotten(record: ObjectRecord): void {
    const service = this.#serviceOf(record.serviceId);
    if (service === null || !isShareable(record.identifier)) return;
    const local = this.#team.find(service, record.kind, record.identifier);
    if (local === null) return;
    const due = this.#team.due(service, record.kind, record.identifier);
    const key = [service, kindCode(record.kind), record.identifier] as const;
    const isForgotten = due !== null && (due.bits & dueBits.forget) !== 0;
    if (isForgotten) return;
    const mayBeKnown = local.rev !== null || (due !== null && this.#isOnItsWay(service, due.id));
    if (!mayBeKnown) {
      this.#rows('DELETE FROM team_due WHERE service = ? AND kind = ? AND identifier = ?', ...key);
      return;
    }
    const facts = tellForgotten(local, due?.bits ?? 0, due?.noteBase ?? null);
    this.#rows(
      'INSERT OR REPLACE INTO team_due (service, kind, identifier, bits, facts) VALUES (?, ?, ?, ?, ?)',
      ...key,
      dueBits.forget,
      JSON.stringify(facts),
    );
  }

  /** Also while the list of a team that was left is being cleared. */
  isShared(serviceId: string): boolean {
    const clearing =
      'SELECT 1 FROM team_clearing WHERE service = (SELECT id FROM service WHERE service_id = ?)';
    return this.#serviceOf(serviceId) !== null || this.#rows(clearing, serviceId).length > 0;
  }

  /**
   * Dates an observation later than everything heard before it, even if this computer's clock is far behind: otherwise
   * what others said earlier would override it.
   * @returns the moments of `patch` that are to be later
   */
  later(before: ObjectRecord, { checkedAtMs, storedAtMs }: ObjectPatch): ObjectPatch {
    const seenMs = Math.max(checkedAtMs ?? -Infinity, storedAtMs ?? -Infinity);
    if (seenMs === -Infinity || this.#serviceOf(before.serviceId) === null) return {};
    const heardMs = this.#team.heardMs(before.id);
    if (heardMs === null || heardMs - seenMs <= maxAnswerMs) return {};
    const knownMs = Math.max(heardMs, before.checkedAtMs ?? 0, before.storedAtMs ?? 0);
    const laterMs = Math.min(knownMs + 1, latestAtMs);
    return {
      ...(checkedAtMs != null && { checkedAtMs: laterMs }),
      ...(storedAtMs != null && { storedAtMs: laterMs }),
    };
  }

  #isOnItsWay(service: number, due: number): boolean {
    return (
      this.#rows(
        'SELECT 1 FROM team_flight f, json_each(f.due) d WHERE f.service = ? AND d.value = ?',
        service,
        due,
      ).length > 0
    );
  }

  #serviceOf(serviceId: string): number | null {
    const known = this.#teams.get(serviceId);
    if (known !== undefined) return known;
    const [found] = this.#rows<[number]>(
      'SELECT team.service FROM team JOIN service ON service.id = team.service WHERE service_id = ?',
      serviceId,
    );
    const number = found?.[0] ?? null;
    this.#teams.set(serviceId, number);
    return number;
  }
}
