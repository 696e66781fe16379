import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { objectIdSchema, objectKindSchema } from './object.ts';
import { serviceIdSchema, requestSchema, type RequestKind } from './service.ts';

export const directionSchema = z.enum(['upload', 'download']);
export type Direction = z.infer<typeof directionSchema>;

/** The dock's two filters: direct transfers, and deferred requests (sections 2 and 3 of the interface). */
export const tabSchema = z.enum(['transfers', 'jobs']);
export type Tab = z.infer<typeof tabSchema>;

export function tabOf({ route }: { readonly route: RequestKind }): Tab {
  return route === 'direct' ? 'transfers' : 'jobs';
}

export const transferStateSchema = z.enum([
  /** Waits for its turn, the network, a new token, or the user's answer to a conflict. */
  'waiting',
  'uploading',
  'downloading',
  /** Deferred: the response to the start was lost; HEAD will tell what is stored. */
  'unsure',
  /** Deferred: the service is processing it. */
  'processing',
  /** Deferred: the result of a download is ready to fetch. */
  'ready',
  'verifying',
  'done',
  /** Deferred: the service rejected the token, or the window passed by both readings without an answer. */
  'lost',
  'failed',
  'cancelled',
]);
export type TransferState = z.infer<typeof transferStateSchema>;

export function isFinished(state: TransferState): boolean {
  return state === 'done' || state === 'lost' || state === 'failed' || state === 'cancelled';
}

/** The file a download was saved as. `changed`: its size or time differs since then. */
export const savedFileSchema = z.object({
  transferId: z.number(),
  fileName: z.string(),
  state: z.enum(['there', 'changed', 'gone']),
  /** An executable: it is shown in its folder instead of opened. */
  isProgram: z.boolean(),
});
export type SavedFile = z.infer<typeof savedFileSchema>;

/** Purpose of a private copy: opened to read, edited, stored again as the newest version, given to another program, or played in the window. */
export const copyForSchema = z.enum(['open', 'edit', 'version', 'takeOut', 'look']);
export type CopyFor = z.infer<typeof copyForSchema>;

/** Result of a finished transfer. `stored` and `saved` require a successful comparison. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stored'),
    verifiedBy: z.enum(['length', 'digest']),
    /** For a Replace. `kept`: name of the undo copy; `beside`: identifier of the old object at the service. */
    replaced: z.object({ kept: z.string().nullable(), beside: z.string().nullable() }).optional(),
    /** The new classification of the object, whose bytes are as they were; null: the service's default. */
    classification: z.string().nullable().optional(),
    /** The identifier under which it was stored before, and which is deleted. */
    movedFrom: z.string().optional(),
  }),
  z.object({
    kind: z.literal('saved'),
    fileName: z.string(),
    verifiedBy: z.enum(['digest', 'length', 'end']),
    /** A private copy, which is removed later. */
    copyFor: copyForSchema.optional(),
  }),
  /**
   * It existed already and the user chose Skip, or its bytes are identical. `sameAs`: the newest version, which may have
   * another identifier, and the result of its HEAD.
   */
  z.object({
    kind: z.literal('skipped'),
    isIdentical: z.boolean().optional(),
    sameAs: z.object({ identifier: z.string(), lengthBytes: z.number().nullable() }).optional(),
  }),
]);
type Outcome = z.infer<typeof outcomeSchema>;
export type SkippedOutcome = Extract<Outcome, { kind: 'skipped' }>;

/**
 * Step of a Replace, also while it has failed or asks. `keepNew`, `keepOld`: save their bytes locally; `stage`: store a copy of the
 * new bytes beside the object; `delete` the old ones; `store`; `check`, and again a minute later; `finish`: delete the
 * copy; `takeBack`: restore the old state.
 */
export const replacingSchema = z.object({
  /** The object is replaced by its own bytes, with another classification. */
  isReclassification: z.boolean(),
  step: z.enum(['wait', 'keepNew', 'keepOld', 'stage', 'delete', 'store', 'check', 'finish', 'takeBack']),
  /** The object may have changed, so the Replace can no longer be undone by cancelling. */
  isOut: z.boolean(),
  /** Whether the old and new bytes are saved locally, and their identifiers beside the object at the service. */
  oldIsHere: z.boolean(),
  newIsHere: z.boolean(),
  oldBeside: z.string().nullable(),
  newBeside: z.string().nullable(),
  /** Time of the next check; wall clock, ms. */
  againAtMs: z.number().nullable(),
});
export type Replacing = z.infer<typeof replacingSchema>;

/** Random file name of an undo copy. */
export const undoCopyIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const transferIdSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** Maximum number of ids in one call; `all`, a service and a cause take any number. */
export const pickedMax = 10_000;

/** In start order. `whenIdle` starts only when nothing else of any service is ready. */
export const prioritySchema = z.enum(['now', 'normal', 'whenIdle']);
export type Priority = z.infer<typeof prioritySchema>;

/**
 * Why a waiting transfer does not run: its turn, a pause (its own, of its service, of everything, or by the hour),
 * the token, an answer (409), the network, or its next retry.
 */
export const waitingForSchema = z.enum(['turn', 'paused', 'token', 'answer', 'network', 'retry']);
export type WaitingFor = z.infer<typeof waitingForSchema>;

/** The 30 minutes of a deferred request, counted from the response to its start. */
export const deferredWindowSchema = z.object({
  /** By the pessimistic reading of section 2. */
  endsAtMs: z.number(),
  /** Past that reading, while the service still accepts the token. */
  isPast: z.boolean(),
  checks: z.number(),
  /** null: a check is running, or waits for a new token. */
  nextCheckAtMs: z.number().nullable(),
});

/** A direct transfer, or a deferred request. Every `AtMs` is wall clock, ms since 1970. */
export const transferSchema = z.object({
  id: transferIdSchema,
  serviceId: serviceIdSchema,
  kind: objectKindSchema,
  route: requestSchema,
  direction: directionSchema,
  identifier: z.string(),
  objectId: objectIdSchema.nullable(),
  state: transferStateSchema,
  /** Set while it waits or is held up. Computed, never stored. */
  waitingFor: waitingForSchema.nullable(),
  priority: prioritySchema,
  createdAtMs: z.number(),
  /** Time of the next retry, while it waits. */
  retryAtMs: z.number().nullable(),
  /** null: direct, not started, or finished. */
  window: deferredWindowSchema.nullable(),
  doneBytes: z.number(),
  totalBytes: z.number().nullable(),
  /** Smoothed; null while no bytes move. */
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  /** Why it failed or waits for a retry. */
  error: appErrorSchema.nullable(),
  activityToken: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  replacing: replacingSchema.optional(),
  finishedAtMs: z.number().nullable(),
  /** The batch it belongs to. */
  batch: transferIdSchema.optional(),
});
export type Transfer = z.infer<typeof transferSchema>;

/** What one action of a person does with all transfers of a batch; the last two give objects another classification, or identifier. */
export const batchActionSchema = z.enum(['upload', 'download', 'reclassify', 'move']);
export type BatchAction = z.infer<typeof batchActionSchema>;

/** From this number on, transfers of one action are one entry of the dock. Fewer are seen at a glance. */
export const batchFrom = 10;

/** Maximum number of batches that are open in the dock at a time. */
export const openedMax = 100;

/** Transfers that one action started, as one entry. What needs an answer or has failed stands in its own group, too. */
export const batchSchema = z.object({
  id: transferIdSchema,
  serviceId: serviceIdSchema,
  action: batchActionSchema,
  /** The innermost folder of all identifiers; '': there is none. */
  folder: z.string(),
  /** `moving`: one of them is in work. `done`: none will go on by itself. */
  state: z.enum(['moving', 'waiting', 'done']),
  /** By state; `paused` are part of `open`. */
  open: z.number(),
  paused: z.number(),
  asking: z.number(),
  failed: z.number(),
  done: z.number(),
  cancelled: z.number(),
  /** The one that is first in the queue, and why it waits; null: none is open. */
  next: transferSchema
    .pick({ id: true, priority: true, waitingFor: true, retryAtMs: true, error: true })
    .nullable(),
  /** What holds up all of its service, and when that is tried again. Omitted: nothing does. */
  heldUp: z.object({ error: appErrorSchema, retryAtMs: z.number().nullable() }).optional(),
  /** Of those that are done. */
  settledBytes: z.number(),
  /** Of those that are open or done. */
  doneBytes: z.number(),
  totalBytes: z.number(),
  bytesPerSecond: z.number().nullable(),
  /** When the last one ended. */
  finishedAtMs: z.number().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;

/** In dock order. `closing`: the window of a deferred request is about to end and its result is not fetched. */
export const transferGroupSchema = z.enum(['closing', 'needsYou', 'moving', 'waiting', 'done']);
export type TransferGroup = z.infer<typeof transferGroupSchema>;

/** What the user has paused, and whether the weekly schedule pauses everything now. */
export const pausedSchema = z.object({
  all: z.boolean(),
  byHour: z.boolean(),
  serviceIds: z.array(serviceIdSchema),
});

/** Transfers of one service that wait or failed for the same reason: one entry with a count. */
export const causeSchema = z.object({
  serviceId: serviceIdSchema,
  group: z.enum(['waiting', 'needsYou']),
  /** The code of the AppError. */
  code: z.string(),
  count: z.number(),
  /** The error of one of them, for its text; null while they wait for a token. */
  error: appErrorSchema.nullable(),
  /** Wall clock, ms; null: no automatic retry. */
  retryAtMs: z.number().nullable(),
  /** It holds up batches alone, whose entries say so. */
  isOfBatches: z.boolean().optional(),
});
export type Cause = z.infer<typeof causeSchema>;

/** All transfers with this cause, direct and deferred. */
export const causeKeySchema = causeSchema.pick({ serviceId: true, group: true, code: true }).strict();
export type CauseKey = z.infer<typeof causeKeySchema>;

/** The limits in force; null: no limit. */
export const currentLimitSchema = z.object({
  uploadBytesPerSecond: z.number().nullable(),
  downloadBytesPerSecond: z.number().nullable(),
  /** Wall clock, ms; null: until the user changes it. */
  untilMs: z.number().nullable(),
});

/** Progress of running transfers, four times a second. Does not require reloading a list. */
export const progressSchema = z.object({
  entries: z.array(
    z.object({
      id: transferIdSchema,
      objectId: objectIdSchema.nullable(),
      doneBytes: z.number(),
      totalBytes: z.number().nullable(),
      bytesPerSecond: z.number().nullable(),
      leftMs: z.number().nullable(),
    }),
  ),
  /** Of each batch of them: the bytes that its running transfers have moved so far. */
  batches: z
    .array(z.object({ id: transferIdSchema, movedBytes: z.number(), bytesPerSecond: z.number().nullable() }))
    .optional(),
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  fraction: z.number().nullable(),
});
export type TransferProgress = z.infer<typeof progressSchema>;

export type Paused = z.infer<typeof pausedSchema>;
export type CurrentLimit = z.infer<typeof currentLimitSchema>;

export const tabSummarySchema = z.object({
  counts: z.record(transferGroupSchema, z.number()),
  /** Unfinished ones. */
  active: z.number(),
  failed: z.number(),
  lost: z.number(),
  /** Without cancelled ones, which `counts.done` includes. */
  done: z.number(),
  unanswered: z.number(),
  /** Unanswered ones whose question opens by itself: without those of watched folders. */
  questionsToOpen: z.number(),
  /** Those that have replaced an object, and only wait to look at it once more. */
  rechecking: z.number(),
  causes: z.array(causeSchema).max(100),
});
export type TabSummary = z.infer<typeof tabSummarySchema>;

export const transferSummarySchema = z.object({
  revision: z.number(),
  transfers: tabSummarySchema,
  jobs: tabSummarySchema,
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  /** 0 to 1 over all bytes that are moved since there was nothing to move; null: nothing is to be moved. */
  fraction: z.number().nullable(),
  paused: pausedSchema,
  /** Direct transfers that run without moving bytes of their file: they compare with the service or with the saved file. */
  verifying: z.number(),
  /** Deferred requests whose file or result is moving now. */
  movingJobs: z.number(),
  /** Running transfers that finish although their service or everything is paused. */
  finishing: z.number(),
  limit: currentLimitSchema.nullable(),
  /**
   * Transfers, deferred requests and deletions that move, or will by themselves: without those that wait for a token or an answer, or
   * that the user has paused. An older app omits it.
   */
  goingOn: z.number().default(0),
  /** Services whose transfers wait for a new token. */
  tokenRefused: z.array(serviceIdSchema),
});
export type TransferSummary = z.infer<typeof transferSummarySchema>;

/** The conflict prompt of an upload: its identifier exists already (409). */
export const conflictPromptSchema = z.object({
  transferId: transferIdSchema,
  identifier: z.string(),
  /** Uploads waiting for an answer, including this one: those of watched folders, or the others. */
  waiting: z.number(),
  /**
   * Why a Replace asks: `changed`: the object is not the one that was agreed to, and was not touched; `third`: someone stored
   * another one after its deletion.
   */
  replacing: z.enum(['changed', 'third']).exactOptional(),
  yours: z.object({
    lengthBytes: z.number(),
    modifiedAtMs: z.number(),
    /** null: too slow to compute, or the file is unreadable. */
    sha256: z.string().nullable(),
    classification: z.string().nullable(),
  }),
  stored: z.object({
    lengthBytes: z.number().nullable(),
    storedAtMs: z.number().nullable(),
    sha256: z.string().nullable(),
    classification: z.string().nullable(),
    /** Not on the list: only its length is known, from the service. */
    known: z.boolean(),
  }),
  keepBothIdentifier: z.string(),
  newVersionIdentifier: z.string(),
  /** Classifications that these answers keep instead of the default one that nobody chose. */
  keeps: z.object({ replace: z.string().nullable(), newVersion: z.string().nullable() }).exactOptional(),
  /** Present classifications that these answers would change to that of `yours`. null: the service default; without: no change. */
  changes: z.object({ replace: z.string().nullish(), newVersion: z.string().nullish() }),
  /** Number of other uploads started with it that were skipped as identical. */
  sameBytes: z.number(),
});
export type Question = z.infer<typeof conflictPromptSchema>;
