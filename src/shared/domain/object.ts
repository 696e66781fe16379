import { z } from 'zod';
import { atMsSchema } from './at-ms.ts';
import { renewBySchema } from './secret.ts';
import { serviceIdSchema } from './service.ts';

/** Row id in the database. */
export const objectIdSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export const objectKindSchema = z.enum(['data', 'secret']);
export type ObjectKind = z.infer<typeof objectKindSchema>;

/**
 * What Coffer knows about an object:
 * stored: the service reported success, or HEAD found it; uploading: sent, no response yet;
 * unknown: an outcome is open and was not checked yet; missing: HEAD gave 404;
 * deleting: DELETE accepted, HEAD still finds it; gone: deleted, and HEAD gave 404; failed: never stored.
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

/** For an object in parts: facts about its manifest (docs/parts.md). */
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
  /** Length of the file, even if it is in parts. */
  lengthBytes: z.number().nullable(),
  sha256: z.string().nullable(),
  /** Which facts are unverified, as bits of `factBits`. Omitted: everything was seen here. */
  unverified: z.number().int().min(1).max(7).optional(),
  /** null: the service's default policy. */
  classification: z.string().nullable(),
  sourceName: z.string().nullable(),
  storedAtMs: atMsSchema.nullable(),
  /** When its bytes were first stored, if it was renamed since. */
  firstStoredAtMs: atMsSchema.optional(),
  checkedAtMs: atMsSchema.nullable(),
  activityToken: z.string().nullable(),
  note: z.string(),
  /** Omitted: stored whole, as far as known. */
  parts: inPartsSchema.optional(),
  /** For secrets; null or omitted: none. */
  renewBy: renewBySchema.nullable().optional(),
  /** When a person last stored, fetched or opened it on this computer. Omitted: never. */
  usedAtMs: atMsSchema.optional(),
  /** Its new identifier; only for an object that is gone because it was moved. */
  movedTo: z.string().optional(),
  /** It is on the team's list. */
  isShared: z.literal(true).optional(),
  /** The team's name for the other person who stored it. Omitted: this person did, or it is unknown. */
  storedBy: z.string().optional(),
  /** This person stored it, from this computer or another one. */
  isOwnStored: z.literal(true).optional(),
  /** The team's name for the other person who checked it last. Omitted: it was checked here. */
  seenBy: z.string().optional(),
});
export type ObjectRecord = z.infer<typeof objectRecordSchema>;

/** Whether it is listed as stored with a digest other than this one. An unknown digest proves nothing. */
export function isStoredWithOther({ state, sha256 }: ObjectRecord, digest: string | null): boolean {
  return state === 'stored' && sha256 !== null && digest !== null && sha256 !== digest;
}

/** Whether it can be stored again, with another classification or identifier: data, not chunked, and stored or of unknown state. */
export function isStoredWhole({
  kind,
  state,
  parts,
}: Pick<ObjectRecord, 'kind' | 'state' | 'parts'>): boolean {
  return kind === 'data' && (state === 'stored' || state === 'unknown') && parts === undefined;
}

/** Whether the list knows the classification. An object that was added by its identifier alone may have any. */
export function isClassificationKnown({
  classification,
  storedAtMs,
}: Pick<ObjectRecord, 'classification' | 'storedAtMs'>): boolean {
  return classification !== null || storedAtMs !== null;
}

/** Whether it can be moved: its classification must be known, so that the copy gets it. */
export function canMove(row: ObjectRecord): boolean {
  return isStoredWhole(row) && isClassificationKnown(row);
}

export const historyActionSchema = z.enum([
  'uploaded',
  'replaced',
  'reclassified',
  'moved',
  'movedAway',
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
  /** A fixed word or an AppError code; never a path. */
  detail: z.string().nullable(),
  activityToken: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** How many rows a person can take off the list in one action, or the last few, and still put them back. */
export const removalMax = 20_000;

/** Actions that count as a use of the object: it was stored, or downloaded, including to be opened, edited or saved. */
export const actionsOfUse: ReadonlySet<HistoryEntry['action']> = new Set([
  'uploaded',
  'replaced',
  'moved',
  'existedAlready',
  'downloaded',
]);
/** Maximum number of objects in *Recent*. */
export const recentMax = 200;

/** States that need the user's attention, apart from open conflict prompts. */
export const statesOfAttention: readonly ObjectState[] = ['failed', 'missing', 'unknown'];

export const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('unfiled') }),
  /** '' is the top: *Files*. */
  z.strictObject({ kind: z.literal('folder'), path: z.string().max(8192) }),
  z.strictObject({ kind: z.literal('classification'), value: z.string().max(2000).nullable() }),
  z.strictObject({ kind: z.literal('gone') }),
  z.strictObject({ kind: z.literal('attention') }),
  /** The objects used last. Sorting them by `stored` sorts by last use. */
  z.strictObject({ kind: z.literal('recent') }),
]);
export type Place = z.infer<typeof placeSchema>;

export const sortColumnSchema = z.enum([
  'identifier',
  'classification',
  'size',
  'stored',
  'checked',
  'state',
  'storedBy',
]);
export type SortColumn = z.infer<typeof sortColumnSchema>;

export const searchLengthMax = 1000;

export const objectQuerySchema = z.strictObject({
  serviceId: serviceIdSchema,
  kind: objectKindSchema,
  place: placeSchema,
  /** As typed, including filters such as `class:` and `size:>1mb` (domain/search.ts). */
  search: z.string().max(searchLengthMax),
  /** Show each version as a row; otherwise only the newest, with the others folded (except while searching). */
  allVersions: z.boolean().exactOptional(),
  /** Shows a folder as its folders, then the objects directly in it; offsets count both. A search finds what lies deeper, too. */
  oneLevel: z.boolean().exactOptional(),
  sort: z.strictObject({ column: sortColumnSchema, direction: z.enum(['ascending', 'descending']) }),
});
export type ObjectQuery = z.infer<typeof objectQuerySchema>;

/** Maximum rows per page request, and maximum ids per call. */
export const pageLimitMax = 500;
export const selectionIdsMax = 100_000;

/** All results of a query, evaluated at each use. */
export const querySelectionSchema = z.strictObject({
  kind: z.literal('query'),
  query: objectQuerySchema,
  exceptIds: z.array(objectIdSchema).max(selectionIdsMax),
});

/** A snapshot that main keeps (`objects.freeze`, `objects.selectRange`). */
export const frozenSelectionSchema = z.strictObject({
  kind: z.literal('frozen'),
  ticket: z.uuid(),
  /** Ids excluded or added individually. */
  exceptIds: z.array(objectIdSchema).max(selectionIdsMax).optional(),
  plusIds: z.array(objectIdSchema).max(selectionIdsMax).optional(),
});
export type FrozenSelection = z.infer<typeof frozenSelectionSchema>;

const idSelectionSchema = z.strictObject({
  kind: z.literal('ids'),
  ids: z.array(objectIdSchema).min(1).max(selectionIdsMax),
});
const rowSelectionSchema = z.discriminatedUnion('kind', [
  idSelectionSchema,
  querySelectionSchema,
  frozenSelectionSchema,
]);

/** All objects in these folders, at any depth, at each use; then those of `and`. */
const folderSelectionSchema = z.strictObject({
  kind: z.literal('folders'),
  serviceId: serviceIdSchema,
  paths: z.array(z.string().min(1).max(8192)).min(1).max(selectionIdsMax),
  and: rowSelectionSchema.nullable(),
});

export const selectionSchema = z.discriminatedUnion('kind', [
  idSelectionSchema,
  querySelectionSchema,
  frozenSelectionSchema,
  folderSelectionSchema,
]);
export type Selection = z.infer<typeof selectionSchema>;

/** Selections that are evaluated at each use. */
export const liveSelectionSchema = z.discriminatedUnion('kind', [
  querySelectionSchema,
  folderSelectionSchema,
]);
export type LiveSelection = z.infer<typeof liveSelectionSchema>;

export const folderSchema = z.object({
  /** Full path without a trailing separator. */
  path: z.string(),
  name: z.string(),
  count: z.number(),
  hasChildren: z.boolean(),
});
export type Folder = z.infer<typeof folderSchema>;

/** A folder as a row above the objects. */
export const folderRowSchema = folderSchema.omit({ hasChildren: true }).extend({
  /** Of the objects whose size is known. */
  totalBytes: z.number(),
  /** When its newest object was stored; null: unknown. */
  newestAtMs: z.number().nullable(),
});
export type FolderRow = z.infer<typeof folderRowSchema>;

/** All objects in a folder, at any depth; older versions are folded under the newest. */
export function everythingIn(serviceId: string, path: string): ObjectQuery {
  const sort = { column: 'identifier', direction: 'ascending' } as const;
  return { serviceId, kind: 'data', place: { kind: 'folder', path }, search: '', sort };
}

/** The folder that a query shows level by level ('' is the top); null: none. */
export function levelOf({
  kind,
  place,
  search,
  oneLevel,
}: Omit<ObjectQuery, 'sort' | 'serviceId'>): string | null {
  const isLevel = oneLevel === true && kind === 'data' && place.kind === 'folder' && search.trim() === '';
  return isLevel ? place.path : null;
}

export const collectionsSchema = z.object({
  all: z.number(),
  gone: z.number(),
  secrets: z.number(),
  /** Objects that need attention. */
  attention: z.number(),
  /** There are top-level folders; `objects.folders` lists them. */
  hasFolders: z.boolean(),
  classifications: z.array(z.object({ value: z.string().nullable(), count: z.number() })),
});
export type Collections = z.infer<typeof collectionsSchema>;
