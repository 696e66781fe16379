import { z } from 'zod';
import { templateLengthMax } from '../domain/template.ts';
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
  call,
  offset,
  limit,
  grantSchema,
  classificationValue,
  type Procedures,
  type Events,
} from './parts.ts';

/** The upload sheet lives in main; the window pages through it. */
export const uploadPlansProcedures = {
  'uploadPlans.open': call(
    {
      serviceId: serviceIdSchema,
      intoFolder: z.string().max(8192),
      grants: z.array(grantSchema).min(1).max(maxFilesPerCall),
    },
    uploadPlanSchema,
  ),
  'uploadPlans.addFiles': call(
    {
      id: uploadPlanIdSchema,
      grants: z.array(grantSchema).min(1).max(maxFilesPerCall),
    },
    uploadPlanSchema,
  ),
  /**
   * Entries with a problem or a note (the service may refuse it) come first. An entry that the user changes stays
   * where it is; `notedBelow` are the positions of noted entries that are not at the top, in order.
   */
  'uploadPlans.page': call(
    { id: uploadPlanIdSchema, offset, limit },
    {
      plan: uploadPlanSchema,
      total: z.number(),
      offset,
      entries: z.array(planEntrySchema),
      notedBelow: z.array(z.number()),
    },
  ),
  'uploadPlans.setIdentifier': call(
    {
      id: uploadPlanIdSchema,
      entryId: planEntryIdSchema,
      /** null: reset to the template's identifier. */
      identifier: z.string().max(8192).nullable(),
    },
    uploadPlanSchema,
  ),
  'uploadPlans.setTemplate': call(
    {
      id: uploadPlanIdSchema,
      template: z.string().min(1).max(templateLengthMax),
      resetEdited: z.boolean(),
    },
    uploadPlanSchema,
  ),
  /** `''`: none. Identifiers entered by hand move along, unless they are elsewhere. */
  'uploadPlans.setFolder': call({ id: uploadPlanIdSchema, folder: z.string().max(8192) }, uploadPlanSchema),
  /** Resolves duplicate identifiers by appending a number to the name. */
  'uploadPlans.numberDuplicates': call({ id: uploadPlanIdSchema }, uploadPlanSchema),
  /** `problems`: every entry that has one. */
  'uploadPlans.removeEntries': call(
    {
      id: uploadPlanIdSchema,
      entries: z.union([z.literal('problems'), z.array(planEntryIdSchema).min(1).max(1000)]),
    },
    uploadPlanSchema,
  ),
  /** Saves choices with the sheet. `upload` has its own input. */
  'uploadPlans.choose': call({ id: uploadPlanIdSchema, choices: planChoicesSchema }, uploadPlanSchema),
  /** The sheet that was open before the page was reloaded or Coffer ended; null: none. */
  'uploadPlans.current': call({ serviceId: serviceIdSchema }, uploadPlanSchema.nullable()),
  /**
   * How many stored objects would change their classification if uploaded under this one, by their present one, most frequent
   * first. A new version is compared with the newest previous one.
   */
  'uploadPlans.reclassified': call(
    {
      id: uploadPlanIdSchema,
      classification: classificationValue.nullable(),
      ifExists: z.enum(['replace', 'newVersion']),
    },
    {
      changes: z.array(z.object({ from: classificationValue.nullable(), count: z.number() })),
    },
  ),
  'uploadPlans.discard': call({ id: uploadPlanIdSchema }),
  /**
   * Starts all ready entries once everything is read and named, without those that have a problem. `left`: how many got
   * a problem after the call; if there are any, the sheet stays open.
   */
  'uploadPlans.upload': call(
    {
      id: uploadPlanIdSchema,
      classification: classificationValue.nullable(),
      /** Chosen by the user. Otherwise it is a default, and replaced objects and new versions keep their own. */
      classificationChosen: z.boolean().exactOptional(),
      ifExists: ifExistsSchema,
      request: requestSchema,
    },
    { count: z.number(), left: z.number() },
  ),
} as const satisfies Procedures;

export const uploadPlansEvents = {
  'uploadPlans.changed': uploadPlanSchema,
} as const satisfies Events;
