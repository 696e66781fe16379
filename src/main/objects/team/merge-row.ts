import { factBits, isUnverified, provenDigest, provenLength } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { TeamRow } from './team-copy.ts';
import { dueBits } from './outbox.ts';
import {
  readWords,
  writeWords,
  type Due,
  type Heard,
  type LocalRow,
  type TeamFields,
  type Words,
} from './team-rows.ts';

/** The result of merging the team's row into the local one. */
export interface Merged {
  readonly record: ObjectRecord;
  readonly fields: TeamFields;
  /** The local note, if another one has replaced it. */
  readonly noteConflict: string | null;
  /** A later observation on this computer differs from the team's row. */
  readonly isContradicted: boolean;
}

/** Whether the person stored, saw or wrote it: such rows stay when the team no longer lists them. */
export function isOwn(local: LocalRow, me: number): boolean {
  const { record, seenHere, storedBy, words, pushed } = local;
  const { note, renewBy } = readWords(words);
  return (
    seenHere ||
    pushed !== 0 ||
    storedBy === me ||
    !isUnverified(record, 'presence') ||
    record.note !== note ||
    (record.renewBy ?? null) !== renewBy
  );
}

/** The facts of an object known only from the team: all of them are unverified. */
export function heard(team: TeamRow): Heard {
  const { kind, identifier, note, state, seenMs, renewBy } = team;
  const bytes = bytesOf(team);
  const unverified = factBits.presence | factBitsOf(bytes);
  const renewal = renewBy !== null && { renewBy };
  return {
    kind,
    identifier,
    state,
    checkedAtMs: seenMs,
    activityToken: null,
    note,
    unverified,
    ...bytes,
    ...renewal,
  };
}

export function fieldsOf(team: TeamRow): TeamFields {
  const { incarnation, rev, area, storedBy, seenBy, seenMs } = team;
  const words = writeWords(team);
  return { incarnation, rev, area, storedBy, seenBy, seenAtMs: seenMs, seenHere: false, words };
}

/** Whether the row is the server's answer to what was seen here. A note alone that was told does not count. */
export function isAnswer({ rev, pushed }: LocalRow, team: TeamRow): boolean {
  return rev === team.rev && (pushed & dueBits.presence) !== 0;
}

/**
 * Merges the team's row register by register (bytes, presence, note, "renew by"). What this computer has yet to tell
 * stays, and so does what was seen here later. Values taken over are marked as unverified.
 * @param waiting what is still to be told; null: nothing
 */
export function mergeRow(local: LocalRow, team: TeamRow, waiting: Due | null, me: number): Merged {
  // A change that the server has refused is no reason to contradict it.
  const due = waiting === null || waiting.isRefused ? 0 : waiting.bits & ~dueBits.forget;
  // The team has never heard of this person's store: what others found there says nothing about it.
  const isSeenStore = ((local.record.unverified ?? 0) & bytesFacts) === 0;
  const isOwnStore = isSeenStore && (local.storedBy === null || local.storedBy === me);
  const isRefused = waiting?.isRefused === true && (waiting.bits & dueBits.bytes) !== 0;
  const isUnheard = isOwnStore && (isRefused || (waiting === null && local.rev === null));
  const presence = mergePresence(local, team, due);
  const isAnswered = waiting === null && isAnswer(local, team);
  const isOthers = team.storedBy !== null && team.storedBy !== me;
  const bytes = mergeBytes(local, team, due, { isOwnStore, isUnheard, isAnswered, isOthers });
  const words = mergeWords(local, team, due);
  const { unverified: _, parts: _parts, renewBy: _renewBy, ...rest } = local.record;
  const { noteConflict, note, renewBy } = words;
  const unverified = presence.unverified | bytes.unverified;
  return {
    record: {
      ...rest,
      ...presence.facts,
      ...bytes.facts,
      note,
      ...(unverified !== 0 && { unverified }),
      ...(renewBy !== null && { renewBy }),
    },
    fields: {
      ...fieldsOf(team),
      ...bytes.fields,
      seenHere: local.seenHere || presence.isOverruled,
    },
    noteConflict,
    isContradicted: presence.isContradicted || bytes.isContradicted === true,
  };
}

type Presence = {
  readonly facts: Pick<ObjectRecord, 'state' | 'checkedAtMs'>;
  readonly unverified: number;
  /** An own observation still counts as one after it was overruled. */
  readonly isOverruled: boolean;
  readonly isContradicted: boolean;
};

function mergePresence({ record }: LocalRow, team: TeamRow, due: number): Presence {
  const { state, checkedAtMs } = record;
  const unverified = factBits.presence & (record.unverified ?? 0);
  const kept = { facts: { state, checkedAtMs }, unverified, isOverruled: false, isContradicted: false };
  if (due & dueBits.presence) return kept;
  const isSeenHere = unverified === 0 && (state === 'stored' || state === 'missing' || state === 'gone');
  if (state === team.state)
    return isSeenHere ? kept : { ...kept, facts: { state, checkedAtMs: team.seenMs } };
  // Written by somebody who has not looked. That it is missing may not have been worth telling until now.
  if (team.state === 'unknown' && isSeenHere) return { ...kept, isContradicted: true };
  if (isSeenHere && Math.max(record.checkedAtMs ?? 0, record.storedAtMs ?? 0) > team.seenMs)
    return { ...kept, isContradicted: true };
  return {
    facts: { state: team.state, checkedAtMs: team.seenMs },
    unverified: factBits.presence,
    isOverruled: isSeenHere,
    isContradicted: false,
  };
}

type BytesFacts = Pick<
  ObjectRecord,
  'lengthBytes' | 'sha256' | 'classification' | 'sourceName' | 'storedAtMs' | 'parts'
>;
type Bytes = {
  readonly facts: BytesFacts;
  readonly unverified: number;
  readonly fields: Partial<Pick<TeamFields, 'incarnation' | 'storedBy'>>;
  readonly isContradicted?: true;
};

const bytesFacts = factBits.digest | factBits.length;

/**
 * @param told isOwnStore: no fact of the bytes is somebody else's; isAnswered: the team was told what was seen here and still differs, so somebody has looked later;
 *   isOthers: somebody else stored it
 */
function mergeBytes(
  local: LocalRow,
  team: TeamRow,
  due: number,
  told: { isOwnStore: boolean; isUnheard: boolean; isAnswered: boolean; isOthers: boolean },
): Bytes {
  const { record, incarnation, storedBy, words } = local;
  const unverified = bytesFacts & (record.unverified ?? 0);
  const kept: Bytes = { facts: bytesOf(record), unverified, fields: { incarnation, storedBy } };
  if (due & dueBits.bytes) return kept;
  const { isOwnStore, isUnheard, isAnswered, isOthers } = told;
  const isSame = team.incarnation !== null && team.incarnation === incarnation;
  if (isSame && isOwnStore) return { facts: bytesOf(record), unverified, fields: {} };
  const isOther = !isSame && isAnother(local, team);
  // The server ignores a digest found here for bytes that somebody stored, so it stands against what others claim.
  const isResolved = isAnswered && provenDigest(record) === null;
  // As on the server, a length alone counts only if it was seen later than the last look there.
  const saidMs = provenDigest(record) === null ? Math.max(bytesMs(team), team.seenMs) : bytesMs(team);
  if (isOther && !isResolved && seenBytesMs(local, team) > saidMs) return { ...kept, isContradicted: true };
  const theirs = bytesOf(team);
  if (!isSame && (isOther || (incarnation !== null && !isUnheard))) {
    // A look since those bytes were stored proves their length.
    const isChecked = !isOther && isThereHere(record) && (record.checkedAtMs ?? 0) >= bytesMs(team);
    const proven = isChecked && provenLength(record) !== null ? factBits.length : 0;
    return { facts: theirs, unverified: factBitsOf(theirs) & ~proven, fields: {} };
  }
  // The same bytes as far as is known: facts seen here stay, and the team's fill in the rest.
  const [length, sha256] = [provenLength(record), provenDigest(record)];
  const isToldName = record.sourceName === readWords(words).sourceName;
  const knowsParts = sha256 !== null || (record.parts !== undefined && !isUnverified(record, 'digest'));
  const filled = {
    lengthBytes: length === null ? (theirs.lengthBytes ?? record.lengthBytes) : null,
    sha256: sha256 === null ? (theirs.sha256 ?? record.sha256) : null,
    parts: knowsParts ? undefined : (theirs.parts ?? record.parts),
  };
  const parts = knowsParts ? record.parts : filled.parts;
  return {
    facts: {
      lengthBytes: length ?? filled.lengthBytes,
      sha256: sha256 ?? filled.sha256,
      classification:
        team.incarnation === null ? (theirs.classification ?? record.classification) : theirs.classification,
      // Curators may stop sharing file names. A name stored or imported here concerns this computer only, and stays.
      sourceName: theirs.sourceName ?? (isOthers && isToldName ? null : record.sourceName),
      storedAtMs: theirs.storedAtMs ?? record.storedAtMs,
      ...(parts !== undefined && { parts }),
    },
    unverified: factBitsOf(filled),
    fields: {},
  };
}

/** Whether the team's row describes other bytes than those seen here, or another incarnation. */
function isAnother({ record, incarnation }: LocalRow, team: TeamRow): boolean {
  const [seen, told] = [provenDigest(record), team.sha256];
  if (seen !== null && told !== null && seen !== told) return true;
  return !isSameLength(record, team) || (incarnation !== null && team.incarnation !== null);
}

/** An unknown length counts as the same. */
function isSameLength(record: ObjectRecord, team: TeamRow): boolean {
  const [seen, told] = [lengthThere(record), team.parts?.manifestBytes ?? team.lengthBytes];
  return seen === null || told === null || seen === told;
}

/** The length that HEAD reports; null: not known from an own look. */
function lengthThere(record: ObjectRecord): number | null {
  if (record.parts !== undefined) return isUnverified(record, 'digest') ? null : record.parts.manifestBytes;
  return provenLength(record);
}

/**
 * When this computer last saw other bytes there than the team's, by the service's clock. A look at a missing object
 * says nothing about bytes, and HEAD cannot distinguish bytes of the same length.
 */
function seenBytesMs({ record, incarnation }: LocalRow, team: TeamRow): number {
  const { checkedAtMs, storedAtMs } = record;
  const isCheck = isThereHere(record);
  const isTelling = incarnation === null || !isSameLength(record, team);
  const checked = isCheck && isTelling ? (checkedAtMs ?? -Infinity) : -Infinity;
  const stored = provenDigest(record) === null ? -Infinity : (storedAtMs ?? -Infinity);
  return Math.max(checked, stored);
}

/** Whether an own look has found it stored. */
function isThereHere(record: ObjectRecord): boolean {
  return record.state === 'stored' && !isUnverified(record, 'presence');
}

function bytesMs({ incarnation, storedAtMs, seenMs }: TeamRow): number {
  return incarnation === null ? seenMs : (storedAtMs ?? seenMs);
}

function bytesOf(
  row: Omit<BytesFacts, 'parts'> & { readonly parts?: BytesFacts['parts'] | null },
): BytesFacts {
  const { lengthBytes, sha256, classification, sourceName, storedAtMs, parts } = row;
  return { lengthBytes, sha256, classification, sourceName, storedAtMs, ...(parts && { parts }) };
}

function factBitsOf({
  lengthBytes,
  sha256,
  parts,
}: Pick<BytesFacts, 'lengthBytes' | 'sha256' | 'parts'>): number {
  return (
    (lengthBytes === null ? 0 : factBits.length) |
    (sha256 === null && parts === undefined ? 0 : factBits.digest)
  );
}

/** A text typed here that the server never had stays, unless another one comes: then it is kept apart. */
function mergeWords(
  { record, words, pushed }: LocalRow,
  team: TeamRow,
  due: number,
): Omit<Words, 'sourceName'> & { noteConflict: string | null } {
  const last = readWords(words);
  const renewBy = record.renewBy ?? null;
  const takesRenewBy = !(due & dueBits.renewBy) && team.renewBy !== last.renewBy;
  const merged = {
    note: record.note,
    renewBy: takesRenewBy ? team.renewBy : renewBy,
    noteConflict: null,
  };
  if (due & dueBits.note || team.note === last.note || team.note === record.note) return merged;
  if (record.note === last.note || record.note === '') {
    // The curator may have stopped sharing notes: then nobody else has this one.
    const isLost = team.note === '' && (pushed & dueBits.note) !== 0;
    return { ...merged, note: team.note, noteConflict: isLost ? record.note : null };
  }
  return team.note === '' ? merged : { ...merged, note: team.note, noteConflict: record.note };
}
