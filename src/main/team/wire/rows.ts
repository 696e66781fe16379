import { z } from 'zod';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import { inPartsSchema, objectKindSchema, type ObjectKind } from '../../../shared/domain/object.ts';
import { renewBySchema } from '../../../shared/domain/secret.ts';
import { parseJson } from '../../lib/json.ts';
import type { LeftArea, TeamRow } from '../../objects/team/team-copy.ts';
import type { Row } from './line.ts';

const kinds = objectKindSchema.options;
export const numberOfKind = (kind: ObjectKind) => kinds.indexOf(kind);

/** The server refuses longer ones. */
const identifierMaxBytes = 2000;

const numberOf = (text: string | null) => (text === null ? null : Number(text));
const states: Readonly<Record<string, TeamRow['state']>> = {
  0: 'stored',
  2: 'unknown',
  3: 'missing',
  5: 'gone',
};

/** Columns arrive as texts. The schemas refuse what these make of invalid ones. */
const columns = {
  kind: ['kind', kindOf],
  identifier: ['identifier', textOf],
  rev: ['rev', numberOf],
  area: ['area', numberOf],
  state: ['state', (text) => states[text ?? '']],
  seenMs: ['seen_ms', numberOf],
  seenBy: ['seen_by', numberOf],
  incarnation: ['incarnation', textOf],
  lengthBytes: ['length_bytes', numberOf],
  sha256: ["encode(sha256, 'hex')", textOf],
  classification: ['classification', textOf],
  sourceName: ['source_name', textOf],
  storedAtMs: ['stored_ms', numberOf],
  storedBy: ['stored_by', numberOf],
  parts: ['parts', partsOf],
  note: ['note', textOf],
  renewBy: ["to_char(renew_by, 'YYYY-MM-DD')", textOf],
  isForgotten: ['is_forgotten', (text) => text === 't'],
} as const satisfies Record<keyof TeamRow, readonly [sql: string, read: (text: string | null) => unknown]>;

/** The columns selected from `coffer.object`. */
export const rowColumns = Object.values(columns)
  .map(([sql]) => sql)
  .join(', ');
const readers = Object.entries(columns).map(([name, [, read]]) => [name, read] as const);

/** A member may have written it with any program, and the server need not be a real one. */
const textSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\0') && text.isWellFormed());
const identifierSchema = textSchema(identifierMaxBytes).refine(
  (text) => Buffer.byteLength(text) <= identifierMaxBytes && checkObjectId(text).ok,
);
const countSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const idSchema = z.number().int().min(0).max(2_147_483_647);
const rowSchema = z.object({
  kind: objectKindSchema,
  identifier: identifierSchema,
  rev: countSchema,
  area: idSchema,
  state: z.enum(['stored', 'unknown', 'missing', 'gone']),
  seenMs: atMsSchema,
  seenBy: idSchema,
  incarnation: z.guid().nullable(),
  lengthBytes: countSchema.nullable(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  classification: textSchema(2000).nullable(),
  sourceName: textSchema(1000).nullable(),
  storedAtMs: atMsSchema.nullable(),
  storedBy: idSchema.nullable(),
  parts: inPartsSchema.nullable(),
  note: textSchema(10_000),
  renewBy: renewBySchema.nullable(),
  isForgotten: z.boolean(),
}) satisfies z.ZodType<TeamRow>;

const leftAreaSchema = z.object({
  kind: objectKindSchema,
  identifier: identifierSchema,
  rev: countSchema,
  area: idSchema,
});
export const leftAreaColumns = 'kind, identifier, rev, area';

/** undefined: to be left out. */
export const readRow = (row: Row): TeamRow | undefined =>
  rowSchema.safeParse(Object.fromEntries(readers.map(([name, read], at) => [name, read(row[at] ?? null)])))
    .data;

export function readLeftArea([kind = null, identifier, rev = null, area = null]: Row): LeftArea | undefined {
  return leftAreaSchema.safeParse({
    kind: kindOf(kind),
    identifier,
    rev: numberOf(rev),
    area: numberOf(area),
  }).data;
}

/** The number of a row, even of one that is left out. @throws if it is not a number */
export const revOf = (row: Row): number => countSchema.parse(numberOf(row[2] ?? null));

const placeSchema = z.object({
  kind: objectKindSchema,
  identifier: z
    .string()
    .max(identifierMaxBytes)
    .regex(/^[^\0]+$/),
});

/**
 * The key at which a page ends. Its row may be one that is left out: a member may have written it to hold up everybody.
 * @throws if the next page could not be asked for from there
 */
export const placeOf = ([kind = null, identifier]: Row): { kind: ObjectKind; identifier: string } =>
  placeSchema.parse({ kind: kindOf(kind), identifier });

function kindOf(text: string | null): ObjectKind | undefined {
  return text === null ? undefined : kinds[Number(text)];
}

function textOf(text: string | null): string | null {
  return text;
}

/** undefined: unreadable. */
function partsOf(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}
