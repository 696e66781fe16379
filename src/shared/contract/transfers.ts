import { z } from 'zod';
import { pageLimitMax } from '../domain/object.ts';
import { answerSchema, serviceIdSchema } from '../domain/service.ts';
import {
  batchSchema,
  causeKeySchema,
  conflictPromptSchema,
  openedMax,
  progressSchema,
  transferGroupSchema,
  transferSummarySchema,
} from '../domain/transfer-summary.ts';
import { prioritySchema, tabSchema, transferIdSchema, transferSchema } from '../domain/transfer.ts';
import {
  call,
  classificationValue,
  nothing,
  offset,
  limit,
  ofBatchSchema,
  pickedIdsSchema,
  grantSchema,
  pausableSchema,
  type Procedures,
  type Events,
} from './parts.ts';

/** All transfers of a tab or of a batch, these ids, or one cause. */
const whichSchema = z.union([
  z.strictObject({ tab: tabSchema }),
  ofBatchSchema,
  pickedIdsSchema,
  causeKeySchema,
]);

/** Direct transfers and deferred requests. */
const savedFilesSchema = z.union([
  z.strictObject({ ids: z.array(transferIdSchema).min(1).max(pageLimitMax) }),
  ofBatchSchema,
]);

export const transfersProcedures = {
  /**
   * Transfers that wait or failed for the same reason are one entry (`causes` of the tab's summary, from a count of two) instead of
   * rows. `cause`: only the transfers of this entry. `filter`: a substring of the identifier, searched in all rows.
   */
  'transfers.page': call.command(
    {
      tab: tabSchema,
      offset,
      limit,
      filter: z.string().max(200).optional(),
      cause: causeKeySchema.optional(),
    },
    {
      summary: transferSummarySchema,
      /** Of the rows. */
      counts: z.record(transferGroupSchema, z.number()),
      total: z.number(),
      offset,
      rows: z.array(transferSchema),
    },
  ),
  /**
   * Direct transfers as the dock shows them: a batch is one row among those moving, waiting or done, followed by its transfers
   * if it is opened. Transfers that need an answer or have failed are in their own group, as in `transfers.page`.
   */
  'transfers.dock': call(
    { offset, limit, opened: z.array(transferIdSchema).max(openedMax) },
    {
      summary: transferSummarySchema,
      /** Of the rows. */
      counts: z.record(transferGroupSchema, z.number()),
      /** Rows without the transfers of opened batches. */
      entries: z.record(transferGroupSchema, z.number()),
      /** Among transfers outside of batches. */
      verifying: z.number(),
      total: z.number(),
      offset,
      rows: z.array(z.union([z.object({ transfer: transferSchema }), z.object({ batch: batchSchema })])),
    },
  ),
  /** What determines the possible actions on these, in start order; ids that no longer exist are left out. */
  'transfers.picked': call.command(
    { ids: pickedIdsSchema },
    {
      rows: z.array(
        transferSchema.pick({
          id: true,
          serviceId: true,
          identifier: true,
          kind: true,
          state: true,
          waitingFor: true,
          priority: true,
          outcome: true,
        }),
      ),
    },
  ),
  /** Deferred requests are no longer polled, but the service continues them. */
  'transfers.cancel': call.command({ which: whichSchema }),
  /**
   * The unfinished transfers of a tab or of a batch, to restart them after a cancel, or those of a batch that were cancelled: all
   * of them, which may be more than `whichSchema` takes at once.
   */
  'transfers.open': call(
    {
      which: z.union([
        z.strictObject({ tab: tabSchema }),
        ofBatchSchema,
        z.strictObject({ cancelledOf: transferIdSchema }),
      ]),
    },
    { ids: z.array(transferIdSchema) },
  ),
  /** Restarts failed, lost and cancelled transfers, retries waiting ones and polls processing ones now. */
  'transfers.retry': call.command({
    which: whichSchema,
    /** For downloads that failed because the bytes differ from an imported list's facts: accept them. Else they fail again. */
    takesOther: z.boolean().optional(),
  }),
  /** Running transfers finish; new ones wait. Survives a restart. */
  'transfers.pause': call.command({ which: pausableSchema }),
  'transfers.resume': call.command({ which: pausableSchema }),
  /** Also stops running transfers of a paused service; they will start over. */
  'transfers.stopNow': call(nothing),
  'transfers.setPriority': call(
    z.union([
      z.strictObject({ ids: pickedIdsSchema, priority: prioritySchema }),
      ofBatchSchema.extend({ priority: prioritySchema }),
    ]),
  ),
  /** Moves them within their priority. @param before null: to the end; `top`: to the start */
  'transfers.reorder': call({
    ids: pickedIdsSchema,
    before: z.union([transferIdSchema, z.literal('top')]).nullable(),
  }),
  /** Removes finished transfers from the list; of a batch, the done and cancelled ones. */
  'transfers.clear': call(
    z.union([z.strictObject({ tab: tabSchema, group: z.enum(['done', 'needsYou']) }), ofBatchSchema]),
  ),
  /** The fields of a failed upload that the person can correct. */
  'transfers.uploadOf': call(
    { id: transferIdSchema },
    {
      serviceId: serviceIdSchema,
      identifier: z.string(),
      classification: classificationValue.nullable(),
      fileName: z.string(),
      /** The classification of this object is being changed: another identifier would be another object. */
      isReclassification: z.boolean(),
    },
  ),
  /** Restarts it with this identifier and classification (null: the service's default). */
  'transfers.editAndRetry': call({
    id: transferIdSchema,
    identifier: z.string().max(8192),
    classification: classificationValue.nullable(),
  }),
  /** For a failed download: downloads the object's manifest instead of the file. */
  'transfers.downloadAsItIs': call({ id: transferIdSchema }),
  /** Saves an incomplete download in parts, with zeros in its gaps, under a name that says so. */
  'transfers.saveIncomplete': call({ id: transferIdSchema }, { fileName: z.string() }),
  /** As `transfers.editAndRetry`, with another file; identifier and classification stay. */
  'transfers.replaceFile': call({ id: transferIdSchema, grant: grantSchema }),
  /** Restarts a Replace that lacks local space, keeping the old bytes beside the object at the service. */
  'transfers.keepOnService': call({ id: transferIdSchema }),
  /** Removes failed and cancelled transfers of which nothing was stored from the list. */
  'transfers.drop': call({ which: whichSchema }),
  /**
   * Opens the file of a download with the desktop's program. Rejects missing files (notFound) and kinds that are only shown
   * in their folder (fileNotOpened).
   */
  'transfers.openFile': call({ id: transferIdSchema }, { fileName: z.string(), isChanged: z.boolean() }),
  /** Where the files of these downloads are, for display: the folder that contains them all. null: no longer known, or none does. */
  'transfers.savedIn': call(savedFilesSchema, { folder: z.string().nullable() }),
  /** Shows one file in the file manager, or the folder that contains several. Rejects missing files (notFound). */
  'transfers.showInFolder': call(savedFilesSchema),
  'transfers.copyActivityToken': call({ id: transferIdSchema }),
  'transfers.conflictPrompt': call(
    { transferId: transferIdSchema.nullable() },
    { prompt: conflictPromptSchema.nullable() },
  ),
  'transfers.answer': call.command({
    transferId: transferIdSchema,
    answer: answerSchema,
    applyToAll: z.boolean(),
  }),
} as const satisfies Procedures;

export const transfersEvents = {
  'transfers.changed': transferSummarySchema,
  'transfers.progress': progressSchema,
  /** The ends of these transfers are on the disk. At once, while `transfers.changed` comes up to a quarter of a second later. */
  'transfers.ended': z.object({ ids: z.array(transferIdSchema) }),
  /** The window of a deferred request is about to end and its result is not fetched. */
  'transfers.closing': z.object({ transferId: transferIdSchema, identifier: z.string(), leftMs: z.number() }),
} as const satisfies Events;
