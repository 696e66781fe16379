import { z } from 'zod';
import {
  collectionsSchema,
  folderRowSchema,
  folderSchema,
  frozenSelectionSchema,
  historyEntrySchema,
  objectIdSchema,
  objectKindSchema,
  objectQuerySchema,
  objectRecordSchema,
  pageLimitMax,
  liveSelectionSchema,
  selectionIdsMax,
  selectionSchema,
} from '../domain/object.ts';
import { thumbnailSchema } from '../domain/preview.ts';
import { folderChangeSchema } from '../domain/folder.ts';
import { renewBySchema } from '../domain/secret.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { savedFileSchema, transferIdSchema } from '../domain/transfer.ts';
import {
  leftPartsSchema,
  objectFailureSchema,
  objectRowSchema,
  partsShownSchema,
  rowPlaceSchema,
  selectionMixSchema,
  selectionSummarySchema,
} from './object-shapes.ts';
import { call, nothing, offset, limit, revision, type Procedures, type Events } from './parts.ts';

const previewSchema = z.object({
  kind: z.enum(['text', 'image', 'audio', 'video', 'pdf']),
  url: z.string(),
  /** Too large to fetch at once: its URL answers range requests, any number of times. */
  isInPieces: z.boolean().optional(),
  /** From the service, for this preview. */
  isFetched: z.boolean().optional(),
});

/** The list of objects. */
export const objectsProcedures = {
  'objects.page': call.command(
    { query: objectQuerySchema, offset, limit },
    {
      revision,
      /** Omitted unless the query asks for them. */
      folders: z
        .object({
          total: z.number(),
          rows: z.array(folderRowSchema),
          /** The folder itself is kept without objects. */
          isKept: z.literal(true).exactOptional(),
        })
        .optional(),
      total: z.number(),
      totalBytes: z.number(),
      /** Older versions folded under the rows; not part of the total. */
      folded: z.number().optional(),
      /** For a search: the count without it. */
      outOf: z.number().optional(),
      /** Of `rows`, counting objects only. */
      offset,
      rows: z.array(objectRowSchema),
    },
  ),
  /**
   * Freezes the rows between two, inclusive and in either order, plus those of `and`: a selection with Shift of any length.
   * Returns a bit set of its rows for display: bit `n` (lowest bit of each byte first) is the row `firstId + n`.
   */
  'objects.selectRange': call(
    {
      query: objectQuerySchema,
      from: rowPlaceSchema,
      to: rowPlaceSchema,
      and: selectionSchema.nullable(),
    },
    {
      selection: frozenSelectionSchema,
      count: z.number(),
      firstId: z.number(),
      /** Base64. */
      bits: z.string(),
    },
  ),
  /** Index of a row in a query's results; null: not among them. */
  'objects.indexOf': call({ query: objectQuerySchema, id: objectIdSchema }, { index: z.number().nullable() }),
  /** Index of a folder among those above the objects of a query; null: not among them. */
  'objects.folderIndex': call(
    { query: objectQuerySchema, path: z.string().min(1).max(8192) },
    { index: z.number().nullable() },
  ),
  /** For each row, in order: the row that a query shows for it: itself, or the one it is folded under. */
  'objects.shownAs': call(
    {
      query: objectQuerySchema,
      ids: z.array(objectIdSchema).min(1).max(selectionIdsMax),
    },
    { ids: z.array(z.number()) },
  ),
  /**
   * The next row whose name starts with the typed text, from `from` on and wrapping around: the name within the place's folder,
   * or else the last part. Folders above the objects are found, too: with negative indices up to -1, and no id. null: no match.
   */
  'objects.findName': call(
    {
      query: objectQuerySchema,
      typed: z.string().min(1).max(200),
      from: z.number().int(),
    },
    {
      found: z.object({ index: z.number(), id: objectIdSchema.nullable() }).nullable(),
    },
  ),
  /** Freezes the current results of a filter, for a confirmation. Only the last few are kept. */
  'objects.freeze': call({ selection: liveSelectionSchema }, { selection: frozenSelectionSchema }),
  /**
   * Freezes a selection together with the deletable older versions of its rows that it does not contain, and counts
   * these.
   */
  'objects.freezeVersions': call(
    { selection: selectionSchema },
    { selection: frozenSelectionSchema, older: z.number() },
  ),
  'objects.summarize': call.command({ selection: selectionSchema }, selectionSummarySchema),
  'objects.mixOf': call({ selection: selectionSchema }, selectionMixSchema),
  'objects.get': call.command(
    { id: objectIdSchema },
    {
      object: objectRowSchema,
      history: z.array(historyEntrySchema),
      failure: objectFailureSchema.nullable(),
      /** All versions on the list, including this one, newest first. */
      versions: z.array(z.object({ number: z.number(), object: objectRowSchema })).optional(),
    },
  ),
  /**
   * Probes the service for versions stored by others, and adds them to the list.
   * @param wasSeen the service has just shown that the object is there
   */
  'objects.findVersions': call.command(
    { id: objectIdSchema, wasSeen: z.boolean().optional() },
    { added: z.number() },
  ),
  /**
   * Stores the bytes of a version again as the newest. Resolves when they are downloaded and verified;
   * an ordinary upload follows.
   */
  'objects.makeCurrent': call({ id: objectIdSchema }, { base: z.string() }),
  /** Compares two versions; texts within the preview limits line by line. */
  'objects.compareVersions': call(
    { ids: z.tuple([objectIdSchema, objectIdSchema]) },
    {
      digest: z.enum(['same', 'different', 'unknown']),
      /** null: not compared by line (`problem`), identical, or too different. */
      lines: z
        .array(z.object({ kind: z.enum(['same', 'removed', 'added', 'skipped']), text: z.string() }))
        .nullable(),
      problem: z.enum(['type', 'size', 'state', 'storing']).nullable(),
    },
  ),
  /** The latest file this object was saved as, as far as the transfer history goes back; null: none. */
  'objects.savedFile': call({ id: objectIdSchema }, { saved: savedFileSchema.nullable() }),
  /** The downloads that saved these objects last, of the first 100 objects, as far as their files are still there. */
  'objects.savedFiles': call({ selection: selectionSchema }, { transferIds: z.array(transferIdSchema) }),
  /** The parts of an object and the progress of its transfer; null: stored whole, as far as known. */
  'objects.parts': call({ id: objectIdSchema }, { parts: partsShownSchema.nullable() }),
  /** Orphans at the service, which only the user may remove. */
  'objects.leftParts': call.command(
    { serviceId: serviceIdSchema },
    {
      uploads: z.array(leftPartsSchema),
      /** Uploads whose orphans are being removed. */
      removing: z.array(z.string()),
    },
  ),
  /** Removes the orphans of these uploads, unless a manifest at the object's identifier names them. */
  'objects.removeLeftParts': call.command({
    serviceId: serviceIdSchema,
    uploads: z.array(z.string().max(64)).max(10_000),
  }),
  /** As `objects.removeLeftParts`, for the upload of a part that this list may not know: all its parts up to this one. */
  'objects.removePartsUpTo': call.command({ serviceId: serviceIdSchema, lastPart: z.string().max(8192) }),
  'objects.setNote': call({ id: objectIdSchema, note: z.string().max(10_000) }),
  /** For secrets; null removes it. */
  'objects.setRenewBy': call({ id: objectIdSchema, renewBy: renewBySchema.nullable() }),
  'objects.collections': call.command({ serviceId: serviceIdSchema }, collectionsSchema),
  'objects.folders': call.command(
    { serviceId: serviceIdSchema, parent: z.string().max(8192) },
    { folders: z.array(folderSchema), more: z.number() },
  ),
  /**
   * Keeps a folder without objects on this computer, until something is stored in it.
   * @throws AppFailure badIdentifier
   */
  'objects.makeFolder': call(
    { serviceId: serviceIdSchema, into: z.string().max(8192), name: z.string().max(8192) },
    {
      path: z.string(),
      /** What has that name already; null: it was made. */
      taken: z.enum(['folder', 'object']).nullable(),
    },
  ),
  /** Removes the folders without objects that are among these, or inside of one. No request is sent. */
  'objects.removeFolders': call(
    {
      serviceId: serviceIdSchema,
      paths: z.array(z.string().max(8192)).min(1).max(selectionIdsMax),
      /** Only says which ones. */
      isDryRun: z.literal(true).optional(),
    },
    { changes: z.array(folderChangeSchema) },
  ),
  /** Undoes changes of folders without objects, as far as they still are as they were left. */
  'objects.undoFolders': call({
    serviceId: serviceIdSchema,
    changes: z.array(folderChangeSchema),
    /** Of `objects.move`: what points at these folders goes back, too. */
    places: z.array(folderChangeSchema).exactOptional(),
  }),
  /** The names of a selection's first rows, for confirmations. */
  'objects.names': call(
    { selection: selectionSchema, limit: z.number().int().min(1).max(20) },
    {
      rows: z.array(objectRecordSchema.pick({ id: true, identifier: true, lengthBytes: true })),
    },
  ),
  /** The row of an identifier. Rejects with notFound (object) if the list has none. */
  'objects.find': call(
    {
      serviceId: serviceIdSchema,
      kind: objectKindSchema,
      identifier: z.string().max(8192),
    },
    objectRecordSchema.pick({ id: true, state: true }),
  ),
  /** Which of these identifiers are stored, as far as the list knows. */
  'objects.stored': call(
    {
      serviceId: serviceIdSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(pageLimitMax),
    },
    {
      stored: z.array(objectRecordSchema.pick({ identifier: true, classification: true })),
    },
  ),
  /**
   * A relative URL that works once, for a short time: text, an image, audio or video, never a document. Serves a file that the object
   * was uploaded from or saved as, if it still has these bytes; otherwise downloads it, up to 16 MB and only with `mayFetch`.
   * null: only a download would do.
   */
  'objects.preview': call(
    { id: objectIdSchema, mayFetch: z.boolean() },
    { preview: previewSchema.nullable() },
  ),
  /**
   * The kept thumbnail of an object; or, to make one, a preview: from a file of this computer, or fetched if its classification's previews
   * are. Neither: it has none.
   */
  'objects.thumbnail': call(
    { id: objectIdSchema },
    { thumbnail: thumbnailSchema.nullable(), preview: previewSchema.nullable() },
  ),
  /** Keeps a thumbnail beyond this session, if previews of its classification are fetched and the object has the same bytes still. */
  'objects.keepThumbnail': call({
    id: objectIdSchema,
    sha256: z.string(),
    thumbnail: thumbnailSchema,
  }),
  /** The next object that was uploaded and is to have a thumbnail that is kept. */
  'objects.nextThumbnail': call(nothing, {
    object: objectRecordSchema.pick({ id: true, sha256: true }).nullable(),
  }),
  /** Classifications (null: the service's default) whose previews are fetched automatically. */
  'objects.previewChoices': call(
    { serviceId: serviceIdSchema },
    {
      automatic: z.array(z.string().nullable()),
      /** Those for which the person was asked, or has chosen. Omitted: none. */
      asked: z.array(z.string().nullable()).optional(),
    },
  ),
  'objects.choosePreview': call({
    serviceId: serviceIdSchema,
    classification: z.string().max(2000).nullable(),
    isAutomatic: z.boolean(),
  }),
} as const satisfies Procedures;

export const objectsEvents = {
  'objects.changed': z.object({ serviceId: serviceIdSchema, revision }),
  /** Fewer previews may be fetched. */
  'objects.previewsRefused': nothing,
} as const satisfies Events;
