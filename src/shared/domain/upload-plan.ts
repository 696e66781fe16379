import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { ifExistsSchema, serviceIdSchema, requestSchema } from './service.ts';

export const uploadPlanIdSchema = z.string().max(64);
export const planEntryIdSchema = z.number().int().nonnegative();

/** Why a file cannot go as it stands; found before a byte moves. */
export const planProblemSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('tooLarge'), limitBytes: z.number() }),
  z.object({ code: z.literal('unreadable') }),
  /** Its name is not UTF-8: there is no path to it that could be written down. */
  z.object({ code: z.literal('unreadableName') }),
  /** It says it has no bytes and gives some when it is read, as files in `/proc` do. */
  z.object({ code: z.literal('unsized') }),
  z.object({ code: z.literal('gone') }),
  z.object({ code: z.literal('special') }),
  z.object({ code: z.literal('symbolicLink') }),
  /** The same identifier as another file of the sheet; `remedy` is free. */
  z.object({ code: z.literal('sameIdentifier'), asFileName: z.string(), remedy: z.string() }),
  z.object({ code: z.literal('badIdentifier'), problem: z.enum(['empty', 'dotSegment', 'loneSurrogate']) }),
]);
export type PlanProblem = z.infer<typeof planProblemSchema>;

export const planEntrySchema = z.object({
  id: planEntryIdSchema,
  fileName: z.string(),
  /** The folder part below what was dropped, `/` between its names, `''` for a file dropped by itself. */
  folder: z.string(),
  sizeBytes: z.number(),
  /** How many parts it goes in; null: it goes whole. */
  parts: z.number().nullable(),
  identifier: z.string(),
  /** The person changed it; the template no longer does. */
  edited: z.boolean(),
  problem: planProblemSchema.nullable(),
  /** Between the two readings of the limit: the service may refuse it. */
  mayBeRefused: z.boolean(),
  /** It is another one since it was put into the sheet, before Coffer ended. It goes as it is now. */
  changed: z.boolean(),
});
export type PlanEntry = z.infer<typeof planEntrySchema>;

/** What a person chose in the sheet so far; what is not there is as the service has it by default. */
export const planChoicesSchema = z.object({
  ifExists: ifExistsSchema.exactOptional(),
  request: requestSchema.exactOptional(),
  classification: z.string().max(1024).nullable().exactOptional(),
});
export type PlanChoices = z.infer<typeof planChoicesSchema>;

export const uploadPlanSchema = z.object({
  id: uploadPlanIdSchema,
  serviceId: serviceIdSchema,
  /** The folder of the browser it was dropped on, `''` for none: goes before the template's result. */
  intoFolder: z.string(),
  template: z.string(),
  choices: planChoicesSchema,
  /** A person changed something in it that would be lost with it. */
  edited: z.boolean(),
  revision: z.number(),
  /** true while folders are still being read. */
  reading: z.boolean(),
  /** true while identifiers are made, by a new template or from the bytes of the files. An upload waits for both. */
  naming: z.boolean(),
  /** What could not be taken at all (a folder that cannot be read, say). */
  refused: z.array(z.object({ name: z.string(), error: appErrorSchema })),
  /** How many files went to the transfers already; they are in none of the counts below. */
  handedOver: z.number(),
  total: z.number(),
  totalBytes: z.number(),
  ready: z.number(),
  readyBytes: z.number(),
  problems: z.number(),
  /** Of the problems, how many are identifiers of another file of the sheet. */
  duplicates: z.number(),
  mayBeRefused: z.number(),
  /** Of those that are ready and not among `mayBeRefused`, how many are others than they were. */
  changed: z.number(),
  /** How many stand above the others, since they had something to say when they were put there. */
  first: z.number(),
});
export type UploadPlan = z.infer<typeof uploadPlanSchema>;
