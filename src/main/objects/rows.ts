import type { NewObject } from './catalogue.ts';
import type { SQLInputValue } from 'node:sqlite';
import {
  inPartsSchema,
  type ObjectKind,
  type ObjectRecord,
  type ObjectState,
} from '../../shared/domain/object.ts';
import type { ObjectPatch } from '../../shared/domain/object-changes.ts';
import { writeText } from '../database/text.ts';

/** The codes of kinds and states in the database: append only. */
export const kinds: readonly ObjectKind[] = ['data', 'secret'];
export const states: readonly ObjectState[] = [
  'stored',
  'uploading',
  'unknown',
  'missing',
  'deleting',
  'gone',
  'failed',
];
/** The order of a list sorted by state: what needs attention first. */
const statesInOrder: readonly ObjectState[] = [
  'failed',
  'missing',
  'unknown',
  'uploading',
  'deleting',
  'stored',
  'gone',
];
/** By state code. */
export const stateRanks: readonly number[] = states.map((state) => statesInOrder.indexOf(state));

export const kindOf = (code: number): ObjectKind => kinds[code] ?? 'data';
export const kindCode = (kind: ObjectKind): number => kinds.indexOf(kind);
export const stateCode = (state: ObjectState): number => states.indexOf(state);
export const goneCode = stateCode('gone');

/** The team's name of another person; NULL: this person, or unknown. */
const otherPerson = (column: string) =>
  `iif(${column} IS NULL, NULL, (SELECT shown FROM team_person p JOIN team t ON t.service = p.service
     WHERE p.service = object.service AND p.id = ${column} AND p.id <> t.me))`;

const isOwnStored = `incarnation IS NOT NULL
  AND (stored_by IS NULL OR stored_by = (SELECT me FROM team t WHERE t.service = object.service))`;
const storedBy = otherPerson('stored_by');

/** Sorts by who stored it: the person themselves, the others by name, and unknown people last. */
export const storerOrder = `iif(${isOwnStored}, '', ifnull(${storedBy}, x'ff'))`;

/** Who stored an object, and whether it is on the team's list. */
export const teamMarkColumns = `team_rev IS NOT NULL, ${isOwnStored}, ${storedBy}`;

/** A row of `teamMarkColumns` with `setReturnArrays`. */
export type TeamMarkValues = [isShared: number, isOwnStored: number, storedBy: string | null];
export type TeamMarks = Pick<ObjectRecord, 'isShared' | 'isOwnStored' | 'storedBy'>;

export function toTeamMarks([isShared, isOwn, name]: TeamMarkValues): TeamMarks {
  return {
    ...(isShared === 1 && { isShared: true }),
    ...(isOwn === 1 && { isOwnStored: true }),
    ...(name !== null && { storedBy: name }),
  };
}

/** NULL: not renamed since, or other bytes were stored. */
export const firstStored =
  '(SELECT first_ms FROM first_stored f WHERE f.object = object.id AND f.stored_ms = object.stored_at_ms)';

export const objectColumns =
  'object.id, service_id, kind, identifier, state, length_bytes, sha256, classification, source_name, ' +
  'stored_at_ms, checked_at_ms, activity_token, note, parts, renew_by, claimed, used_at_ms, moved_to, ' +
  `${firstStored}, ${otherPerson('seen_by')}, ${teamMarkColumns}`;

/** A row of `objectColumns` with `setReturnArrays`. */
export type ObjectValues = [
  id: number,
  serviceId: string,
  kind: number,
  identifier: string,
  state: number,
  lengthBytes: number | null,
  sha256: string | null,
  classification: string | null,
  sourceName: string | null,
  storedAtMs: number | null,
  checkedAtMs: number | null,
  activityToken: string | null,
  note: string,
  parts: string | null,
  renewBy: string | null,
  unverified: number,
  usedAtMs: number | null,
  movedTo: string | null,
  firstStoredAtMs: number | null,
  seenBy: string | null,
  ...marks: TeamMarkValues,
];

export function toRecord(values: ObjectValues): ObjectRecord {
  return {
    id: values[0],
    serviceId: values[1],
    kind: kindOf(values[2]),
    identifier: values[3],
    state: states[values[4]] ?? 'unknown',
    lengthBytes: values[5],
    sha256: values[6],
    classification: values[7],
    sourceName: values[8],
    storedAtMs: values[9],
    checkedAtMs: values[10],
    activityToken: values[11],
    note: values[12],
    ...readParts(values[13]),
    ...(values[14] !== null && { renewBy: values[14] }),
    ...(values[15] !== 0 && { unverified: values[15] }),
    ...(values[16] !== null && { usedAtMs: values[16] }),
    ...(values[17] !== null && { movedTo: values[17] }),
    ...(values[18] !== null && { firstStoredAtMs: values[18] }),
    ...(values[19] !== null && { seenBy: values[19] }),
    ...toTeamMarks([values[20], values[21], values[22]]),
  };
}

/** An unreadable value counts as unknown. */
function readParts(text: string | null): Pick<ObjectRecord, 'parts'> {
  if (text === null) return {};
  try {
    return { parts: inPartsSchema.parse(JSON.parse(text)) };
  } catch {
    return {};
  }
}

/** The fields of a row about which nothing is known. */
export const unknownObject: FullPatch = {
  state: 'unknown',
  lengthBytes: null,
  sha256: null,
  classification: null,
  sourceName: null,
  storedAtMs: null,
  checkedAtMs: null,
  activityToken: null,
  note: '',
};

type Optional = 'unverified' | 'parts' | 'renewBy' | 'movedTo';
type FullPatch = Required<Omit<ObjectPatch, Optional>> &
  Pick<ObjectPatch, Optional> &
  Pick<ObjectRecord, 'usedAtMs'>;

export const patchColumns = `state, length_bytes, sha256, classification, source_name, stored_at_ms, checked_at_ms, activity_token,
  note, parts, renew_by, claimed, used_at_ms, moved_to`;

/** Values for `patchColumns`. State, length and digest come first. */
export function patchValues(patch: FullPatch): SQLInputValue[] {
  return [
    stateCode(patch.state),
    patch.lengthBytes,
    patch.sha256,
    patch.classification,
    patch.sourceName,
    patch.storedAtMs,
    patch.checkedAtMs,
    patch.activityToken,
    patch.note,
    patch.parts === undefined ? null : JSON.stringify(patch.parts),
    patch.renewBy ?? null,
    patch.unverified ?? 0,
    patch.usedAtMs ?? null,
    // An object that is stored again has not moved.
    (patch.state === 'gone' ? patch.movedTo : null) ?? null,
  ];
}

/** By code points, as SQLite compares them. */
export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(writeText(a)), Buffer.from(writeText(b)));
}

/** The values of service, kind, identifier and writer, and of `patchColumns`. */
export function insertedValues(
  service: number,
  { kind, identifier, patch }: NewObject,
  writer: number | null,
): SQLInputValue[] {
  return [service, kindCode(kind), identifier, writer, ...patchValues({ ...unknownObject, ...patch })];
}
