import { claims, isClaimed, provenDigest, provenLength } from '../../../shared/domain/claims.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { TeamRow } from './team-copy.ts';
import { dueBits } from './tell.ts';
import {
  readWords,
  writeWords,
  type Due,
  type Heard,
  type LocalRow,
  type TeamFields,
  type Words,
} from './team-rows.ts';

/** What a row is to be after the team's word has met what this computer knows. */
export interface Met {
  readonly record: ObjectRecord;
  readonly fields: TeamFields;
  /** A note of this computer that another one came before. */
  readonly keptApart: string | null;
  /** What was seen here later is otherwise. */
  readonly isContradicted: boolean;
}

/** What stays of the list when the team says nothing of it any more: what this person stored, saw here, or wrote. */
export function isOwn(local: LocalRow, me: number): boolean {
  const { record, seenHere, storedBy, words, pushed } = local;
  const { note, renewBy } = readWords(words);
  return (
    seenHere ||
    pushed !== 0 ||
    storedBy === me ||
    !isClaimed(record, 'presence') ||
    record.note !== note ||
    (record.renewBy ?? null) !== renewBy
  );
}

/** The facts of an object that only the team knows: nobody here has seen any of them. */
export function heard(team: TeamRow): Heard {
  const { kind, identifier, note, state, seenMs, renewBy } = team;
  const bytes = bytesOf(team);
  const claimed = claims.presence | claimsIn(bytes);
  const renewal = renewBy !== null && { renewBy };
  return {
    kind,
    identifier,
    state,
    checkedAtMs: seenMs,
    activityToken: null,
    note,
    claimed,
    ...bytes,
    ...renewal,
  };
}

export function fieldsOf(team: TeamRow): TeamFields {
  const { incarnation, rev, area, storedBy, seenBy, seenMs } = team;
  const words = writeWords(team);
  return { incarnation, rev, area, storedBy, seenBy, seenAtMs: seenMs, seenHere: false, words };
}

/** The server was told what was seen here, and has kept what it says. That it was told a note alone is no answer to that. */
export function isAnswer({ rev, pushed }: LocalRow, team: TeamRow): boolean {
  return rev === team.rev && (pushed & dueBits.presence) !== 0;
}

/**
 * Takes the team's word register by register (bytes, presence, note, "renew by"): not where this computer has something to tell of it, and
 * never against what was seen here later. What is taken is marked as somebody's word.
 * @param waiting what the team was not told yet; null: it was told all that it is to hear
 */
export function meet(local: LocalRow, team: TeamRow, waiting: Due | null, me: number): Met {
  // What the server has refused to hear is no reason to contradict it.
  const due = waiting === null || waiting.isRefused ? 0 : waiting.bits & ~dueBits.forget;
  // Of an own store the team has never heard: that others have found something there says nothing of it.
  const isSeenStore = ((local.record.claimed ?? 0) & bytesClaims) === 0;
  const isOwnStore = isSeenStore && (local.storedBy === null || local.storedBy === me);
  const isRefused = waiting?.isRefused === true && (waiting.bits & dueBits.bytes) !== 0;
  const isUnheard = isOwnStore && (isRefused || (waiting === null && local.rev === null));
  const presence = meetPresence(local, team, due);
  const isAnswered = waiting === null && isAnswer(local, team);
  const isOthers = team.storedBy !== null && team.storedBy !== me;
  const bytes = meetBytes(local, team, due, { isUnheard, isAnswered, isOthers });
  const words = meetWords(local, team, due);
  const { claimed: _, parts: _parts, renewBy: _renewBy, ...rest } = local.record;
  const { keptApart, note, renewBy } = words;
  const claimed = presence.claimed | bytes.claimed;
  return {
    record: {
      ...rest,
      ...presence.facts,
      ...bytes.facts,
      note,
      ...(claimed !== 0 && { claimed }),
      ...(renewBy !== null && { renewBy }),
    },
    fields: {
      ...fieldsOf(team),
      ...bytes.fields,
      seenHere: local.seenHere || presence.isOverruled,
    },
    keptApart,
    isContradicted: presence.isContradicted || bytes.isContradicted === true,
  };
}

type Presence = {
  readonly facts: Pick<ObjectRecord, 'state' | 'checkedAtMs'>;
  readonly claimed: number;
  /** An own look that was overruled is still one. */
  readonly isOverruled: boolean;
  readonly isContradicted: boolean;
};

function meetPresence({ record }: LocalRow, team: TeamRow, due: number): Presence {
  const { state, checkedAtMs } = record;
  const claimed = claims.presence & (record.claimed ?? 0);
  const kept = { facts: { state, checkedAtMs }, claimed, isOverruled: false, isContradicted: false };
  if (due & dueBits.presence) return kept;
  const isSeenHere = claimed === 0 && (state === 'stored' || state === 'missing' || state === 'gone');
  if (state === team.state)
    return isSeenHere ? kept : { ...kept, facts: { state, checkedAtMs: team.seenMs } };
  // Somebody wrote of it who has not looked. That it was away may have been no news to tell until now.
  if (team.state === 'unknown' && isSeenHere) return { ...kept, isContradicted: true };
  if (isSeenHere && Math.max(record.checkedAtMs ?? 0, record.storedAtMs ?? 0) > team.seenMs)
    return { ...kept, isContradicted: true };
  return {
    facts: { state: team.state, checkedAtMs: team.seenMs },
    claimed: claims.presence,
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
  readonly claimed: number;
  readonly fields: Partial<Pick<TeamFields, 'incarnation' | 'storedBy'>>;
  readonly isContradicted?: true;
};

const bytesClaims = claims.digest | claims.length;

/**
 * @param told isAnswered: the team was told what was seen here, and says otherwise all the same: somebody has looked later; isOthers: somebody
 *   else stored it
 */
function meetBytes(
  local: LocalRow,
  team: TeamRow,
  due: number,
  { isUnheard, isAnswered, isOthers }: { isUnheard: boolean; isAnswered: boolean; isOthers: boolean },
): Bytes {
  const { record, incarnation, storedBy, words } = local;
  const claimed = bytesClaims & (record.claimed ?? 0);
  const kept: Bytes = { facts: bytesOf(record), claimed, fields: { incarnation, storedBy } };
  if (due & dueBits.bytes) return kept;
  const isSame = team.incarnation !== null && team.incarnation === incarnation;
  const isOther = !isSame && isAnother(local, team);
  // A digest that was found here is never told, and stands against what others claim.
  const isSettled = isAnswered && provenDigest(record) === null;
  // A length alone counts as on the server: only from a look that is later than the last one there.
  const saidMs = provenDigest(record) === null ? Math.max(bytesMs(team), team.seenMs) : bytesMs(team);
  if (isOther && !isSettled && seenBytesMs(local, team) > saidMs) return { ...kept, isContradicted: true };
  const theirs = bytesOf(team);
  if (!isSame && (isOther || (incarnation !== null && !isUnheard))) {
    // Whoever has looked since they lie there knows how long they are.
    const isLookedAt = !isOther && isThereHere(record) && (record.checkedAtMs ?? 0) >= bytesMs(team);
    const proven = isLookedAt && provenLength(record) !== null ? claims.length : 0;
    return { facts: theirs, claimed: claimsIn(theirs) & ~proven, fields: {} };
  }
  // The same bytes as far as is known: what was seen here stays, and the team tells the rest.
  const [length, sha256] = [provenLength(record), provenDigest(record)];
  const isToldName = record.sourceName === readWords(words).sourceName;
  const knowsParts = sha256 !== null || (record.parts !== undefined && !isClaimed(record, 'digest'));
  const told = {
    lengthBytes: length === null ? (theirs.lengthBytes ?? record.lengthBytes) : null,
    sha256: sha256 === null ? (theirs.sha256 ?? record.sha256) : null,
    parts: knowsParts ? undefined : (theirs.parts ?? record.parts),
  };
  const parts = knowsParts ? record.parts : told.parts;
  return {
    facts: {
      lengthBytes: length ?? told.lengthBytes,
      sha256: sha256 ?? told.sha256,
      classification:
        team.incarnation === null ? (theirs.classification ?? record.classification) : theirs.classification,
      // Curators may take back that names are shared. One that was stored or imported here is nobody's business but this computer's.
      sourceName: theirs.sourceName ?? (isOthers && isToldName ? null : record.sourceName),
      storedAtMs: theirs.storedAtMs ?? record.storedAtMs,
      ...(parts !== undefined && { parts }),
    },
    claimed: claimsIn(told),
    fields: {},
  };
}

/** Whether the team tells of other bytes than those that were seen here, or that another incarnation has. */
function isAnother({ record, incarnation }: LocalRow, team: TeamRow): boolean {
  const [seen, told] = [provenDigest(record), team.sha256];
  if (seen !== null && told !== null && seen !== told) return true;
  return !isSameLength(record, team) || (incarnation !== null && team.incarnation !== null);
}

/** As far as is known. */
function isSameLength(record: ObjectRecord, team: TeamRow): boolean {
  const [seen, told] = [lengthThere(record), team.parts?.manifestBytes ?? team.lengthBytes];
  return seen === null || told === null || seen === told;
}

/** What HEAD has told, or would; null: not known from an own look. */
function lengthThere(record: ObjectRecord): number | null {
  if (record.parts !== undefined) return isClaimed(record, 'digest') ? null : record.parts.manifestBytes;
  return provenLength(record);
}

/**
 * When it was seen on this computer last, by the service's clock, that there are other bytes than the team tells of. A look at what is
 * away says nothing of bytes, and HEAD cannot tell apart those of the same length.
 */
function seenBytesMs({ record, incarnation }: LocalRow, team: TeamRow): number {
  const { checkedAtMs, storedAtMs } = record;
  const isLook = isThereHere(record);
  const isTelling = incarnation === null || !isSameLength(record, team);
  const looked = isLook && isTelling ? (checkedAtMs ?? -Infinity) : -Infinity;
  const stored = provenDigest(record) === null ? -Infinity : (storedAtMs ?? -Infinity);
  return Math.max(looked, stored);
}

/** An own look has found it there. */
function isThereHere(record: ObjectRecord): boolean {
  return record.state === 'stored' && !isClaimed(record, 'presence');
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

function claimsIn({
  lengthBytes,
  sha256,
  parts,
}: Pick<BytesFacts, 'lengthBytes' | 'sha256' | 'parts'>): number {
  return (
    (lengthBytes === null ? 0 : claims.length) | (sha256 === null && parts === undefined ? 0 : claims.digest)
  );
}

/** A text that was typed here and that the server never had stays, unless another one comes: then it is kept apart. */
function meetWords(
  { record, words, pushed }: LocalRow,
  team: TeamRow,
  due: number,
): Omit<Words, 'sourceName'> & { keptApart: string | null } {
  const last = readWords(words);
  const renewBy = record.renewBy ?? null;
  const takesRenewBy = !(due & dueBits.renewBy) && team.renewBy !== last.renewBy;
  const met = {
    note: record.note,
    renewBy: takesRenewBy ? team.renewBy : renewBy,
    keptApart: null,
  };
  if (due & dueBits.note || team.note === last.note || team.note === record.note) return met;
  if (record.note === last.note || record.note === '') {
    // Its curator may share no notes any more: then nobody else has this one.
    const isLost = team.note === '' && (pushed & dueBits.note) !== 0;
    return { ...met, note: team.note, keptApart: isLost ? record.note : null };
  }
  return team.note === '' ? met : { ...met, note: team.note, keptApart: record.note };
}
