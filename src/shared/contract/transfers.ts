import { z } from 'zod';
import { answerSchema, serviceIdSchema } from '../domain/service.ts';
import {
  causeKeySchema,
  prioritySchema,
  progressSchema,
  conflictPromptSchema,
  tabSchema,
  transferGroupSchema,
  transferIdSchema,
  transferSchema,
  transferSummarySchema,
} from '../domain/transfer.ts';
import {
  classificationValue,
  nothing,
  offset,
  limit,
  pickedIdsSchema,
  grantSchema,
  pausableSchema,
  type Procedures,
  type Events,
} from './parts.ts';

/** Everything of a tab, these, or what one cause means. */
const whichSchema = z.union([z.strictObject({ tab: tabSchema }), pickedIdsSchema, causeKeySchema]);

/** Direct transfers and deferred requests. */
export const transfersProcedures = {
  /**
   * What several are held up by, or failed for, is one entry (`causes` of the tab's summary, with a count of two and more) and
   * not among the rows. `cause`: instead, only what this one means. `filter`: a part of the identifier, looked for in all rows.
   */
  'transfers.page': {
    input: z.strictObject({
      tab: tabSchema,
      offset,
      limit,
      filter: z.string().max(200).optional(),
      cause: causeKeySchema.optional(),
    }),
    output: z.object({
      summary: transferSummarySchema,
      /** Of the rows. */
      counts: z.record(transferGroupSchema, z.number()),
      total: z.number(),
      offset,
      rows: z.array(transferSchema),
    }),
  },
  /** What decides what can be done with these now, in the order in which they go; what is no longer there is left out. */
  'transfers.picked': {
    input: z.strictObject({ ids: pickedIdsSchema }),
    output: z.object({
      rows: z.array(
        transferSchema.pick({
          id: true,
          serviceId: true,
          identifier: true,
          kind: true,
          state: true,
          waitingFor: true,
          priority: true,
        }),
      ),
    }),
  },
  /** A deferred request is no longer followed; the service goes on with it. */
  'transfers.cancel': { input: z.strictObject({ which: whichSchema }), output: nothing },
  /** Failed, lost and cancelled ones start again; waiting ones try now, and what is processed is checked now. */
  'transfers.retry': { input: z.strictObject({ which: whichSchema }), output: nothing },
  /** What has begun is finished first; new ones wait. Survives a restart. */
  'transfers.pause': { input: z.strictObject({ which: pausableSchema }), output: nothing },
  'transfers.resume': { input: z.strictObject({ which: pausableSchema }), output: nothing },
  /** What has begun of a service that is paused stops too, and waits, from its beginning. */
  'transfers.stopNow': { input: nothing, output: nothing },
  'transfers.setPriority': {
    input: z.strictObject({ ids: pickedIdsSchema, priority: prioritySchema }),
    output: nothing,
  },
  /** Among those of their priority. @param before null: behind all; `top`: before all */
  'transfers.move': {
    input: z.strictObject({
      ids: pickedIdsSchema,
      before: z.union([transferIdSchema, z.literal('top')]).nullable(),
    }),
    output: nothing,
  },
  /** Only what has ended can be cleared. */
  'transfers.clear': {
    input: z.strictObject({ tab: tabSchema, group: z.enum(['done', 'needsYou']) }),
    output: nothing,
  },
  /** What a person may set right of an upload that failed. */
  'transfers.uploadOf': {
    input: z.strictObject({ id: transferIdSchema }),
    output: z.object({
      serviceId: serviceIdSchema,
      identifier: z.string(),
      classification: classificationValue.nullable(),
      fileName: z.string(),
    }),
  },
  /** It begins again under this identifier, with this classification (null: the service's default). */
  'transfers.editAndRetry': {
    input: z.strictObject({
      id: transferIdSchema,
      identifier: z.string().max(8192),
      classification: classificationValue.nullable(),
    }),
    output: nothing,
  },
  /** For a download that failed: the list of the object's parts, and not the file. */
  'transfers.downloadAsItIs': { input: z.strictObject({ id: transferIdSchema }), output: nothing },
  /** What a download in parts has gathered, with nothing but zeros in its gaps, gets a name that says so. */
  'transfers.saveIncomplete': {
    input: z.strictObject({ id: transferIdSchema }),
    output: z.object({ fileName: z.string() }),
  },
  /** As `transfers.mend`, with another file in the place of its own; identifier and classification stay. */
  'transfers.replaceFile': {
    input: z.strictObject({ id: transferIdSchema, grant: grantSchema }),
    output: nothing,
  },
  /** A Replace that has no room here begins again, and keeps what it replaces beside the object on the service. */
  'transfers.keepOnService': { input: z.strictObject({ id: transferIdSchema }), output: nothing },
  /** Failed and cancelled ones leave the list, and nothing was stored of them that the list would have to know. */
  'transfers.drop': { input: z.strictObject({ which: whichSchema }), output: nothing },
  /** Of a download, direct or deferred: opens its file as the desktop does. Refuses one that is gone (notFound), and programs. */
  'transfers.openFile': {
    input: z.strictObject({ id: transferIdSchema }),
    output: z.object({ fileName: z.string(), isChanged: z.boolean() }),
  },
  'transfers.showInFolder': { input: z.strictObject({ id: transferIdSchema }), output: nothing },
  'transfers.copyActivityToken': { input: z.strictObject({ id: transferIdSchema }), output: nothing },
  'transfers.question': {
    input: z.strictObject({ transferId: transferIdSchema.nullable() }),
    output: z.object({ question: conflictPromptSchema.nullable() }),
  },
  'transfers.answer': {
    input: z.strictObject({
      transferId: transferIdSchema,
      answer: answerSchema,
      applyToAll: z.boolean(),
    }),
    output: nothing,
  },
} as const satisfies Procedures;

export const transfersEvents = {
  'transfers.changed': transferSummarySchema,
  'transfers.progress': progressSchema,
  /** The window of a deferred request is about to close with its result not fetched. */
  'transfers.closing': z.object({ transferId: transferIdSchema, identifier: z.string(), leftMs: z.number() }),
} as const satisfies Events;
