import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { directionSchema, transferIdSchema, transferSchema } from './transfer.ts';
import { objectIdSchema } from './object.ts';
import { serviceIdSchema } from './service.ts';

/** The conflict prompt of an upload: its identifier exists already (409). */
export const conflictPromptSchema = z.object({
  transferId: transferIdSchema,
  identifier: z.string(),
  /** Uploads waiting for an answer, including this one: those of watched folders, or the others. */
  waiting: z.number(),
  /**
   * Why a Replace asks. `changed`: the object is not the one the person agreed to replace; it was not touched. `third`: somebody
   * stored another object after the deletion.
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
export type ConflictPrompt = z.infer<typeof conflictPromptSchema>;

/** In dock order. `closing`: the window of a deferred request is about to end and its result is not fetched. */
export const transferGroupSchema = z.enum(['closing', 'needsYou', 'moving', 'waiting', 'done']);
export type TransferGroup = z.infer<typeof transferGroupSchema>;

/** What the person has paused, and whether the weekly schedule pauses everything now. */
const pausedSchema = z.object({
  all: z.boolean(),
  byHour: z.boolean(),
  serviceIds: z.array(serviceIdSchema),
});
export type Paused = z.infer<typeof pausedSchema>;

/** Transfers of one service that wait or failed for the same reason: one entry with a count. */
const causeSchema = z.object({
  serviceId: serviceIdSchema,
  group: z.enum(['waiting', 'needsYou']),
  /** The code of the AppError. */
  code: z.string(),
  count: z.number(),
  /** The error of one of them, for its text; null while they wait for a token. */
  error: appErrorSchema.nullable(),
  /** Wall clock, ms; null: no automatic retry. */
  retryAtMs: z.number().nullable(),
  /** It only affects batches, whose entries show it. */
  isOfBatches: z.boolean().optional(),
});
export type Cause = z.infer<typeof causeSchema>;

/** All transfers with this cause, direct and deferred. */
export const causeKeySchema = causeSchema.pick({ serviceId: true, group: true, code: true }).strict();
export type CauseKey = z.infer<typeof causeKeySchema>;

/** The limits in force; null: no limit. */
const currentLimitSchema = z.object({
  uploadBytesPerSecond: z.number().nullable(),
  downloadBytesPerSecond: z.number().nullable(),
  /** Wall clock, ms; null: until the person changes it. */
  untilMs: z.number().nullable(),
});
export type CurrentLimit = z.infer<typeof currentLimitSchema>;

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
  /** For each batch with running transfers: the bytes these have moved so far. */
  batches: z
    .array(
      z.object({ id: transferIdSchema, transferredBytes: z.number(), bytesPerSecond: z.number().nullable() }),
    )
    .optional(),
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  fraction: z.number().nullable(),
});
export type TransferProgress = z.infer<typeof progressSchema>;

/** Counts by which the end of a batch is announced. */
const directionCountsSchema = z.object({
  done: z.number(),
  /** `closing` ones, too, but not those that have replaced an object and only wait for the final check. */
  moving: z.number(),
  waiting: z.number(),
});
export type DirectionCounts = z.infer<typeof directionCountsSchema>;

const tabSummarySchema = z.object({
  counts: z.record(transferGroupSchema, z.number()),
  /** Unfinished ones. */
  active: z.number(),
  failed: z.number(),
  lost: z.number(),
  /** Without cancelled ones, which `counts.done` includes. */
  done: z.number(),
  unanswered: z.number(),
  /** Unanswered ones whose prompt opens automatically: not those of watched folders. */
  promptsToOpen: z.number(),
  byDirection: z.record(directionSchema, directionCountsSchema),
  causes: z.array(causeSchema).max(100),
});
export type TabSummary = z.infer<typeof tabSummarySchema>;

export const transferSummarySchema = z.object({
  revision: z.number(),
  transfers: tabSummarySchema,
  jobs: tabSummarySchema,
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  /** 0 to 1 over all bytes since the queue was last empty; null: nothing to move. */
  fraction: z.number().nullable(),
  paused: pausedSchema,
  /** Direct transfers that run without moving bytes: they compare with the service or with the saved file. */
  verifying: z.number(),
  /** Deferred requests whose file or result is moving now. */
  movingJobs: z.number(),
  /** Running transfers that finish although their service or everything is paused. */
  finishing: z.number(),
  limit: currentLimitSchema.nullable(),
  /**
   * Transfers, deferred requests and deletions that run, or will by themselves: without those that wait for a token or an
   * answer, or that the person has paused. An older app omits it.
   */
  goingOn: z.number().default(0),
  /** Of these, the ones that no pause holds up: without those that wait for the end of a paused hour. */
  unpaused: z.number().default(0),
  /** Services whose transfers wait for a new token. */
  tokenRefused: z.array(serviceIdSchema),
});
export type TransferSummary = z.infer<typeof transferSummarySchema>;

/** What a batch does; the last two change the classification or identifier of objects. */
const batchActionSchema = z.enum(['upload', 'download', 'reclassify', 'move']);
export type BatchAction = z.infer<typeof batchActionSchema>;

/** Minimum number of transfers for one entry in the dock. Fewer are easily seen one by one. */
export const batchFrom = 10;

/** Maximum number of batches that are open in the dock at a time. */
export const openedMax = 100;

/** Transfers that one action started, as one entry. Those that need an answer or have failed are also in their own group. */
export const batchSchema = z.object({
  id: transferIdSchema,
  serviceId: serviceIdSchema,
  action: batchActionSchema,
  /** The innermost folder of all identifiers; '': there is none. */
  folder: z.string(),
  /** `moving`: at least one is running. `done`: none will continue by itself. */
  state: z.enum(['moving', 'waiting', 'done']),
  /** By state; `paused` are part of `open`. */
  open: z.number(),
  paused: z.number(),
  asking: z.number(),
  failed: z.number(),
  done: z.number(),
  cancelled: z.number(),
  /** The first in the queue, and why it waits; null: none is open. */
  next: transferSchema
    .pick({ id: true, priority: true, waitingFor: true, retryAtMs: true, error: true })
    .nullable(),
  /** What blocks its whole service, and when that is retried. Omitted: nothing. */
  heldUp: z.object({ error: appErrorSchema, retryAtMs: z.number().nullable() }).optional(),
  /** Of done transfers. */
  finishedBytes: z.number(),
  /** Of open and done transfers. */
  doneBytes: z.number(),
  totalBytes: z.number(),
  bytesPerSecond: z.number().nullable(),
  /** When the last one ended. */
  finishedAtMs: z.number().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;
