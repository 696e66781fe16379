import { z } from 'zod';
import { atMsSchema } from '../../../shared/domain/at-ms.ts';
import { checkObjectId } from '../../../shared/domain/object-id.ts';
import { inPartsSchema, objectKindSchema, type ObjectKind } from '../../../shared/domain/object.ts';
import { renewBySchema } from '../../../shared/domain/renewal.ts';
import type { TeamMoved, TeamRow } from '../../objects/team/team-copy.ts';
import type { Row } from './line.ts';

export const kinds = objectKindSchema.options;
export const numberOfKind = (kind: ObjectKind) => kinds.indexOf(kind);

/** The server refuses longer ones. */
const identifierMaxBytes = 2000;

/** As columns come: texts. A member may have written them by any program, and the server itself may be anybody's. */
const numberSchema = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number);
export const revSchema = numberSchema.pipe(z.number().int().max(Number.MAX_SAFE_INTEGER));
const idSchema = numberSchema.pipe(z.number().int().max(2_147_483_647));
const textSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\0') && text.isWellFormed());
const kindSchema = z.enum(['0', '1']).transform((number): ObjectKind => (number === '0' ? 'data' : 'secret'));
const identifierSchema = textSchema(identifierMaxBytes).refine(
  (text) => Buffer.byteLength(text) <= identifierMaxBytes && checkObjectId(text).ok,
);
const states = { 0: 'stored', 2: 'unknown', 3: 'missing', 5: 'gone' } as const;
const stateSchema = z.enum(['0', '2', '3', '5']).transform((number) => states[number]);
const momentSchema = numberSchema.pipe(atMsSchema);
const partsSchema = z
  .string()
  .max(1000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(inPartsSchema);

const fields = {
  kind: ['kind', kindSchema],
  identifier: ['identifier', identifierSchema],
  rev: ['rev', revSchema],
  area: ['area', idSchema],
  state: ['state', stateSchema],
  seenMs: ['seen_ms', momentSchema],
  seenBy: ['seen_by', idSchema],
  incarnation: ['incarnation', z.guid().nullable()],
  lengthBytes: ['length_bytes', revSchema.nullable()],
  sha256: [
    "encode(sha256, 'hex')",
    z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  ],
  classification: ['classification', textSchema(2000).nullable()],
  sourceName: ['source_name', textSchema(1000).nullable()],
  storedAtMs: ['stored_ms', momentSchema.nullable()],
  storedBy: ['stored_by', idSchema.nullable()],
  parts: ['parts', partsSchema.nullable()],
  note: ['note', textSchema(10_000)],
  renewBy: ["to_char(renew_by, 'YYYY-MM-DD')", renewBySchema.nullable()],
  isForgotten: ['is_forgotten', z.enum(['t', 'f']).transform((letter) => letter === 't')],
} as const satisfies Record<keyof TeamRow, readonly [sql: string, schema: z.ZodType]>;

const names = Object.keys(fields);
/** What is selected of `coffer.object`. */
export const rowColumns = Object.values(fields)
  .map(([sql]) => sql)
  .join(', ');
const rowSchema: z.ZodType<TeamRow> = z.object(
  Object.fromEntries(Object.entries(fields).map(([name, [, schema]]) => [name, schema])),
) as never;

const movedSchema = z.tuple([kindSchema, identifierSchema, revSchema, idSchema]);
export const movedColumns = 'kind, identifier, rev, area';

/** undefined: it is left out. */
export const readRow = (row: Row): TeamRow | undefined =>
  rowSchema.safeParse(Object.fromEntries(names.map((name, at) => [name, row[at]]))).data;

export function readMoved(row: Row): TeamMoved | undefined {
  const { data } = movedSchema.safeParse(row);
  if (data === undefined) return undefined;
  const [kind, identifier, rev, area] = data;
  return { kind, identifier, rev, area };
}

const placeSchema = z.tuple([
  kindSchema,
  z
    .string()
    .min(1)
    .max(identifierMaxBytes)
    .regex(/^[^\0]+$/),
]);

/**
 * Where a page ends. The row may be one that is left out, as a member may have written it to hold up everybody.
 * @throws if the server could not be asked to go on from there
 */
export function placeOf(row: Row): { kind: ObjectKind; identifier: string } {
  const [kind, identifier] = placeSchema.parse(row.slice(0, 2));
  return { kind, identifier };
}
