import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { objectIdSchema, objectKindSchema } from './object.ts';
import { profileIdSchema } from './profile.ts';
import {
  causeSchema,
  directionSchema,
  outcomeSchema,
  replacingSchema,
  prioritySchema,
  transferIdSchema,
  waitingForSchema,
} from './transfer.ts';

/** Sections 2 and 3 of the interface: a request that was started, is processed by the service, and has to be followed. */
export const jobStateSchema = z.enum([
  /** Its start waits: for its turn, the network, a new token, an answer about an identifier that exists. */
  'waiting',
  /** The start is on its way; for an upload with its bytes. */
  'sending',
  /** The answer to the start was lost. What is really there decides (upload), or it starts again (download). */
  'unknown',
  'processing',
  /** A download's result can be fetched. */
  'completed',
  'fetching',
  /** An upload said to be complete: HEAD compares the stored length. */
  'verifying',
  'done',
  /** The service answered an error for its token, or both readings of the window ran out unanswered. */
  'lost',
  'failed',
  'cancelled',
]);
export type JobState = z.infer<typeof jobStateSchema>;

/** A deferred request is a transfer like every other. */
export const jobIdSchema = transferIdSchema;

export const jobSchema = z.object({
  id: jobIdSchema,
  profileId: profileIdSchema,
  kind: objectKindSchema,
  direction: directionSchema,
  identifier: z.string(),
  objectId: objectIdSchema.nullable(),
  state: jobStateSchema,
  waitingFor: waitingForSchema.nullable(),
  priority: prioritySchema,
  /** Wall clock, ms, like every `AtMs` here. */
  createdAtMs: z.number(),
  /** The pessimistic reading: 30 minutes from the answer to the start. null: the window has not begun. */
  windowEndsAtMs: z.number().nullable(),
  /** Past the pessimistic reading, and the service still answers for its token. */
  pastWindow: z.boolean(),
  nextCheckAtMs: z.number().nullable(),
  checks: z.number(),
  doneBytes: z.number(),
  totalBytes: z.number().nullable(),
  error: appErrorSchema.nullable(),
  activityToken: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  replacing: replacingSchema.optional(),
  finishedAtMs: z.number().nullable(),
});
export type Job = z.infer<typeof jobSchema>;

/** In this order in the dock: a window that closes, what needs the person, what runs, what waits, what is over. */
export const jobGroupSchema = z.enum(['closing', 'needsYou', 'running', 'waiting', 'done']);
export type JobGroup = z.infer<typeof jobGroupSchema>;

/** Warnings come when this much of the window is left and the result is not fetched. */
export const warnBeforeMs = [10 * 60_000, 2 * 60_000] as const;

export function isJobFinished(state: JobState): boolean {
  return state === 'done' || state === 'lost' || state === 'failed' || state === 'cancelled';
}

export const jobSummarySchema = z.object({
  revision: z.number(),
  counts: z.record(jobGroupSchema, z.number()),
  /** Not finished. */
  active: z.number(),
  lost: z.number(),
  failed: z.number(),
  /** Without the cancelled ones, which `counts` has among them. */
  done: z.number(),
  /** Of the deferred ones. */
  causes: z.array(causeSchema).max(100),
  /** The window that closes first among those whose result is not fetched; null when there is none. */
  nextWindowEndsAtMs: z.number().nullable(),
});
export type JobSummary = z.infer<typeof jobSummarySchema>;
