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

/** The upload sheet lives in main; the window pages through it. */
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
   * Entries with a problem or a note (the service may refuse it) come first. An entry that the user changes stays
   * where it is; `notedBelow` are the positions of noted entries that are not at the top, in order.
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
      /** null: reset to the template's identifier. */
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
  /** Resolves duplicate identifiers by appending a number to the name. */
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
  /** Saves choices with the sheet. `upload` has its own input. */
  'uploadPlans.choose': {
    input: z.strictObject({ id: uploadPlanIdSchema, choices: planChoicesSchema }),
    output: uploadPlanSchema,
  },
  /** The sheet that was open before the page was reloaded or Coffer ended; null: none. */
  'uploadPlans.current': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: uploadPlanSchema.nullable(),
  },
  /**
   * How many stored objects would change their classification if uploaded under this one, by their present one, most frequent
   * first. A new version is compared with the newest previous one.
   */
  'uploadPlans.reclassified': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      classification: classificationValue.nullable(),
      ifExists: z.enum(['replace', 'newVersion']),
    }),
    output: z.object({
      changes: z.array(z.object({ from: classificationValue.nullable(), count: z.number() })),
    }),
  },
  'uploadPlans.discard': { input: z.strictObject({ id: uploadPlanIdSchema }), output: nothing },
  /**
   * Starts all ready entries once everything is read and named, without those that have a problem. `left`: how many got
   * a problem after the call; if there are any, the sheet stays open.
   */
  'uploadPlans.upload': {
    input: z.strictObject({
      id: uploadPlanIdSchema,
      classification: classificationValue.nullable(),
      /** Chosen by the user. Otherwise it is a default, and replaced objects and new versions keep their own. */
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
