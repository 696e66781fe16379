import { z } from 'zod';
import { appErrorSchema, type AppError } from '../../../shared/errors.ts';
import { objectKindSchema } from '../../../shared/domain/object.ts';
import { ifExistsSchema } from '../../../shared/domain/service.ts';
import { copyForSchema, outcomeSchema, prioritySchema } from '../../../shared/domain/transfer.ts';
import { traitsOf } from './state-traits.ts';
import { momentSchema } from './dual-clock.ts';

/** A folder chosen by the user; without `fileName`, the object's name is used. */
const intoSchema = z.object({ folder: z.string(), fileName: z.string().optional() });
export type Into = z.infer<typeof intoSchema>;

/** The answer of HEAD (section 4.1, Check Data). */
export const seenSchema = z.discriminatedUnion('present', [
  z.object({ present: z.literal(false) }),
  z.object({ present: z.literal(true), lengthBytes: z.number().nullable() }),
]);
export type Seen = z.infer<typeof seenSchema>;

/** A request body that the service has accepted. */
export const sentSchema = z.object({
  sentBytes: z.number(),
  /** null: the service answered before all bytes were sent. */
  sha256: z.string().nullable(),
  /** null: the answer was lost. */
  activityToken: z.string().nullable(),
  /** The file changed while it was being sent. */
  fileChanged: z.boolean(),
});
export type Sent = z.infer<typeof sentSchema>;

/** A deferred token and its 30 minutes (sections 2 and 3). */
export const deferredSchema = z.object({
  token: z.string(),
  startedAt: momentSchema,
  /** When it was last used successfully, the start included. */
  usedAt: momentSchema,
  checks: z.number(),
  /** How many expiry warnings were shown. */
  warned: z.number(),
});
export type Deferred = z.infer<typeof deferredSchema>;

const expectedFileSchema = z.object({
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  inode: z.string().optional(),
});

const bytesSchema = z.object({ lengthBytes: z.number(), sha256: z.string() });
/** The bytes that the user believes are stored, from what was last shown. */
export type Base = z.infer<typeof bytesSchema>;
/** Bytes kept in an undo copy; `file` null: kept only on the service. */
const keptSchema = bytesSchema.extend({ file: z.string().nullable() });

/**
 * The phases of a Replace; each is on the disk before it is acted on. `keepNew`, `keepOld`: copy the new and the old bytes into local
 * files. `keepList`: also store an old manifest beside the object, so that it keeps naming its chunks. `stage`: store the new bytes
 * beside the object. `delete`: compare the old bytes once more and delete them. `absent`: wait until they are gone. `store`.
 * `verify`, and `again` a minute later. `unstage`: delete what was stored beside the object. `abandon`: give up, remove everything
 * that was put anywhere, and end as `end` says. `answered`: the user has decided what to do.
 */
export const replaceSchema = z.object({
  phase: z.enum([
    'begin',
    'keepNew',
    'keepOld',
    'keepList',
    'stage',
    'delete',
    'absent',
    'store',
    'verify',
    'again',
    'unstage',
    'abandon',
    'answered',
  ]),
  /** Where the old bytes are kept: in a local undo copy, or beside the object on the service. */
  keeps: z.enum(['here', 'service']),
  mine: keptSchema.nullable(),
  old: keptSchema.extend({ classification: z.string().nullable() }).nullable(),
  /** Identifiers beside the object that may hold the new and the old bytes. */
  staged: z.string().nullable(),
  beside: z.string().nullable(),
  /** The object may have been changed: the Replace can no longer be cancelled. */
  isOut: z.boolean(),
  deletions: z.number(),
  stores: z.number(),
  /** How `abandon` ends. `goOn`: as an ordinary upload, as the user decided. */
  end: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('cancelled') }),
      z.object({ kind: z.literal('failed'), error: appErrorSchema }),
      z.object({ kind: z.literal('asking'), there: bytesSchema.nullable(), seen: seenSchema }),
      z.object({ kind: z.literal('same'), seen: seenSchema }),
      z.object({ kind: z.literal('goOn') }),
    ])
    .nullable(),
});
export type Replace = z.infer<typeof replaceSchema>;

/** A Replace that has not done anything yet. */
export function newReplace(keeps: Replace['keeps']): Replace {
  return {
    phase: 'begin',
    keeps,
    mine: null,
    old: null,
    staged: null,
    beside: null,
    isOut: false,
    deletions: 0,
    stores: 0,
    end: null,
  };
}

/** Asked for by a command, and not edited since: it may be one of every night. */
const isByCommandSchema = z.literal(true).optional();

/** What the user asked for, without how far it is. */
export const workSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('upload'),
    path: z.string(),
    fileName: z.string(),
    /** Size and time the file must have when it is opened; null: any, because the user retried. */
    expected: expectedFileSchema.nullable(),
    modifiedAtMs: z.number(),
    classification: z.string().nullable(),
    /**
     * The user chose the classification. Without: a Replace or a new version keeps that of the existing object
     * (`steps/inherited-classification.ts`).
     */
    classificationChosen: z.boolean().optional(),
    ifExists: ifExistsSchema,
    /** The row of the list was added for this upload, and is removed if nothing was stored. */
    addedRow: z.boolean(),
    /** An earlier start or POST may have been carried out: the stored object may be ours. */
    mayBeThere: z.boolean(),
    /**
     * The origin for which the identifier was numbered; at another origin it is numbered again. Without: the identifier is as
     * requested.
     */
    numberedFor: z.string().optional(),
    /** The undo copy to send in place of a file: this upload is an Undo. */
    kept: bytesSchema.extend({ file: z.string() }).optional(),
    /** Of a watched folder, and not edited since: nobody waits for it, so its conflict prompt does not open by itself. */
    isWatched: z.literal(true).optional(),
    isByCommand: isByCommandSchema,
    /** The bytes the user believes are stored: if others are found, nothing is replaced before the user confirms. */
    base: bytesSchema.nullable().optional(),
    /** What the user agreed to replace, as far as it was known. */
    agreed: z.object({ lengthBytes: z.number().nullable(), sha256: z.string().nullable() }).optional(),
    /** Where to keep the old bytes; without: in a local undo copy. */
    keeps: z.literal('service').optional(),
    /** Stores the object's own bytes again, with another classification: there is no file. */
    reclassifies: z.literal(true).optional(),
    /**
     * Stores an object under another identifier; once the copy is verified, the object is deleted. There is no file. `base`: the bytes
     * that the list knows; null: unknown. The others are what the list says of the object. Older versions stored no `objectId`.
     */
    moves: z
      .object({
        objectId: z.number().optional(),
        identifier: z.string(),
        base: bytesSchema.nullable(),
        sourceName: z.string().nullable(),
        note: z.string(),
      })
      .optional(),
    /** How far the Replace is; kept after a failure for *Try again*. */
    replace: replaceSchema.optional(),
  }),
  z.object({
    kind: z.literal('download'),
    /** The path that the user chose, whose file is replaced; null: the service's folder, under a free name. */
    saveAsPath: z.string().nullable(),
    /** Without `saveAsPath`: a folder other than the service's. */
    into: intoSchema.optional(),
    /** The identifier prefix below which the path is kept as folders, '' for the whole path; without: the name alone. */
    below: z.string().optional(),
    /** `saveAsPath` is a private copy, not one of the user's files. */
    copyFor: copyForSchema.optional(),
    /**
     * The list's digest and length prove nothing about the object: it was requested when the service had another origin, or they are
     * an imported list's and differed.
     */
    isMoved: z.boolean().optional(),
    /** Download the manifest of a chunked object instead of the file. */
    asItIs: z.boolean().optional(),
    isByCommand: isByCommandSchema,
  }),
  /** The value is held in memory only. */
  z.object({
    kind: z.literal('storeSecret'),
    classification: z.string().nullable(),
    sourceName: z.string().nullable(),
    addedRow: z.boolean(),
    /** The user wants a new version: if the identifier exists already (409), the next number is used. */
    asNewVersion: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('readSecret') }),
  /** `only`: deletes nothing but these bytes, and only while they are stored under the identifier `at`. */
  z.object({ kind: z.literal('delete'), only: bytesSchema.extend({ at: z.string() }).optional() }),
]);
export type Work = z.infer<typeof workSchema>;

/** A complete temporary file that is not yet published. */
const wholeSchema = z.object({
  temporaryPath: z.string(),
  fileName: z.string(),
  lengthBytes: z.number(),
  sha256: z.string(),
});
export type Whole = z.infer<typeof wholeSchema>;

/**
 * How far the record is. Each state carries what it needs and nothing else, and `recovery.ts` resumes each of them after a kill. Why
 * a transfer does not run is computed, never stored.
 */
export const stateSchema = z.discriminatedUnion('name', [
  /** Nothing was sent, or everything may be sent again. */
  z.object({ name: z.literal('waiting') }),
  /** The identifier exists already (409), and the user must decide. */
  z.object({
    name: z.literal('asking'),
    seen: seenSchema,
    /** The bytes found instead of those that the user agreed to replace, or that the Replace left there. */
    there: bytesSchema.nullable().optional(),
    /** `changed`: found before anything was changed; `third`: a Replace is half-way, and somebody stored other bytes. */
    why: z.enum(['changed', 'third']).optional(),
  }),
  /**
   * Continues as the next version: finds the newest on the service and takes its number plus one. `awaits`: the service says that
   * this number exists, but has not shown it yet.
   */
  z.object({ name: z.literal('numbering'), awaits: z.number().nullable(), looks: z.number() }),
  /** Written before a request with a body is sent: from now on it may have arrived. */
  z.object({ name: z.literal('sending') }),
  /**
   * The answer was lost; HEAD decides, over several checks. `goal`: continue, cancel or fail the upload, or its deferred result was
   * lost.
   */
  z.object({
    name: z.literal('unsure'),
    goal: z.enum(['goOn', 'cancel', 'lost', 'fail']),
    looks: z.number(),
    error: appErrorSchema.nullable(),
    /** When the object was stored, as the list said at the first look. Another time since: another upload has stored it. */
    listedStoredAtMs: z.number().nullable().optional(),
  }),
  /** The service accepted the upload: HEAD compares what is stored. */
  z.object({ name: z.literal('verifying'), sent: sentSchema, looks: z.number() }),
  /** A deferred request, followed by its token. `sent`: for uploads. */
  z.object({ name: z.literal('processing'), deferred: deferredSchema, sent: sentSchema.nullable() }),
  /** Deferred download whose result can be fetched. */
  z.object({ name: z.literal('completed'), deferred: deferredSchema }),
  /** Receiving bytes. `deferred`: of the result of a deferred request. */
  z.object({
    name: z.literal('receiving'),
    temporaryPath: z.string().nullable(),
    deferred: deferredSchema.nullable(),
  }),
  /** All bytes are on the disk and verified: only the file name is missing. */
  z.object({
    name: z.literal('publishing'),
    whole: wholeSchema,
    verifiedBy: z.enum(['digest', 'length', 'end']),
    /** The user agreed to replace the existing file of that name. */
    replaces: z.boolean(),
    /** The row's epoch when the bytes were requested; null: there was no row, or this is a deferred result. */
    epoch: z.number().nullable(),
    deferred: deferredSchema.nullable(),
  }),
  /** A Replace is under way; `work.replace` holds its phase. `absences`: 404s in a row. */
  z.object({ name: z.literal('replacing'), looks: z.number(), absences: z.number() }),
  /** The one DELETE may have been sent. From now on only HEAD is sent. */
  z.object({ name: z.literal('deleting'), isAnswered: z.boolean(), looks: z.number() }),
  z.object({ name: z.literal('done'), outcome: outcomeSchema.nullable(), savedPath: z.string().nullable() }),
  z.object({ name: z.literal('failed'), error: appErrorSchema }),
  /** The result of a deferred request can no longer be fetched. null: no poll succeeded while the token could be used. */
  z.object({ name: z.literal('lost'), error: appErrorSchema.nullable() }),
  z.object({ name: z.literal('cancelled') }),
]);
export type State = z.infer<typeof stateSchema>;
export type StateName = State['name'];
export type StateOf<N extends StateName> = Extract<State, { name: N }>;

export const routeSchema = z.enum(['direct', 'deferred']);
export type Route = z.infer<typeof routeSchema>;
export const engineDirectionSchema = z.enum(['upload', 'download', 'delete']);
export type EngineDirection = z.infer<typeof engineDirectionSchema>;

/** The complete record of one upload, download or deletion. Plain data; it is changed only through the write batcher. */
export const recordSchema = z.object({
  /** Increases with each record. */
  id: z.number(),
  serviceId: z.string(),
  /** The service's origin at the time of the request; the record never runs against another. */
  origin: z.string(),
  kind: objectKindSchema,
  route: routeSchema,
  direction: engineDirectionSchema,
  identifier: z.string(),
  /** The row of the list; null: it was removed. */
  objectId: z.number().nullable(),
  totalBytes: z.number().nullable(),
  priority: prioritySchema,
  /** Within a priority the smallest starts first. */
  orderKey: z.number(),
  isPaused: z.boolean(),
  work: workSchema,
  state: stateSchema,
  /** Consecutive failures of this record, and the last of them; it waits until `nextAtMs` (wall clock) for its retry. */
  tries: z.number(),
  trouble: appErrorSchema.nullable(),
  nextAtMs: z.number().nullable(),
  activityToken: z.string().nullable(),
  /** Of an upload: names the bytes that it stores. Drawn before anything is sent, and kept by a new try that may find them there. */
  incarnation: z.uuid().optional(),
  createdAtMs: z.number(),
  finishedAtMs: z.number().nullable(),
  /** The batch it was started with; without: it was started alone. */
  batch: z.number().optional(),
});
export type TransferRecord = z.infer<typeof recordSchema>;

export function isFinished({ state }: Pick<TransferRecord, 'state'>): boolean {
  return isFinishedState(state.name);
}

export function isFinishedState(name: StateName): boolean {
  const { life } = traitsOf({ name });
  return life === 'failed' || life === 'over';
}

/** Finished for good; a failed one does not count, as it may be retried. */
export function isOver({ state }: Pick<TransferRecord, 'state'>): boolean {
  return traitsOf(state).life === 'over';
}

/** Needs no recovery after a kill. */
export function isIdle({ state }: Pick<TransferRecord, 'state'>): boolean {
  return traitsOf(state).life !== 'working';
}

/** Cancelled or failed; only whether it was stored is still to be found out. */
export function isGivenUp(state: State): state is StateOf<'unsure'> {
  return state.name === 'unsure' && (state.goal === 'cancel' || state.goal === 'fail');
}

/** Why it failed or was lost; null: it did neither, or no reason is known. */
export function failureOf({ state }: Pick<TransferRecord, 'state'>): AppError | null {
  return state.name === 'failed' || state.name === 'lost' ? state.error : null;
}

/** The deferred request that is followed; null: none. */
export function deferredOf({ state }: Pick<TransferRecord, 'state'>): Deferred | null {
  return 'deferred' in state ? state.deferred : null;
}

/** Of a watched folder. */
export function isOfWatched({ work }: Pick<TransferRecord, 'work'>): boolean {
  return work.kind === 'upload' && work.isWatched === true;
}

/** Files up to this size use one buffer and the slot for small files, and share durable writes with others. */
export const smallBytes = 1024 * 1024;

export function isSmall({
  totalBytes,
  direction,
}: Pick<TransferRecord, 'totalBytes' | 'direction'>): boolean {
  return direction === 'delete' || (totalBytes !== null && totalBytes <= smallBytes);
}

export function sizeOf(record: Pick<TransferRecord, 'totalBytes' | 'direction'>): 'small' | 'large' {
  return isSmall(record) ? 'small' : 'large';
}
