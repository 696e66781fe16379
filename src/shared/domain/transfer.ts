import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { objectIdSchema, objectKindSchema } from './object.ts';
import { serviceIdSchema, requestSchema, type RequestKind } from './service.ts';

export const directionSchema = z.enum(['upload', 'download']);
export type Direction = z.infer<typeof directionSchema>;

/** The dock's two filters of one list: direct transfers, and deferred requests (sections 2 and 3 of the interface). */
export const tabSchema = z.enum(['transfers', 'jobs']);
export type Tab = z.infer<typeof tabSchema>;

export function tabOf({ route }: { readonly route: RequestKind }): Tab {
  return route === 'direct' ? 'transfers' : 'jobs';
}

export const transferStateSchema = z.enum([
  /** For its turn, the network, a new token, or an answer about an identifier that exists. */
  'waiting',
  'uploading',
  'downloading',
  /** Deferred: the answer to the start was lost, and HEAD decides what is really there. */
  'unsure',
  /** Deferred: the service works on it. */
  'processing',
  /** Deferred: the result of a download can be fetched. */
  'ready',
  'verifying',
  'done',
  /** Deferred: the service answered an error for its token, or both readings of the window ran out unanswered. */
  'lost',
  'failed',
  'cancelled',
]);
export type TransferState = z.infer<typeof transferStateSchema>;

export function isFinished(state: TransferState): boolean {
  return state === 'done' || state === 'lost' || state === 'failed' || state === 'cancelled';
}

/** The file that a download was saved as. `changed`: since then, in its size or by its time. */
export const savedFileSchema = z.object({
  transferId: z.number(),
  fileName: z.string(),
  state: z.enum(['there', 'changed', 'gone']),
  /** The system would start it: it is shown in its folder, and not opened. */
  isProgram: z.boolean(),
});
export type SavedFile = z.infer<typeof savedFileSchema>;

/** What a private copy is made for: to be looked at, to be edited, or to be stored again as the newest version. */
export const copyForSchema = z.enum(['open', 'edit', 'version']);
export type CopyFor = z.infer<typeof copyForSchema>;

/** What a finished transfer came to. `stored` and `saved` are only ever said after a comparison. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stored'),
    verifiedBy: z.enum(['length', 'digest']),
    /** Of a Replace. `kept`: what was replaced is kept here under this name; `beside`: it is under this identifier. */
    replaced: z.object({ kept: z.string().nullable(), beside: z.string().nullable() }).optional(),
  }),
  z.object({
    kind: z.literal('saved'),
    fileName: z.string(),
    verifiedBy: z.enum(['digest', 'length', 'end']),
    /** Not saved for the person: a private copy, which goes again. */
    copyFor: copyForSchema.optional(),
  }),
  /**
   * It existed already and the answer was to leave it, or it is the same and nobody was asked. `sameAs`: the newest version, which may have
   * another identifier, and what HEAD said of it.
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
 * How far a Replace is, or where it stands while it has failed or asks. `keepNew`, `keepOld`: their bytes come to lie here; `stage`: a copy of the
 * new ones beside the object; `delete`: the old ones go; `store`; `check`: and once more a minute later; `finish`: the copy
 * goes; `takeBack`: everything becomes as it was.
 */
export const replacingSchema = z.object({
  step: z.enum(['wait', 'keepNew', 'keepOld', 'stage', 'delete', 'store', 'check', 'finish', 'takeBack']),
  /** The object may have been touched: it cannot be taken back any more. */
  isOut: z.boolean(),
  /** Whether the old and the new bytes lie here, and under which identifiers beside the object they are on the service. */
  oldIsHere: z.boolean(),
  newIsHere: z.boolean(),
  oldBeside: z.string().nullable(),
  newBeside: z.string().nullable(),
  /** Wall clock, ms: when it is checked once more. */
  againAtMs: z.number().nullable(),
});
export type Replacing = z.infer<typeof replacingSchema>;

/** Of bytes that are kept here: the name of their file, which says nothing. */
export const undoCopyIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const transferIdSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** So many can be picked out one by one; `all`, a service and a cause take any number. */
export const pickedMax = 10_000;

/** In this order they start; `whenIdle` begins only while nothing else of any service is ready to start. */
export const prioritySchema = z.enum(['now', 'normal', 'whenIdle']);
export type Priority = z.infer<typeof prioritySchema>;

/**
 * Why something that waits does not run: for its turn, because it is paused (itself, its service, all, or by the hour),
 * for a new token, an answer (409), the service to be back, its next try, or a deletion of its identifier to end.
 */
export const waitingForSchema = z.enum(['turn', 'paused', 'token', 'answer', 'network', 'retry']);
export type WaitingFor = z.infer<typeof waitingForSchema>;

/** The 30 minutes of a deferred request, from the answer to its start on, and the checks in them. */
export const deferredWindowSchema = z.object({
  /** The pessimistic reading. */
  endsAtMs: z.number(),
  /** Past that reading, and the service still answers for its token. */
  isPast: z.boolean(),
  checks: z.number(),
  /** null: one is on its way, or nothing is asked without a new token. */
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
  /** While it waits, or is held up by its service or by trouble of its own. Computed, never stored. */
  waitingFor: waitingForSchema.nullable(),
  priority: prioritySchema,
  createdAtMs: z.number(),
  /** The next try, while it waits. */
  retryAtMs: z.number().nullable(),
  /** null: it is direct, has not begun, or is over. */
  window: deferredWindowSchema.nullable(),
  doneBytes: z.number(),
  totalBytes: z.number().nullable(),
  /** Smoothed; null while nothing moves. */
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  /** Why it failed, or why it waits for the next try. */
  error: appErrorSchema.nullable(),
  activityToken: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  replacing: replacingSchema.optional(),
  finishedAtMs: z.number().nullable(),
});
export type Transfer = z.infer<typeof transferSchema>;

/** In this order in the dock. `closing`: the window of a deferred request, with its result not fetched. */
export const transferGroupSchema = z.enum(['closing', 'needsYou', 'moving', 'waiting', 'done']);
export type TransferGroup = z.infer<typeof transferGroupSchema>;

/** What a person has paused, and whether the hours of the week pause everything now. */
export const pausedSchema = z.object({
  all: z.boolean(),
  byHour: z.boolean(),
  serviceIds: z.array(serviceIdSchema),
});

/** Everything that one trouble of one service holds up, or that failed for one reason: one entry with a count. */
export const causeSchema = z.object({
  serviceId: serviceIdSchema,
  group: z.enum(['waiting', 'needsYou']),
  /** The code of the AppError. */
  code: z.string(),
  count: z.number(),
  /** Of one of them, for its text; null while it waits for a token. */
  error: appErrorSchema.nullable(),
  /** Wall clock, ms; null: it does not go on by itself. */
  retryAtMs: z.number().nullable(),
});
export type Cause = z.infer<typeof causeSchema>;

/** Everything a cause holds up, direct and deferred. */
export const causeKeySchema = causeSchema.pick({ serviceId: true, group: true, code: true }).strict();
export type CauseKey = z.infer<typeof causeKeySchema>;

/** The limit that holds now; null fields: none. */
export const currentLimitSchema = z.object({
  uploadBytesPerSecond: z.number().nullable(),
  downloadBytesPerSecond: z.number().nullable(),
  /** Wall clock, ms; null: until the person changes it. */
  untilMs: z.number().nullable(),
});

/** How far what moves is: four times a second, and never a reason to ask for a list again. */
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
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  fraction: z.number().nullable(),
});
export type TransferProgress = z.infer<typeof progressSchema>;

export type Paused = z.infer<typeof pausedSchema>;
export type CurrentLimit = z.infer<typeof currentLimitSchema>;

export const tabSummarySchema = z.object({
  counts: z.record(transferGroupSchema, z.number()),
  /** Not finished. */
  active: z.number(),
  failed: z.number(),
  lost: z.number(),
  /** Without the cancelled ones, which `counts` has among them. */
  done: z.number(),
  unanswered: z.number(),
  causes: z.array(causeSchema).max(100),
});
export type TabSummary = z.infer<typeof tabSummarySchema>;

export const transferSummarySchema = z.object({
  revision: z.number(),
  transfers: tabSummarySchema,
  jobs: tabSummarySchema,
  bytesPerSecond: z.number().nullable(),
  leftMs: z.number().nullable(),
  /** 0 to 1 over every direct transfer that is not finished; null when none is under way. */
  fraction: z.number().nullable(),
  paused: pausedSchema,
  /** Of the direct ones that move: only compared with the service, or with what was saved; no bytes of it move. */
  verifying: z.number(),
  /** What has begun and is finished although its service, or everything, is paused. */
  finishing: z.number(),
  limit: currentLimitSchema.nullable(),
  /** Everything waits for a new token of these services. */
  tokenRefused: z.array(serviceIdSchema),
});
export type TransferSummary = z.infer<typeof transferSummarySchema>;

/** The one question of an upload: the identifier exists already (409). */
export const conflictPromptSchema = z.object({
  transferId: transferIdSchema,
  identifier: z.string(),
  /** Uploads that wait for an answer, this one included. */
  waiting: z.number(),
  /**
   * What a Replace has met: `changed`: the object is not what was agreed to, and nothing was touched; `third`: somebody stored
   * something else after it was deleted.
   */
  replacing: z.enum(['changed', 'third']).exactOptional(),
  yours: z.object({
    lengthBytes: z.number(),
    modifiedAtMs: z.number(),
    /** null: it would take too long to know, or the file cannot be read. */
    sha256: z.string().nullable(),
    classification: z.string().nullable(),
  }),
  stored: z.object({
    lengthBytes: z.number().nullable(),
    storedAtMs: z.number().nullable(),
    sha256: z.string().nullable(),
    classification: z.string().nullable(),
    /** Not in the catalogue: only the service knows it, and shows no more than its length. */
    known: z.boolean(),
  }),
  keepBothIdentifier: z.string(),
  newVersionIdentifier: z.string(),
  /** The classifications that these answers keep in place of yours, which nobody chose. */
  keeps: z.object({ replace: z.string().nullable(), newVersion: z.string().nullable() }).exactOptional(),
  /** How many others that were asked for with it are stored already, byte for byte, and were not sent. */
  sameBytes: z.number(),
});
export type Question = z.infer<typeof conflictPromptSchema>;
