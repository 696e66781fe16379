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
  /** false: of a kind that is shown in its folder instead. */
  isOpenable: z.boolean(),
});
export type SavedFile = z.infer<typeof savedFileSchema>;

/** Purpose of a private copy: to be viewed, edited, stored again as the newest version, given to another program, or played in the window. */
export const copyForSchema = z.enum(['open', 'edit', 'version', 'takeOut', 'look']);
export type CopyFor = z.infer<typeof copyForSchema>;

/** Result of a finished transfer. `stored` and `saved` require a successful comparison. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stored'),
    verifiedBy: z.enum(['length', 'digest']),
    /** For a Replace. `kept`: name of the undo copy; `beside`: identifier of the old object at the service. */
    replaced: z.object({ kept: z.string().nullable(), beside: z.string().nullable() }).optional(),
    /** The new classification of an object whose bytes did not change; null: the service's default. */
    classification: z.string().nullable().optional(),
    /** Its former classification, if that is known and another one. */
    classifiedFrom: z.string().nullable().exactOptional(),
    /** Its former identifier, which is deleted. */
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
  /** It gives an object another identifier: `rename` in the same folder. */
  moving: z.enum(['rename', 'move']).optional(),
  finishedAtMs: z.number().nullable(),
  /** The batch it belongs to. */
  batch: transferIdSchema.optional(),
});
export type Transfer = z.infer<typeof transferSchema>;

type Reclassified = { objectId: number; from: string | null; to: string | null };

/**
 * The objects whose classification these have changed, each once: one that was changed several times comes back to what it had first.
 * @param newestFirst by their end
 */
export function reclassifiedBy(
  newestFirst: readonly Pick<Transfer, 'objectId' | 'outcome'>[],
): Reclassified[] {
  const changed = new Map<number, Reclassified>();
  for (const { objectId, outcome } of newestFirst) {
    if (objectId === null || outcome?.kind !== 'stored' || outcome.classifiedFrom === undefined) continue;
    const { to } = changed.get(objectId) ?? { to: outcome.classification ?? null };
    changed.set(objectId, { objectId, from: outcome.classifiedFrom, to });
  }
  return [...changed.values()].filter(({ from, to }) => from !== to);
}
