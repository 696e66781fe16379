import { isClaimed, provenDigest, provenLength } from '../../../shared/domain/claims.ts';
import type { ObjectRecord, ObjectState } from '../../../shared/domain/object.ts';
import type { LocalRow } from './team-rows.ts';
import { kindCode } from '../rows.ts';

/** What of an object the team is to be told. */
export const dueBits = { bytes: 1, presence: 2, note: 4, renewBy: 8, forget: 16 } as const;

/** A change as push_1 takes it; what is left out is null. */
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

/** Codes of the server. Of the other states there is nothing to tell. */
const toldStates: Partial<Record<ObjectState, number>> = { stored: 0, unknown: 2, missing: 3, gone: 5 };
const [maxIdentifierBytes, maxNameLength, maxTextLength, maxNoteLength] = [2000, 1000, 2000, 10_000];
const maxMs = 8_640_000_000_000_000;

/** Others stay private: the server's index cannot hold longer ones, and its JSON has no NUL. */
export function isShareable(identifier: string): boolean {
  return isText(identifier) && Buffer.byteLength(identifier) <= maxIdentifierBytes;
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isTextUpTo(text: string, length: number): boolean {
  return text.length <= length && isText(text);
}

/** null: there is nothing to tell, or nothing that could be told. */
export function tell(local: LocalRow, bits: number, noteBase: string | null): Change | null {
  const { record } = local;
  const { kind, identifier, classification } = record;
  // It decides who may read an object that the server does not know yet: without it others might see the identifier.
  if (classification !== null && !isTextUpTo(classification, maxTextLength)) return null;
  const words = tellWords(record, bits, noteBase);
  const facts = { ...tellSeen(local, bits), ...words };
  // That something is not there, of which nobody has heard, is of no interest.
  const isAway = record.state === 'gone' || record.state === 'missing';
  const isNews = local.rev !== null || !isAway || isStore(local, bits) || Object.keys(words).length > 0;
  if (!isNews || Object.keys(facts).length === 0) return null;
  return { kind: kindCode(kind), identifier, ...(classification !== null && { classification }), ...facts };
}

/**
 * What is kept of an object that leaves the list: what was not told yet. Not that it was stored here: the area in which those bytes would lie may be
 * closed to this person, and the wish would be refused with them.
 */
export function tellForgotten(local: LocalRow, bits: number, noteBase: string | null): Change {
  const { kind, identifier } = local.record;
  const { incarnation: _, ...facts } = tell(local, bits, noteBase) ?? {};
  return { kind: kindCode(kind), identifier, ...facts, forget: true };
}

function tellSeen(local: LocalRow, bits: number): Partial<Change> {
  const { record, incarnation } = local;
  const state = toldStates[record.state];
  if (state === undefined || !(bits & (dueBits.bytes | dueBits.presence))) return {};
  // What an upload left open is no word about what is there. Of a secret nothing else can be known.
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
function seenMs({ checkedAtMs, storedAtMs, ...claimed }: ObjectRecord): number {
  const looked = isClaimed(claimed, 'presence') ? 0 : (checkedAtMs ?? 0);
  return inRange(Math.max(looked, storedAtMs ?? 0));
}

/** Of a file in parts HEAD tells the length of its manifest: that it lies in parts may be somebody's word. */
function tellLength(record: ObjectRecord): Partial<Change> {
  const { parts } = record;
  if (parts !== undefined && isClaimed(record, 'digest')) return { length_bytes: parts.manifestBytes };
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
