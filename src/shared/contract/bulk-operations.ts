import { z } from 'zod';
import { objectIdSchema, objectKindSchema, objectRecordSchema, selectionSchema } from '../domain/object.ts';
import { folderChangeSchema } from '../domain/folder.ts';
import { appErrorSchema } from '../errors.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { taskSchema } from '../domain/task.ts';
import { pickedMax, transferIdSchema } from '../domain/transfer.ts';
import { importReportSchema, selectionSummarySchema } from './object-shapes.ts';
import { call, classificationValue, nothing, revision, type Procedures, type Events } from './parts.ts';

/**
 * The folder that the download is started from, '' for none: with the setting `keepFolders`, folders below it are kept.
 * If omitted: the folder of a query's place; other selections keep only the names.
 */
const belowSchema = z.string().max(8192).optional();

/**
 * For one object, its new identifier. For several, a folder, where they keep their names ('' is the top). For everything in a
 * folder, a new prefix of the identifiers in place of `from`.
 */
const moveInputSchema = z.strictObject({
  selection: selectionSchema,
  to: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('name'), identifier: z.string().max(8192) }),
    z.strictObject({ kind: z.literal('folder'), folder: z.string().max(8192) }),
    z.strictObject({ kind: z.literal('beginning'), from: z.string().max(8192), to: z.string().max(8192) }),
  ]),
});

/** What is done with a selection of objects, or with the whole list; long ones are tasks. */
export const bulkOperationsProcedures = {
  'objects.check': call.command({ selection: selectionSchema }, taskSchema),
  /**
   * @param unseen nobody has looked whether the objects are there: those that HEAD does not find end as `missing`, and count as
   * nothing
   * @param isHeld sends nothing for ten seconds, in which `tasks.cancel` undoes all of it; after a quit or a kill within them nothing
   * is sent before `objects.answerUnsent`
   */
  'objects.delete': call.command(
    {
      selection: selectionSchema,
      unseen: z.literal(true).exactOptional(),
      isHeld: z.literal(true).exactOptional(),
    },
    taskSchema,
  ),
  /** Takes back the deletion of an object of which nothing is sent yet. `isKept` false: there is none, or it is being sent. */
  'objects.keep': call({ id: objectIdSchema }, { isKept: z.boolean() }),
  /** Objects that are still there, and whose deletion was not sent because Coffer ended within the ten seconds. */
  'objects.unsentDeletions': call({ serviceId: serviceIdSchema }, { count: z.number() }),
  /** Deletes or keeps them. */
  'objects.answerUnsent': call({ serviceId: serviceIdSchema, answer: z.enum(['delete', 'keep']) }),
  /**
   * Removes rows that are deleted, missing or failed, and secrets known by identifier only, without asking the service.
   * `unstoredOnly`: only failed ones of which nothing was ever stored.
   * `removal`: for `objects.putBack`; null: they can't be put back, because they are too many or the list is a team's.
   */
  'objects.forget': call(
    { selection: selectionSchema, unstoredOnly: z.boolean().optional() },
    { forgotten: z.number(), removal: z.uuid().nullable() },
  ),
  /** Puts removed rows back as they were. Those whose identifier the list has again stay away. @throws AppFailure notFound */
  'objects.putBack': call({ removal: z.uuid() }, { count: z.number() }),
  'objects.copyIdentifiers': call({ selection: selectionSchema }, { count: z.number() }),
  /** `saveAs` asks for the destination and takes a single object. null: the user cancelled. */
  'objects.download': call(
    { selection: selectionSchema, saveAs: z.boolean(), below: belowSchema },
    z.object({ count: z.number() }).nullable(),
  ),
  /** One deferred request each; the starts are paced. */
  'objects.downloadDeferred': call({ selection: selectionSchema, below: belowSchema }, { count: z.number() }),
  /**
   * Stores objects again unchanged, with another classification (null: the service's default). `leftOut`: objects that already
   * have it, are secrets or chunked, or are not known to be stored.
   * @param isUndo waits for what is under way with them
   */
  'objects.reclassify': call(
    {
      selection: selectionSchema,
      classification: classificationValue.nullable(),
      isUndo: z.literal(true).exactOptional(),
    },
    { count: z.number(), leftOut: z.number() },
  ),
  /** What `objects.move` would do: the first few names, all counts. */
  'objects.planMove': call(moveInputSchema, {
    count: z.number(),
    /** Number of folders without objects that go along, without a request. Omitted: none. */
    folders: z.number().exactOptional(),
    totalBytes: z.number(),
    rows: z.array(
      objectRecordSchema.pick({ id: true, identifier: true, lengthBytes: true }).extend({ to: z.string() }),
    ),
    /** For one object, its identifier without a version; for several, their common folder: '' or with a trailing separator. */
    base: z.string(),
    /** Number of objects chosen, each with all its versions. */
    chosen: z.number(),
    /** New identifiers that are already on the list or, for one object, at the service. */
    taken: z.number(),
    /** The service did not say in time whether the new identifier of one object is taken. */
    isUnchecked: z.literal(true).exactOptional(),
    /** Objects already there, secret, chunked, not known to be stored, or of unknown classification. */
    leftOut: z.number(),
    /** Of the first new identifier that is invalid. */
    error: appErrorSchema.nullable(),
  }),
  /**
   * Stores objects under other identifiers, then deletes them. All versions of an object go with it. Objects that `objects.planMove`
   * counts as taken or left out stay. @param ifFree moves nothing if any of the new identifiers is taken; the service is asked about a
   * few, and says more when they are stored @throws AppFailure badIdentifier
   */
  'objects.move': call(moveInputSchema.extend({ ifFree: z.literal(true).exactOptional() }), {
    count: z.number(),
    leftOut: z.number(),
    /** With `ifFree`: new identifiers that are on the list, or at the service; then nothing moves. */
    taken: z.number(),
    /** For `objects.undoMove`; none of more than one call takes. */
    transferIds: z.array(transferIdSchema),
    /** The row of one object, or of its newest version, under its new identifier; null: none, or several moved. */
    renamedId: objectIdSchema.nullable(),
    /** What `objects.undoFolders` undoes. Omitted: no folder without objects went along. */
    folders: z.array(folderChangeSchema).exactOptional(),
    /** Folders that moved whole: favourites have followed, and do so again with `objects.undoFolders`. Omitted: none. */
    places: z.array(folderChangeSchema).exactOptional(),
  }),
  /**
   * Cancels what has not been moved yet, and moves back what has, unless its former identifier is in use again. Waits for what is
   * under way with them.
   */
  'objects.undoMove': call(
    { transferIds: z.array(transferIdSchema).max(pickedMax) },
    {
      leftOut: z.number(),
      /** Those that move back. */
      transferIds: z.array(transferIdSchema),
    },
  ),
  /** Facts about a download, for its confirmation. */
  'objects.downloadEstimate': call(
    { selection: selectionSchema },
    selectionSummarySchema.extend({
      /** Free space on the disk of the service's download folder; null: unknown, for example because the folder is gone. */
      freeBytes: z.number().nullable(),
    }),
  ),
  /** @param unseen adds the identifiers as unknown, without asking the service */
  'objects.addKnown': call.command(
    {
      serviceId: serviceIdSchema,
      kind: objectKindSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(100_000),
      unseen: z.literal(true).exactOptional(),
    },
    taskSchema,
  ),
  'objects.export': call(
    { serviceId: serviceIdSchema, format: z.enum(['jsonl', 'csv']) },
    z.object({ fileName: z.string(), count: z.number() }).nullable(),
  ),
  'objects.import': call({ serviceId: serviceIdSchema }, importReportSchema.nullable()),
  /** Stops a running import by the id of its progress. Imported rows stay, and `objects.import` reports them. */
  'objects.cancelImport': call.command({ id: z.uuid() }),

  'tasks.list': call.command(nothing, { revision, tasks: z.array(taskSchema) }),
  'tasks.cancel': call.command({ id: z.number().int().positive() }),
} as const satisfies Procedures;

export const bulkOperationsEvents = {
  /** Four times a second during an import, and once at its end, even if it failed. */
  'objects.importProgress': z.object({
    id: z.uuid(),
    serviceId: serviceIdSchema,
    fileName: z.string(),
    doneBytes: z.number(),
    totalBytes: z.number(),
    lines: z.number(),
    isOver: z.boolean(),
  }),
  'tasks.changed': z.object({ revision }),
} as const satisfies Events;
