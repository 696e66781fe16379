import { z } from 'zod';
import { deferredWindowMs } from '../../shared/domain/limits.ts';
import { isJobFinished, jobSchema, warnBeforeMs, type Job, type JobGroup } from '../../shared/domain/job.ts';
import { ifExistsSchema } from '../../shared/domain/profile.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Upload } from '../transfers/entry.ts';
import { longestMs, momentSchema, type Moment } from './steady-time.ts';

const seenSchema = z.discriminatedUnion('present', [
  z.object({ present: z.literal(false) }),
  z.object({ present: z.literal(true), lengthBytes: z.number().nullable() }),
]);

/** An upload of the transfers, whose request is answered with a token. */
const uploadSchema = z.object({
  kind: z.literal('upload'),
  path: z.string(),
  fileName: z.string(),
  expected: z.object({ sizeBytes: z.number(), mtimeMs: z.number() }).nullable(),
  modifiedAtMs: z.number(),
  classification: z.string().nullable(),
  ifExists: ifExistsSchema,
  ownsRow: z.boolean(),
  mayBeThere: z.boolean(),
  answered: z
    .object({
      sentBytes: z.number(),
      sha256: z.string().nullable(),
      activityToken: z.string().nullable(),
      fileChanged: z.boolean(),
    })
    .nullable(),
  conflict: seenSchema.nullable(),
  sha256: z.string().nullable(),
});

const downloadSchema = z.object({
  kind: z.literal('download'),
  /** What is being fetched into: a kill leaves it behind. */
  partPath: z.string().nullable(),
  /** Fetched, and all but named. */
  whole: z
    .object({ partPath: z.string(), fileName: z.string(), lengthBytes: z.number(), sha256: z.string() })
    .nullable(),
  savedPath: z.string().nullable(),
});

/** The value itself is in memory only. */
const storeSecretSchema = z.object({
  kind: z.literal('storeSecret'),
  classification: z.string().nullable(),
  sourceName: z.string().nullable(),
  /** The row was added for it. */
  ownsRow: z.boolean(),
});

const readSecretSchema = z.object({ kind: z.literal('readSecret') });

export const workSchema = z.discriminatedUnion('kind', [
  uploadSchema,
  downloadSchema,
  storeSecretSchema,
  readSecretSchema,
]);
export type Work = z.infer<typeof workSchema>;

/** What is written down of a job: everything that is needed to go on after a kill. */
export const recordSchema = jobSchema
  .omit({
    waitingFor: true,
    windowEndsAtMs: true,
    pastWindow: true,
    nextCheckAtMs: true,
    doneBytes: true,
  })
  .extend({
    /** Grows with each job. */
    number: z.number(),
    work: workSchema,
    deferredToken: z.string().nullable(),
    /** When the start was answered, and when its token was last used with success. */
    startedAt: momentSchema.nullable(),
    usedAt: momentSchema.nullable(),
    /** How many of the warnings were given. */
    warned: z.number(),
  });
export type JobRecord = z.infer<typeof recordSchema>;

/** A job while the application runs. Its state changes in job-list.ts only. */
export interface Entry {
  record: JobRecord;
  /** Of the clock that never goes back: when the next thing is to be done. */
  dueMs: number;
  /** When its token was last used; the start counts. */
  lastUseMs: number;
  /** Failures in a row. */
  tries: number;
  /** Why it waits for its next try. */
  trouble: AppError | null;
  doneBytes: number;
  isClosing: boolean;
  /** HEAD said so just before its upload was held back. */
  isKnownFree: boolean;
  /** Numbers that are not written down yet: they change with each check. */
  isUnwritten: boolean;
  run: Run | null;
  /** What is to be stored, until the service has taken it. */
  secret: Uint8Array | null;
  reader: PromiseWithResolvers<Uint8Array> | null;
}

export interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  /** A person stops it. */
  isCancelled: boolean;
}

export function newEntry(record: JobRecord): Entry {
  return {
    record,
    dueMs: 0,
    lastUseMs: 0,
    tries: 0,
    trouble: null,
    doneBytes: 0,
    isClosing: false,
    isKnownFree: false,
    isUnwritten: false,
    run: null,
    secret: null,
    reader: null,
  };
}

/** One thing at a time is done about a job. It must be idle. */
export async function occupy(entry: Entry, work: (run: Run) => Promise<void>): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const run = { abort: new AbortController(), ended, isCancelled: false };
  entry.run = run;
  try {
    await work(run);
  } finally {
    entry.run = null;
    resolve();
  }
}

/** As the transfers' pieces take it; null: it is no upload of a file. */
export function uploadOf({ record }: Entry): Upload | null {
  return record.work.kind === 'upload' ? { transfer: record, job: record.work } : null;
}

/** Somebody has to do something about it yet: a lost upload is still to be looked for. */
export function isOpen({ state, work }: JobRecord): boolean {
  return !isJobFinished(state) || (state === 'lost' && work.kind === 'upload');
}

/** It has a token whose window counts. */
export function isFollowed({ state }: Pick<JobRecord, 'state'>): boolean {
  return state === 'processing' || state === 'completed' || state === 'fetching';
}

/** The token was used, or may have been: by the one reading its window begins anew. */
export function noteUse(entry: Entry, now: Moment, monotonicMs: number): void {
  entry.record = { ...entry.record, usedAt: now };
  entry.isUnwritten = true;
  entry.lastUseMs = monotonicMs;
}

/** By the pessimistic reading; null: it has not begun, or does not matter any more. */
export function windowLeftMs(record: JobRecord, now: Moment): number | null {
  return record.startedAt && isFollowed(record) ? deferredWindowMs - longestMs(record.startedAt, now) : null;
}

export function isClosing(record: JobRecord, now: Moment): boolean {
  const leftMs = windowLeftMs(record, now);
  return leftMs !== null && leftMs <= warnBeforeMs[0];
}

export function groupOf({ record: { state }, isClosing }: Entry): JobGroup {
  if (isClosing) return 'closing';
  switch (state) {
    case 'failed':
    case 'lost':
      return 'needsYou';
    case 'done':
    case 'cancelled':
      return 'done';
    case 'waiting':
      return 'waiting';
    case 'sending':
    case 'unknown':
    case 'processing':
    case 'completed':
    case 'fetching':
    case 'verifying':
      return 'running';
  }
}

/** What the window is shown. */
export function describe(
  { record, doneBytes, trouble }: Entry,
  now: Moment,
  lane: { waitingFor: Job['waitingFor']; nextCheckAtMs: number | null },
): Job {
  const leftMs = windowLeftMs(record, now);
  return {
    ...shownOf(record),
    ...lane,
    error: record.error ?? trouble,
    windowEndsAtMs: leftMs === null ? null : now.wallMs + leftMs,
    pastWindow: leftMs !== null && leftMs <= 0,
    doneBytes,
  };
}

function shownOf(record: JobRecord) {
  const { id, profileId, kind, direction, identifier, objectId, state, createdAtMs } = record;
  const { checks, totalBytes, activityToken, outcome, finishedAtMs } = record;
  return {
    id,
    profileId,
    kind,
    direction,
    identifier,
    objectId,
    state,
    createdAtMs,
    checks,
    totalBytes,
    activityToken,
    outcome,
    finishedAtMs,
  };
}
