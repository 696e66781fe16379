import { z } from 'zod';
import { ifExistsSchema } from '../../../shared/domain/profile.ts';
import { objectKindSchema } from '../../../shared/domain/object.ts';
import { directionSchema, outcomeSchema } from '../../../shared/domain/transfer.ts';
import { appErrorSchema } from '../../../shared/errors.ts';
import type { State, Work } from '../record.ts';
import { momentSchema } from '../steady-time.ts';

const wholeSchema = z.object({
  partPath: z.string(),
  fileName: z.string(),
  lengthBytes: z.number(),
  sha256: z.string(),
});
const answeredSchema = z.object({
  sentBytes: z.number(),
  sha256: z.string().nullable(),
  activityToken: z.string().nullable(),
  fileChanged: z.boolean(),
});

/** A deferred request as the first version wrote it down, one document each. It is never edited. */
export const earlierJobSchema = z.object({
  number: z.number(),
  profileId: z.string(),
  kind: objectKindSchema,
  direction: directionSchema,
  identifier: z.string(),
  objectId: z.number().nullable(),
  state: z.enum([
    'waiting',
    'sending',
    'unknown',
    'processing',
    'completed',
    'fetching',
    'verifying',
    'done',
    'lost',
    'failed',
    'cancelled',
  ]),
  createdAtMs: z.number(),
  checks: z.number(),
  totalBytes: z.number().nullable(),
  error: appErrorSchema.nullable(),
  activityToken: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  finishedAtMs: z.number().nullable(),
  work: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('upload'),
      path: z.string(),
      fileName: z.string(),
      expected: z.object({ sizeBytes: z.number(), mtimeMs: z.number() }).nullable(),
      modifiedAtMs: z.number(),
      classification: z.string().nullable(),
      ifExists: ifExistsSchema,
      ownsRow: z.boolean(),
      mayBeThere: z.boolean(),
      answered: answeredSchema.nullable(),
    }),
    z.object({
      kind: z.literal('download'),
      partPath: z.string().nullable(),
      whole: wholeSchema.nullable(),
      savedPath: z.string().nullable(),
    }),
    z.object({
      kind: z.literal('storeSecret'),
      classification: z.string().nullable(),
      sourceName: z.string().nullable(),
      ownsRow: z.boolean(),
    }),
    z.object({ kind: z.literal('readSecret') }),
  ]),
  deferredToken: z.string().nullable(),
  startedAt: momentSchema.nullable(),
  usedAt: momentSchema.nullable(),
  warned: z.number(),
});
export type EarlierJob = z.infer<typeof earlierJobSchema>;

export function workOf({ work, state }: EarlierJob): Work {
  switch (work.kind) {
    case 'upload': {
      const { path, fileName, expected, modifiedAtMs, classification, ifExists, ownsRow } = work;
      // Killed while it was sent, or after a start that was accepted: what is there may be its own.
      const mayBeThere = work.mayBeThere || work.answered !== null || state === 'sending';
      const file = { path, fileName, expected, modifiedAtMs, classification, ifExists };
      return { kind: 'upload', ...file, addedRow: ownsRow, mayBeThere };
    }
    case 'download':
      return { kind: 'download', saveAsPath: null };
    case 'storeSecret': {
      const { classification, sourceName, ownsRow } = work;
      return { kind: 'storeSecret', classification, sourceName, addedRow: ownsRow };
    }
    case 'readSecret':
      return { kind: 'readSecret' };
  }
}

/** Where it goes on. What lives in memory only (the value of a secret, who waits for one) is gone. */
export function stateOf(job: EarlierJob): State {
  const { work, state, error, outcome, totalBytes } = job;
  const unsure = (goal: 'goOn' | 'lost'): State => ({
    name: 'unsure',
    goal,
    looks: 0,
    error: goal === 'lost' ? error : null,
  });
  const isUpload = work.kind === 'upload';
  if (!isOver(job)) {
    if (work.kind === 'readSecret') return { name: 'cancelled' };
    if (work.kind === 'storeSecret') {
      if (state === 'waiting') return { name: 'failed', error: { code: 'cancelled' } };
      if (state === 'sending' || state === 'unknown') {
        const lost = { doneBytes: 0, expectedBytes: totalBytes, outcomeUnknown: true };
        return { name: 'failed', error: { code: 'connectionLost', ...lost } };
      }
    }
  }
  switch (state) {
    case 'waiting':
      return { name: 'waiting' };
    case 'sending':
    case 'unknown':
      return isUpload ? unsure('goOn') : { name: 'waiting' };
    case 'processing':
    case 'completed':
    case 'fetching':
      return followedState(job) ?? (isUpload ? unsure('goOn') : { name: 'waiting' });
    case 'verifying': {
      const sent = isUpload ? work.answered : null;
      return sent ? { name: 'verifying', sent, looks: 0 } : unsure('goOn');
    }
    case 'done': {
      const savedPath = work.kind === 'download' ? work.savedPath : null;
      return { name: 'done', outcome, savedPath };
    }
    case 'failed':
      return { name: 'failed', error: error ?? { code: 'unexpected', reference: '' } };
    case 'lost':
      // A lost upload is looked for until it is found, or failed.
      return isUpload ? unsure('lost') : { name: 'lost', error };
    case 'cancelled':
      return { name: 'cancelled' };
  }
}

/** null: it has no token to follow. */
function followedState({ work, state, deferredToken, startedAt, usedAt, checks, warned }: EarlierJob) {
  if (deferredToken === null || startedAt === null) return null;
  const deferred = { token: deferredToken, startedAt, usedAt: usedAt ?? startedAt, checks, warned };
  if (work.kind !== 'download') {
    const sent = work.kind === 'upload' ? work.answered : null;
    return { name: 'processing', deferred, sent } as const;
  }
  if (work.whole) {
    const { whole } = work;
    return {
      name: 'publishing',
      whole,
      verifiedBy: 'length',
      replaces: false,
      epoch: null,
      deferred,
    } as const;
  }
  if (state === 'processing') return { name: 'processing', deferred, sent: null } as const;
  return { name: 'completed', deferred } as const;
}

function isOver({ state }: EarlierJob): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled' || state === 'lost';
}
