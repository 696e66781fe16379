import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { ifExistsSchema, serviceIdSchema, requestSchema } from './service.ts';

export const uploadPlanIdSchema = z.string().max(64);
export const planEntryIdSchema = z.number().int().nonnegative();

/** Why a file by itself cannot be uploaded as it is; found before any byte is sent. */
export const fileProblemSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('tooLarge'), limitBytes: z.number() }),
  z.object({ code: z.literal('unreadable') }),
  /** Its name is not UTF-8, so its path cannot be represented. */
  z.object({ code: z.literal('unreadableName') }),
  /** It reports a size of 0 but has content, as files in `/proc` do. */
  z.object({ code: z.literal('unsized') }),
  z.object({ code: z.literal('gone') }),
  z.object({ code: z.literal('special') }),
  z.object({ code: z.literal('symbolicLink') }),
  z.object({ code: z.literal('badIdentifier'), problem: z.enum(['empty', 'dotSegment', 'loneSurrogate']) }),
]);

/** The problems above, and those of a file among others in a sheet. */
export const planProblemSchema = z.discriminatedUnion('code', [
  ...fileProblemSchema.options,
  /** `name` would get the same identifier as another file of the sheet, `asName`; `remedy` is a free one. */
  z.object({ code: z.literal('sameIdentifier'), name: z.string(), asName: z.string(), remedy: z.string() }),
]);
export type PlanProblem = z.infer<typeof planProblemSchema>;

export const planEntrySchema = z.object({
  id: planEntryIdSchema,
  fileName: z.string(),
  /** Path of the folder below the dropped one, separated by `/`; `''` for a file dropped by itself. */
  folder: z.string(),
  sizeBytes: z.number(),
  /** Number of parts; null: sent whole. */
  parts: z.number().nullable(),
  identifier: z.string(),
  /** Edited by the person, so the template no longer applies. */
  edited: z.boolean(),
  problem: planProblemSchema.nullable(),
  /** Between the two readings of the limit: the service may refuse it. */
  mayBeRefused: z.boolean(),
  /** Changed since it was added, in an earlier run. The present file is uploaded. */
  changed: z.boolean(),
});
export type PlanEntry = z.infer<typeof planEntrySchema>;

/** The person's choices in the sheet; omitted fields use the defaults of the settings and the folder. */
export const planChoicesSchema = z.object({
  ifExists: ifExistsSchema.exactOptional(),
  request: requestSchema.exactOptional(),
  classification: z.string().max(2000).nullable().exactOptional(),
});
export type PlanChoices = z.infer<typeof planChoicesSchema>;

export const uploadPlanSchema = z.object({
  id: uploadPlanIdSchema,
  serviceId: serviceIdSchema,
  /** The folder for all of it, `''` for none; prefixes the template's result. */
  intoFolder: z.string(),
  template: z.string(),
  choices: planChoicesSchema,
  /** It has edits of the person that would be lost with it. */
  edited: z.boolean(),
  revision: z.number(),
  /** Folders are still being read. */
  reading: z.boolean(),
  /** Identifiers are being made, by a new template or from file contents. The upload waits for both. */
  naming: z.boolean(),
  /** What could not be added, such as an unreadable folder. */
  refused: z.array(z.object({ name: z.string(), error: appErrorSchema })),
  /** Files already handed to the transfers; not included in the counts below. */
  handedOver: z.number(),
  total: z.number(),
  totalBytes: z.number(),
  ready: z.number(),
  readyBytes: z.number(),
  problems: z.number(),
  /** How many problems are duplicate identifiers. */
  duplicates: z.number(),
  mayBeRefused: z.number(),
  /** How many ready files outside `mayBeRefused` have changed since they were added. */
  changed: z.number(),
  /** Number of entries at the top: they had a problem or note when they were placed. */
  first: z.number(),
});
export type UploadPlan = z.infer<typeof uploadPlanSchema>;
