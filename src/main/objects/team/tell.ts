import { isClaimed, provenDigest, provenLength } from '../../../shared/domain/claims.ts';
import type { ObjectRecord, ObjectState } from '../../../shared/domain/object.ts';
import type { LocalRow } from './team-rows.ts';
import { kindCode } from '../rows.ts';

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
export function isShareable(identifier: string): boolean {
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
export function tellForgotten(local: LocalRow, bits: number, noteBase: string | null): Change {
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
function seenMs({ checkedAtMs, storedAtMs, ...claimed }: ObjectRecord): number {
  const looked = isClaimed(claimed, 'presence') ? 0 : (checkedAtMs ?? 0);
  return inRange(Math.max(looked, storedAtMs ?? 0));
}

/** For a chunked object HEAD reports the length of its manifest. That it is chunked may be a claim. */
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
