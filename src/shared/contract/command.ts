import { z } from 'zod';
import { maxFilesPerCall } from '../bridge.ts';
import { objectIdSchema, objectKindSchema, objectQuerySchema } from '../domain/object.ts';
import { ifExistsSchema, serviceIdSchema, requestSchema } from '../domain/service.ts';
import { planEntrySchema, uploadPlanSchema } from '../domain/upload-plan.ts';
import { transferIdSchema, transferSchema } from '../domain/transfer.ts';
import { importReportSchema, objectRowSchema } from './object-shapes.ts';
import { appErrorSchema } from '../errors.ts';
import { classificationValue, grantSchema, nothing, type Procedures } from './parts.ts';

/** What a command line says of an object. */
const listedObjectSchema = objectRowSchema.pick({
  identifier: true,
  kind: true,
  state: true,
  lengthBytes: true,
  sha256: true,
  classification: true,
  storedAtMs: true,
  checkedAtMs: true,
  note: true,
  renewBy: true,
});
export type ListedObject = z.infer<typeof listedObjectSchema>;

/** What a command line asks for by name, where the window has rows. */
export const commandProcedures = {
  /** What the list knows under each identifier, in the same order; null: nothing. */
  'command.find': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      kind: objectKindSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(1000),
    }),
    output: z.object({ objects: z.array(objectRowSchema.nullable()) }),
  },
  /**
   * Uploads files, and what is in folders, named by the service's template below `intoFolder`, or one file under `as`. What has no
   * problem goes; of the rest the first problems are answered.
   */
  'command.put': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      grants: z.array(grantSchema).min(1).max(maxFilesPerCall),
      intoFolder: z.string().max(8192),
      as: z.string().max(8192).nullable(),
      classification: classificationValue.nullable(),
      /** By a person. Without: it is only a default, and what is replaced or gets a new version keeps its own. */
      classificationChosen: z.boolean().exactOptional(),
      ifExists: ifExistsSchema,
      request: requestSchema,
    }),
    output: z.object({
      /** Of the transfers. */
      ids: z.array(transferIdSchema),
      problems: z.array(planEntrySchema),
      problemCount: z.number(),
      /** What could not be read at all. */
      refused: uploadPlanSchema.shape.refused,
    }),
  },
  /**
   * @param grant where to; null: the service's folder, under a free name
   * @param as `file`: the grant is the file to write, under a free name where it exists; `replace`: it takes the place of that file;
   * `folder`: the grant is a folder, and the name in it is the object's, free and as every system takes it
   * Answers the number of the transfer.
   */
  'command.get': {
    input: z.strictObject({
      objectId: objectIdSchema,
      grant: grantSchema.nullable(),
      as: z.enum(['file', 'replace', 'folder']),
      request: requestSchema,
    }),
    output: z.object({ id: transferIdSchema }),
  },
  /** The list of a service, as `objects.export` writes it. @param grant the file to write */
  'command.export': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      format: z.enum(['jsonl', 'csv']),
      grant: grantSchema,
    }),
    output: z.object({ count: z.number() }),
  },
  /** As `objects.import`. @param grant the file to read */
  'command.import': {
    input: z.strictObject({ serviceId: serviceIdSchema, grant: grantSchema }),
    output: importReportSchema,
  },
  /**
   * As `objects.page`, for a whole list: many rows at once, with what stands in them alone. The pages of one `listing`, a name of the
   * reader's, are of the list as it was at its first.
   */
  'command.list': {
    input: z.strictObject({
      query: objectQuerySchema,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(10_000),
      listing: z.uuid().optional(),
    }),
    output: z.object({ total: z.number(), rows: z.array(listedObjectSchema) }),
  },
  /** What holds up everything of a service now: it is away, or refuses the token. null: nothing, as far as the last request showed. */
  'command.trouble': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: z.object({ error: appErrorSchema.nullable() }),
  },
  /** Transfers, deferred requests, deletions and work over many objects, also what an earlier run has left. */
  'command.cancelAll': { input: nothing, output: nothing },
  /** Direct and deferred ones alike; what is no longer there is left out. */
  'command.transfers': {
    input: z.strictObject({ ids: z.array(transferIdSchema).max(1000) }),
    output: z.object({ transfers: z.array(transferSchema) }),
  },
} as const satisfies Procedures;
