import { z } from 'zod';
import { ifExistsSchema, requestSchema, serviceIdSchema } from '../domain/service.ts';
import { maxFilesPerCall } from '../bridge.ts';
import {
  planEntryIdSchema,
  planChoicesSchema,
  planEntrySchema,
  uploadPlanIdSchema,
  uploadPlanSchema,
} from '../domain/upload-plan.ts';
import {
  nothing,
  offset,
  limit,
  grantSchema,
  classificationValue,
  type Procedures,
  type Events,
} from './parts.ts';

/** The sheet of an upload lives in main: the window shows a page of it. */
export const uploadPlansProcedures = {
  'uploadPlans.open': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      intoFolder: z.string().max(8192),
      grants: z.array(grantSchema).min(1).max(maxFilesPerCall),
    }),
    output: uploadPlanSchema,
  },
  'uploadPlans.addFiles': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      grants: z.array(grantSchema).min(1).max(maxFilesPerCall),
    }),
    output: uploadPlanSchema,
  },
  /**
   * Entries with something to say (a problem, or that the service may refuse it) stand first. What a person changes stays
   * where it is; `notedBelow` are the places of those that have something to say and do not stand first, in order.
   */
  'uploadPlans.page': {
    input: z.strictObject({ id: uploadPlanIdSchema, offset, limit }),
    output: z.object({
      plan: uploadPlanSchema,
      total: z.number(),
      offset,
      entries: z.array(planEntrySchema),
      notedBelow: z.array(z.number()),
    }),
  },
  'uploadPlans.setIdentifier': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      entryId: planEntryIdSchema,
      /** null: back to what the template says. */
      identifier: z.string().max(8192).nullable(),
    }),
    output: uploadPlanSchema,
  },
  'uploadPlans.setTemplate': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      template: z.string().min(1).max(500),
      resetEdited: z.boolean(),
    }),
    output: uploadPlanSchema,
  },
  /** Every file with the identifier of another gets its own, by a number after its name. */
  'uploadPlans.numberDuplicates': {
    input: z.strictObject({ id: uploadPlanIdSchema }),
    output: uploadPlanSchema,
  },
  /** `problems`: every entry that has one. */
  'uploadPlans.removeEntries': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      entries: z.union([z.literal('problems'), z.array(planEntryIdSchema).min(1).max(1000)]),
    }),
    output: uploadPlanSchema,
  },
  /** Remembered with the sheet; the upload says for itself what it is to be. */
  'uploadPlans.choose': {
    input: z.strictObject({ id: uploadPlanIdSchema, choices: planChoicesSchema }),
    output: uploadPlanSchema,
  },
  /** The sheet that was open in a page before this one, or when Coffer ended; null: none. */
  'uploadPlans.current': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: uploadPlanSchema.nullable(),
  },
  'uploadPlans.discard': { input: z.strictObject({ id: uploadPlanIdSchema }), output: nothing },
  /**
   * Starts everything that is ready, once everything is read and named; entries with a problem stay out. `left`: how many got
   * their problem after the call; with them the sheet stays open, else it is closed.
   */
  'uploadPlans.upload': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      classification: classificationValue.nullable(),
      /** By a person. Without: it is only a default, and what is replaced or gets a new version keeps its own. */
      classificationChosen: z.boolean().exactOptional(),
      ifExists: ifExistsSchema,
      request: requestSchema,
    }),
    output: z.object({ count: z.number(), left: z.number() }),
  },
} as const satisfies Procedures;

export const uploadPlansEvents = {
  'uploadPlans.changed': uploadPlanSchema,
} as const satisfies Events;
