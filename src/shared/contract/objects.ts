import { z } from 'zod';
import {
  collectionsSchema,
  folderSchema,
  frozenSelectionSchema,
  historyEntrySchema,
  objectIdSchema,
  objectKindSchema,
  objectQuerySchema,
  objectRecordSchema,
  querySelectionSchema,
  selectionIdsMax,
  selectionSchema,
} from '../domain/object.ts';
import { renewBySchema } from '../domain/renewal.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { taskSchema } from '../domain/task.ts';
import { savedFileSchema } from '../domain/transfer.ts';
import {
  importReportSchema,
  leftPartsSchema,
  objectFailureSchema,
  objectRowSchema,
  partsShownSchema,
  rowPlaceSchema,
  selectionMixSchema,
  selectionSummarySchema,
} from './object-shapes.ts';
import { nothing, offset, limit, revision, type Procedures, type Events } from './parts.ts';

/**
 * The folder of the place that a download is asked from, '' where it has none: with the setting `keepFolders` the folders below
 * it are kept. Without: the place of a query; of other selections the names alone are kept.
 */
const belowSchema = z.string().max(8192).optional();

/** The list of objects, and what is done with many of them. */
export const objectsProcedures = {
  'objects.page': {
    input: z.strictObject({ query: objectQuerySchema, offset, limit }),
    output: z.object({
      revision,
      total: z.number(),
      totalBytes: z.number(),
      /** How many older versions are folded under the rows: they are not among the total. */
      folded: z.number().optional(),
      /** Of a search: how many there are without it. */
      outOf: z.number().optional(),
      offset,
      rows: z.array(objectRowSchema),
    }),
  },
  /**
   * Keeps the rows between two, both included and in either order, and those of `and`: a selection with Shift, however long.
   * The page is told which they are so that it can show them: bit `n` (the lowest of its byte first) is the row `firstId + n`.
   */
  'objects.selectRange': {
    input: z.strictObject({
      query: objectQuerySchema,
      from: rowPlaceSchema,
      to: rowPlaceSchema,
      and: selectionSchema.nullable(),
    }),
    output: z.object({
      selection: frozenSelectionSchema,
      count: z.number(),
      firstId: z.number(),
      /** Base64. */
      bits: z.string(),
    }),
  },
  /** Where a row stands in a query, null when it is not in it. */
  'objects.indexOf': {
    input: z.strictObject({ query: objectQuerySchema, id: objectIdSchema }),
    output: z.object({ index: z.number().nullable() }),
  },
  /** Each of these rows, or the one that it is folded under in a query, in the same order. */
  'objects.shownAs': {
    input: z.strictObject({
      query: objectQuerySchema,
      ids: z.array(objectIdSchema).min(1).max(selectionIdsMax),
    }),
    output: z.object({ ids: z.array(z.number()) }),
  },
  /**
   * The next row whose name begins with what was typed, from `from` on and round to it again: the name inside the folder of the place,
   * else the last part. null: there is none.
   */
  'objects.findName': {
    input: z.strictObject({ query: objectQuerySchema, typed: z.string().min(1).max(200), from: offset }),
    output: z.object({ found: z.object({ index: z.number(), id: objectIdSchema }).nullable() }),
  },
  /** Keeps what a filter finds now, for a question that is asked about it; the last few are kept. */
  'objects.freeze': {
    input: z.strictObject({ selection: querySelectionSchema }),
    output: z.object({ selection: frozenSelectionSchema }),
  },
  /**
   * Keeps a selection together with the older versions of each of its rows that can be deleted, and says how many these are. They
   * are none that it has already.
   */
  'objects.freezeVersions': {
    input: z.strictObject({ selection: selectionSchema }),
    output: z.object({ selection: frozenSelectionSchema, older: z.number() }),
  },
  'objects.summarize': {
    input: z.strictObject({ selection: selectionSchema }),
    output: selectionSummarySchema,
  },
  'objects.mixOf': {
    input: z.strictObject({ selection: selectionSchema }),
    output: selectionMixSchema,
  },
  'objects.get': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({
      object: objectRowSchema,
      history: z.array(historyEntrySchema),
      failure: objectFailureSchema.nullable(),
      /** What the list has of its family, the newest first, itself among them. */
      versions: z.array(z.object({ number: z.number(), object: objectRowSchema })).optional(),
    }),
  },
  /** Asks the service for versions that somebody else has stored, and puts them on the list. */
  'objects.findVersions': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ added: z.number() }),
  },
  /**
   * Stores the bytes of a version again as the newest: fetched, compared with what is known of them and on this disk when it
   * answers, the rest is an upload like any other.
   */
  'objects.makeCurrent': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ base: z.string() }),
  },
  /** The first with the second; texts within the limits of previews line by line. */
  'objects.compareVersions': {
    input: z.strictObject({ ids: z.tuple([objectIdSchema, objectIdSchema]) }),
    output: z.object({
      digest: z.enum(['same', 'different', 'unknown']),
      /** null: they are not compared by lines (`problem`), or are the same, or have too little in common. */
      lines: z
        .array(z.object({ kind: z.enum(['same', 'removed', 'added', 'skipped']), text: z.string() }))
        .nullable(),
      problem: z.enum(['type', 'size', 'state']).nullable(),
    }),
  },
  /** The newest file that this object was downloaded as and the list of transfers still knows of; null: there is none. */
  'objects.savedFile': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ saved: savedFileSchema.nullable() }),
  },
  /** How an object lies in parts, and how those of a transfer of it stand; null: it lies whole, as far as is known. */
  'objects.parts': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ parts: partsShownSchema.nullable() }),
  },
  /** Parts of deleted files and cancelled uploads that are left at the service until a person wants them removed. */
  'objects.leftParts': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: z.object({
      uploads: z.array(leftPartsSchema),
      /** Uploads whose parts are being removed just now. */
      removing: z.array(z.string()),
    }),
  },
  /** Those of these uploads are removed, unless a list that names them lies at their object. */
  'objects.removeLeftParts': {
    input: z.strictObject({ serviceId: serviceIdSchema, uploads: z.array(z.string().max(64)).max(10_000) }),
    output: nothing,
  },
  'objects.setNote': {
    input: z.strictObject({ id: objectIdSchema, note: z.string().max(10_000) }),
    output: nothing,
  },
  /** Of a secret; null takes it away. */
  'objects.setRenewBy': {
    input: z.strictObject({ id: objectIdSchema, renewBy: renewBySchema.nullable() }),
    output: nothing,
  },
  'objects.collections': { input: z.strictObject({ serviceId: serviceIdSchema }), output: collectionsSchema },
  'objects.folders': {
    input: z.strictObject({ serviceId: serviceIdSchema, parent: z.string().max(8192) }),
    output: z.object({ folders: z.array(folderSchema), more: z.number() }),
  },
  'objects.check': { input: z.strictObject({ selection: selectionSchema }), output: taskSchema },
  'objects.delete': { input: z.strictObject({ selection: selectionSchema }), output: taskSchema },
  /**
   * Takes rows that are gone, missing or failed, and secrets that were only named, off the list; the service is not asked.
   * `unstoredOnly`: those that failed, of which nothing was ever stored.
   */
  'objects.forget': {
    input: z.strictObject({ selection: selectionSchema, unstoredOnly: z.boolean().optional() }),
    output: z.object({ forgotten: z.number() }),
  },
  'objects.copyIdentifiers': {
    input: z.strictObject({ selection: selectionSchema }),
    output: z.object({ count: z.number() }),
  },
  /** `saveAs` asks for the place and takes one object only; null: the person cancelled. */
  'objects.download': {
    input: z.strictObject({ selection: selectionSchema, saveAs: z.boolean(), below: belowSchema }),
    output: z.object({ count: z.number() }).nullable(),
  },
  /** One job each; starts are paced. */
  'objects.downloadDeferred': {
    input: z.strictObject({ selection: selectionSchema, below: belowSchema }),
    output: z.object({ count: z.number() }),
  },
  /** What a download would be, to be asked about before it begins. */
  'objects.downloadEstimate': {
    input: z.strictObject({ selection: selectionSchema }),
    output: selectionSummarySchema.extend({
      /** Of the disk that the service's download folder is on; null: it cannot be told, as when the folder is gone. */
      freeBytes: z.number().nullable(),
    }),
  },
  /** The names of a selection's first rows, for confirmations. */
  'objects.names': {
    input: z.strictObject({ selection: selectionSchema, limit: z.number().int().min(1).max(20) }),
    output: z.object({
      rows: z.array(objectRecordSchema.pick({ id: true, identifier: true, lengthBytes: true })),
    }),
  },
  'objects.addKnown': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      kind: objectKindSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(100_000),
    }),
    output: taskSchema,
  },
  /** A URL relative to the page, good once and for a short time. Text and pictures up to 2 MB, never as a document. */
  'objects.preview': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ kind: z.enum(['text', 'image']), url: z.string() }),
  },
  /** Of which classifications (null: the service default) previews are fetched without being asked for. */
  'objects.previewChoices': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: z.object({ automatic: z.array(z.string().nullable()) }),
  },
  'objects.choosePreview': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      classification: z.string().max(2000).nullable(),
      isAutomatic: z.boolean(),
    }),
    output: nothing,
  },
  'objects.export': {
    input: z.strictObject({ serviceId: serviceIdSchema, format: z.enum(['jsonl', 'csv']) }),
    output: z.object({ fileName: z.string(), count: z.number() }).nullable(),
  },
  'objects.import': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: importReportSchema.nullable(),
  },
  /** Ends one that goes on, by the id of its progress; what it has done by then stays, and `objects.import` answers with it. */
  'objects.cancelImport': { input: z.strictObject({ id: z.uuid() }), output: nothing },

  'tasks.list': { input: nothing, output: z.object({ revision, tasks: z.array(taskSchema) }) },
  'tasks.cancel': { input: z.strictObject({ id: z.number().int().positive() }), output: nothing },
} as const satisfies Procedures;

export const objectsEvents = {
  /** Four times a second while a list is imported, and once when it is over, however it ended. */
  'objects.importProgress': z.object({
    id: z.uuid(),
    serviceId: serviceIdSchema,
    fileName: z.string(),
    doneBytes: z.number(),
    totalBytes: z.number(),
    lines: z.number(),
    isOver: z.boolean(),
  }),
  'objects.changed': z.object({ serviceId: serviceIdSchema, revision }),
  'tasks.changed': z.object({ revision }),
} as const satisfies Events;
