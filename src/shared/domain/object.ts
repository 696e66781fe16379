import { z } from 'zod';
import { atMsSchema } from './at-ms.ts';
import { renewBySchema } from './renewal.ts';
import { serviceIdSchema } from './service.ts';

/** A row of the catalogue, by its number in the database. */
export const objectIdSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export const objectKindSchema = z.enum(['data', 'secret']);
export type ObjectKind = z.infer<typeof objectKindSchema>;

/**
 * What Coffer knows of an object:
 * stored: the service answered success, or HEAD found it; uploading: on its way, nothing answered yet;
 * unknown: nobody has looked since something was left open; missing: HEAD answered 404;
 * deleting: deletion is initiated, HEAD still finds it; gone: deleted and 404; failed: never arrived.
 */
export const objectStateSchema = z.enum([
  'stored',
  'uploading',
  'unknown',
  'missing',
  'deleting',
  'gone',
  'failed',
]);
export type ObjectState = z.infer<typeof objectStateSchema>;

/** Of an object that lies in parts: what lies under the identifier itself, a list of them (docs/parts.md). */
export const inPartsSchema = z.object({
  count: z.number().int().positive(),
  manifestBytes: z.number().int().positive(),
  manifestSha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type InParts = z.infer<typeof inPartsSchema>;

export const objectRecordSchema = z.object({
  id: objectIdSchema,
  serviceId: serviceIdSchema,
  identifier: z.string(),
  kind: objectKindSchema,
  state: objectStateSchema,
  /** Of the file, also where it lies in parts. */
  lengthBytes: z.number().nullable(),
  sha256: z.string().nullable(),
  /** null: the service's default policy. */
  classification: z.string().nullable(),
  sourceName: z.string().nullable(),
  storedAtMs: atMsSchema.nullable(),
  checkedAtMs: atMsSchema.nullable(),
  activityToken: z.string().nullable(),
  note: z.string(),
  /** Without: it lies whole under its identifier, as far as is known. */
  parts: inPartsSchema.optional(),
  /** Of a secret; null or without: none was set. */
  renewBy: renewBySchema.nullable().optional(),
});
export type ObjectRecord = z.infer<typeof objectRecordSchema>;

export const historyActionSchema = z.enum([
  'uploaded',
  'replaced',
  'uploadFailed',
  'downloaded',
  'downloadFailed',
  'checkedPresent',
  'checkedMissing',
  'deleteStarted',
  'deleted',
  'deleteFailed',
  'added',
  'imported',
  'existedAlready',
  'secretRead',
  'noteChanged',
]);
export const historyEntrySchema = z.object({
  atMs: atMsSchema,
  action: historyActionSchema,
  /** In words of ours, or the code of an AppError; never a path. */
  detail: z.string().nullable(),
  activityToken: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** What needs a person, beside what waits for an answer to a question of its upload. */
export const statesOfAttention: readonly ObjectState[] = ['failed', 'missing', 'unknown'];

export const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('unfiled') }),
  z.strictObject({ kind: z.literal('folder'), path: z.string().min(1).max(8192) }),
  z.strictObject({ kind: z.literal('classification'), value: z.string().max(2000).nullable() }),
  z.strictObject({ kind: z.literal('gone') }),
  z.strictObject({ kind: z.literal('attention') }),
]);
export type Place = z.infer<typeof placeSchema>;

export const sortColumnSchema = z.enum([
  'identifier',
  'classification',
  'size',
  'stored',
  'checked',
  'state',
]);
export type SortColumn = z.infer<typeof sortColumnSchema>;

export const objectQuerySchema = z.strictObject({
  serviceId: serviceIdSchema,
  kind: objectKindSchema,
  place: placeSchema,
  /** As typed, tokens such as `class:` and `size:>1mb` included (domain/search.ts). */
  search: z.string().max(1000),
  /** Each version is a row; without, the newest of each is shown and the others are folded (not while searching). */
  allVersions: z.boolean().exactOptional(),
  sort: z.strictObject({ column: sortColumnSchema, direction: z.enum(['ascending', 'descending']) }),
});
export type ObjectQuery = z.infer<typeof objectQuerySchema>;

/** How many rows a page may ask for at once, and how many it may name one by one. */
export const pageLimitMax = 500;
export const selectionIdsMax = 100_000;

/** Everything a filter finds, not only what is loaded; each time anew. */
export const querySelectionSchema = z.strictObject({
  kind: z.literal('query'),
  query: objectQuerySchema,
  exceptIds: z.array(objectIdSchema).max(selectionIdsMax),
});
export type QuerySelection = z.infer<typeof querySelectionSchema>;

/** What main was asked to keep (`objects.freeze`, `objects.selectRange`), whatever arrives later. */
export const frozenSelectionSchema = z.strictObject({
  kind: z.literal('frozen'),
  ticket: z.uuid(),
  /** Left out of it, or added to it, one by one. */
  exceptIds: z.array(objectIdSchema).max(selectionIdsMax).optional(),
  plusIds: z.array(objectIdSchema).max(selectionIdsMax).optional(),
});
export type FrozenSelection = z.infer<typeof frozenSelectionSchema>;

export const selectionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ids'), ids: z.array(objectIdSchema).min(1).max(selectionIdsMax) }),
  querySelectionSchema,
  frozenSelectionSchema,
]);
export type Selection = z.infer<typeof selectionSchema>;

export const folderSchema = z.object({
  /** The whole folder part, without a separator at its end. */
  path: z.string(),
  name: z.string(),
  count: z.number(),
  hasChildren: z.boolean(),
});
export type Folder = z.infer<typeof folderSchema>;

export const collectionsSchema = z.object({
  all: z.number(),
  unfiled: z.number(),
  gone: z.number(),
  secrets: z.number(),
  /** Objects that need a person. */
  attention: z.number(),
  /** Top-level folders exist; their rows come from `objects.folders`. */
  hasFolders: z.boolean(),
  classifications: z.array(z.object({ value: z.string().nullable(), count: z.number() })),
});
export type Collections = z.infer<typeof collectionsSchema>;
