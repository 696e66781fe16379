import { z } from 'zod';
import { maxFilesPerCall } from '../bridge.ts';
import { objectIdSchema, objectKindSchema, objectQuerySchema } from '../domain/object.ts';
import { ifExistsSchema, serviceIdSchema, requestSchema } from '../domain/service.ts';
import { bandwidthSchema, transfersAtOnceSchema } from '../domain/settings.ts';
import { planEntrySchema, uploadPlanSchema } from '../domain/upload-plan.ts';
import { transferIdSchema, transferSchema } from '../domain/transfer.ts';
import { importReportSchema, leftBehindSchema, objectRowSchema } from './object-shapes.ts';
import { appErrorSchema } from '../errors.ts';
import { call, classificationValue, grantSchema, nothing, type Procedures } from './parts.ts';

/** An object as the command line shows it. */
const listedObjectSchema = objectRowSchema.pick({
  id: true,
  identifier: true,
  kind: true,
  state: true,
  lengthBytes: true,
  sha256: true,
  unverified: true,
  classification: true,
  storedAtMs: true,
  checkedAtMs: true,
  note: true,
  renewBy: true,
  isShared: true,
  storedBy: true,
  isOwnStored: true,
});
export type ListedObject = z.infer<typeof listedObjectSchema>;

/** Procedures for the command line, which names objects by identifier instead of by row. */
export const commandProcedures = {
  /**
   * The objects with these identifiers, in the same order; null: not on the list.
   * @param newest of an identifier without a version number, the version that it means (`versionMeant`)
   */
  'command.find': call.command(
    {
      serviceId: serviceIdSchema,
      kind: objectKindSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(1000),
      newest: z.boolean().exactOptional(),
    },
    { objects: z.array(objectRowSchema.nullable()) },
  ),
  /**
   * Uploads files and folders, named by the service's template below `intoFolder`, one file under `as`, or each file under its
   * own entry of `identifiers`. Uploads files without a problem, and returns the first problems of the rest.
   */
  'command.put': call.command(
    {
      serviceId: serviceIdSchema,
      grants: z.array(grantSchema).min(1).max(maxFilesPerCall),
      intoFolder: z.string().max(8192),
      as: z.string().max(8192).nullable(),
      /** One for each grant, all of which are files. */
      identifiers: z.array(z.string().max(8192)).max(maxFilesPerCall).exactOptional(),
      classification: classificationValue.nullable(),
      /** Chosen by the user. Otherwise it is a default, and replaced objects and new versions keep their own. */
      classificationChosen: z.boolean().exactOptional(),
      ifExists: ifExistsSchema,
      request: requestSchema,
    },
    {
      /** Ids of the transfers. */
      ids: z.array(transferIdSchema),
      problems: z.array(planEntrySchema),
      problemCount: z.number(),
      /** Files that could not be read. */
      refused: uploadPlanSchema.shape.refused,
    },
  ),
  /**
   * @param grant the destination; null: the service's folder, under a free name
   * @param as `file`: the grant is the file to write, under a free name if it exists; `replace`: overwrite that file;
   * `folder`: the grant is a folder; the file gets the object's name, made free and portable
   * Several objects need a folder or null. Returns the ids of the transfers; objects that left the list have none.
   */
  'command.get': call.command(
    {
      objectIds: z.array(objectIdSchema).min(1).max(1000),
      grant: grantSchema.nullable(),
      as: z.enum(['file', 'replace', 'folder']),
      request: requestSchema,
      /** Groups the calls of one action into a batch. `id`: made up by the caller; `count`: number of objects in all calls. */
      action: z.strictObject({ id: z.uuid(), count: z.number().int().positive() }).exactOptional(),
    },
    { ids: z.array(transferIdSchema) },
  ),
  /** What is still to be deleted at a service: deletions that have not ended, and parts that no file needs. */
  'command.leftBehind': call({ serviceId: serviceIdSchema }, { left: z.array(leftBehindSchema) }),
  /** The list of a service, as `objects.export` writes it. @param grant the file to write */
  'command.export': call.command(
    {
      serviceId: serviceIdSchema,
      format: z.enum(['jsonl', 'csv']),
      grant: grantSchema,
    },
    { count: z.number() },
  ),
  /** As `objects.import`. @param grant the file to read */
  'command.import': call.command(
    {
      serviceId: serviceIdSchema,
      grant: grantSchema,
      /** As WHATWG names it; omitted: as the byte order mark says, or UTF-8. */
      encoding: z.string().exactOptional(),
    },
    importReportSchema,
  ),
  /**
   * As `objects.page`, for reading a whole list. The pages of one `listing`, a name chosen by the
   * caller, show the list as it was at the first page.
   */
  'command.list': call.command(
    {
      query: objectQuerySchema,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(10_000),
      listing: z.uuid().optional(),
    },
    { total: z.number(), rows: z.array(listedObjectSchema) },
  ),
  /** Why no transfer of a service runs: it is unreachable or refuses the token. null: no problem as of the last request. */
  'command.trouble': call.command({ serviceId: serviceIdSchema }, { error: appErrorSchema.nullable() }),
  /**
   * Limits the transfers of this process until it ends, beside the limits of the settings. Only for a command's own engine; the app
   * rejects with senderRefused.
   */
  'command.limit': call({
    transfersAtOnce: transfersAtOnceSchema.exactOptional(),
    bytesPerSecond: bandwidthSchema.exactOptional(),
  }),
  /** Transfers, deferred requests, deletions and bulk operations, including those left from an earlier run. */
  'command.cancelAll': call.command(nothing),
  /** Direct and deferred; ids that no longer exist are left out. */
  'command.transfers': call.command(
    { ids: z.array(transferIdSchema).max(1000) },
    { transfers: z.array(transferSchema) },
  ),
} as const satisfies Procedures;
