import { z } from 'zod';
import { appErrorSchema, type AppError } from '../../../shared/errors.ts';
import { objectKindSchema } from '../../../shared/domain/object.ts';
import { ifExistsSchema } from '../../../shared/domain/service.ts';
import { copyForSchema, outcomeSchema, prioritySchema } from '../../../shared/domain/transfer.ts';
import { traitsOf } from './state-traits.ts';
import { momentSchema } from './dual-clock.ts';

/** A folder that a person named; without a name there, the object's. */
const intoSchema = z.object({ folder: z.string(), fileName: z.string().optional() });
export type Into = z.infer<typeof intoSchema>;

/** What HEAD said (section 4.1, Check Data). */
export const seenSchema = z.discriminatedUnion('present', [
  z.object({ present: z.literal(false) }),
  z.object({ present: z.literal(true), lengthBytes: z.number().nullable() }),
]);
export type Seen = z.infer<typeof seenSchema>;

/** A request whose bytes the service has taken. */
export const sentSchema = z.object({
  sentBytes: z.number(),
  /** null: the service answered before it had everything. */
  sha256: z.string().nullable(),
  /** null: it was in an answer that got lost. */
  activityToken: z.string().nullable(),
  /** The file is not the same any more. */
  fileChanged: z.boolean(),
});
export type Sent = z.infer<typeof sentSchema>;

/** A deferred token and its 30 minutes (sections 2 and 3). */
export const deferredSchema = z.object({
  token: z.string(),
  startedAt: momentSchema,
  /** When it was last used with success; the start counts. */
  usedAt: momentSchema,
  checks: z.number(),
  /** How many of the warnings were given. */
  warned: z.number(),
});
export type Deferred = z.infer<typeof deferredSchema>;

const expectedFileSchema = z.object({
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  inode: z.string().optional(),
});

const bytesSchema = z.object({ lengthBytes: z.number(), sha256: z.string() });
/** What a person believes is stored, by what they saw of it. */
export type Base = z.infer<typeof bytesSchema>;
/** Bytes that are kept here; `file` null: on the service alone. */
const keptSchema = bytesSchema.extend({ file: z.string().nullable() });

/**
 * How a Replace goes on, each phase on the disk before it is acted on. `keepNew`, `keepOld`: the bytes of both come to lie here;
 * `keepList`: an old list of parts comes to lie beside the object as well, where it goes on naming its parts;
 * `stage`: the new ones beside the object; `delete`: the old ones are compared once more and deleted; `absent`: until they are
 * gone; `store`; `verify`, and `again` a minute later; `unstage`: what stood beside goes. `abandon`: it goes no further, and
 * what it has put anywhere is taken away; then it ends as `end` says. `answered`: a person has said what becomes of it.
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
  /** Where the old bytes are kept: here, or beside the object on the service. */
  keeps: z.enum(['here', 'service']),
  /** What is to be stored, and what it replaces. */
  mine: keptSchema.nullable(),
  old: keptSchema.extend({ classification: z.string().nullable() }).nullable(),
  /** Identifiers beside the object that may hold the new and the old bytes. */
  staged: z.string().nullable(),
  beside: z.string().nullable(),
  /** The object may have been touched: it cannot be taken back any more. */
  isOut: z.boolean(),
  /** How often it was deleted, and stored. */
  deletions: z.number(),
  stores: z.number(),
  /** What `abandon` ends in. `goOn`: an ordinary upload, as a person has answered. */
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

/** What a person asked for. It says what is to be done, and nothing of how far it is. */
export const workSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('upload'),
    path: z.string(),
    fileName: z.string(),
    /** What the file must be when it is opened; null: as it is, a person tried again. */
    expected: expectedFileSchema.nullable(),
    modifiedAtMs: z.number(),
    classification: z.string().nullable(),
    /** A person chose it. Without: a Replace or a new version keeps the classification of what is there (`kept-classification.ts`). */
    classificationChosen: z.boolean().optional(),
    ifExists: ifExistsSchema,
    /** The row of the list was added for this upload, so it goes when nothing came of it. */
    addedRow: z.boolean(),
    /** An earlier start or POST of it may have been carried out: what is there may be ours. */
    mayBeThere: z.boolean(),
    /** The address whose next number its identifier has: at another one it is numbered anew. Without: the identifier is as it was asked for. */
    numberedFor: z.string().optional(),
    /** Bytes kept here that it sends in place of a file: an Undo. */
    kept: bytesSchema.extend({ file: z.string() }).optional(),
    /** What the person believes is there: when it is something else, nothing is replaced before they have said so again. */
    base: bytesSchema.nullable().optional(),
    /** What they have agreed to replace, as far as it was known. */
    agreed: z.object({ lengthBytes: z.number().nullable(), sha256: z.string().nullable() }).optional(),
    /** Where the old bytes are to be kept; without: here. */
    keeps: z.literal('service').optional(),
    /** How far its Replace is; it stays when that failed, for *Try again*. */
    replace: replaceSchema.optional(),
  }),
  z.object({
    kind: z.literal('download'),
    /** The place a person chose, whose file it replaces; null: the service's folder under a free name. */
    saveAsPath: z.string().nullable(),
    /** Without `saveAsPath`: another folder than the service's. */
    into: intoSchema.optional(),
    /** The folder of identifiers below which its path is kept, '' for all of it; without: its name alone. */
    below: z.string().optional(),
    /** A private copy of Coffer's own at `saveAsPath`, and no file of the person's. */
    copyFor: copyForSchema.optional(),
    /** Asked for when the service had another address: what the list knows is of there, and proves nothing of what is here. */
    isMoved: z.boolean().optional(),
    /** Of an object in parts the list of them, and not the file. */
    asItIs: z.boolean().optional(),
  }),
  /** The value itself is in memory only. */
  z.object({
    kind: z.literal('storeSecret'),
    classification: z.string().nullable(),
    sourceName: z.string().nullable(),
    addedRow: z.boolean(),
    /** A person wants it beside what its name holds: when that exists too (409), under the next number. */
    asNewVersion: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('readSecret') }),
  z.object({ kind: z.literal('delete') }),
]);
export type Work = z.infer<typeof workSchema>;

/** A part file that only lacks its name. */
const wholeSchema = z.object({
  temporaryPath: z.string(),
  fileName: z.string(),
  lengthBytes: z.number(),
  sha256: z.string(),
});
export type Whole = z.infer<typeof wholeSchema>;

/**
 * How far it is. Each state carries what it needs and nothing else; a kill in any of them is gone on from by
 * `recovery.ts`. Why a transfer does not run is computed, never stored.
 */
export const stateSchema = z.discriminatedUnion('name', [
  /** Nothing has left, or all of it may leave again. */
  z.object({ name: z.literal('waiting') }),
  /** It exists already (409), and a person is to say what becomes of it. */
  z.object({
    name: z.literal('asking'),
    seen: seenSchema,
    /** It is not what was agreed to, or what a Replace has left there: these bytes. */
    there: bytesSchema.nullable().optional(),
    /** `changed`: before anything was touched; `third`: a Replace is half-way, and somebody stored something else. */
    why: z.enum(['changed', 'third']).optional(),
  }),
  /**
   * It goes on as the next version of what it met: the newest on the service is looked for, its number plus one is taken.
   * `awaits`: the service says that this number exists, and has not shown it yet.
   */
  z.object({ name: z.literal('numbering'), awaits: z.number().nullable(), looks: z.number() }),
  /** Written before a request with a body may leave: from now on it may have arrived. */
  z.object({ name: z.literal('sending') }),
  /** The answer was lost. HEAD decides, patiently. `goal`: go on with it, give it up, or its deferred result was lost. */
  z.object({
    name: z.literal('unsure'),
    goal: z.enum(['goOn', 'cancel', 'lost', 'fail']),
    looks: z.number(),
    error: appErrorSchema.nullable(),
  }),
  /** The service has taken it: HEAD compares what is stored. */
  z.object({ name: z.literal('verifying'), sent: sentSchema, looks: z.number() }),
  /** Deferred, and followed by its token. `sent`: of an upload. */
  z.object({ name: z.literal('processing'), deferred: deferredSchema, sent: sentSchema.nullable() }),
  /** Deferred download: its result can be fetched. */
  z.object({ name: z.literal('completed'), deferred: deferredSchema }),
  /** Bytes come in. `deferred`: the result of a deferred request. */
  z.object({
    name: z.literal('receiving'),
    temporaryPath: z.string().nullable(),
    deferred: deferredSchema.nullable(),
  }),
  /** All bytes are here, on the disk and proven: they get their name. */
  z.object({
    name: z.literal('publishing'),
    whole: wholeSchema,
    verifiedBy: z.enum(['digest', 'length', 'end']),
    /** A person agreed to replace what has the name. */
    replaces: z.boolean(),
    /** Of the row when the bytes were asked for; null: there was none, or they are of a deferred result. */
    epoch: z.number().nullable(),
    deferred: deferredSchema.nullable(),
  }),
  /** One object replaces another; `work.replace` says how far. `absences`: 404s in a row. */
  z.object({ name: z.literal('replacing'), looks: z.number(), absences: z.number() }),
  /** The DELETE may have left, once. From now on only HEAD is sent. */
  z.object({ name: z.literal('deleting'), isAnswered: z.boolean(), looks: z.number() }),
  z.object({ name: z.literal('done'), outcome: outcomeSchema.nullable(), savedPath: z.string().nullable() }),
  z.object({ name: z.literal('failed'), error: appErrorSchema }),
  /** The result of a deferred request is out of reach for good. null: nobody answered as long as it could be used. */
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

/** Everything that is written down of one thing that moves, or is deleted. Plain data; it changes through the batcher only. */
export const recordSchema = z.object({
  /** Grows with each record. */
  id: z.number(),
  serviceId: z.string(),
  /** Where the service was when it was asked for; it never runs against another. */
  origin: z.string(),
  kind: objectKindSchema,
  route: routeSchema,
  direction: engineDirectionSchema,
  identifier: z.string(),
  /** The row of the list; null: it was taken off. */
  objectId: z.number().nullable(),
  totalBytes: z.number().nullable(),
  priority: prioritySchema,
  /** Among those of its priority the smallest starts first. */
  orderKey: z.number(),
  isPaused: z.boolean(),
  work: workSchema,
  state: stateSchema,
  /** Failures in a row of this one alone, and the last of them; it waits until `nextAtMs` (wall clock) for its next try. */
  tries: z.number(),
  trouble: appErrorSchema.nullable(),
  nextAtMs: z.number().nullable(),
  activityToken: z.string().nullable(),
  createdAtMs: z.number(),
  finishedAtMs: z.number().nullable(),
});
export type TransferRecord = z.infer<typeof recordSchema>;

export function isFinished({ state }: Pick<TransferRecord, 'state'>): boolean {
  return isFinishedState(state.name);
}

export function isFinishedState(name: StateName): boolean {
  const { life } = traitsOf({ name });
  return life === 'failed' || life === 'over';
}

/** Finished for good: one that failed may be tried again. */
export function isOver({ state }: Pick<TransferRecord, 'state'>): boolean {
  return traitsOf(state).life === 'over';
}

/** Nothing has to be done about it after a kill. */
export function isIdle({ state }: Pick<TransferRecord, 'state'>): boolean {
  return traitsOf(state).life !== 'working';
}

/** Nobody wants it any more; only what is there is still to be found out. */
export function isGivenUp(state: State): state is StateOf<'unsure'> {
  return state.name === 'unsure' && (state.goal === 'cancel' || state.goal === 'fail');
}

/** Why it failed, or was lost; null: it did not, or for no reason that anybody has told. */
export function failureOf({ state }: Pick<TransferRecord, 'state'>): AppError | null {
  return state.name === 'failed' || state.name === 'lost' ? state.error : null;
}

/** The token of a deferred request that is followed; null: none counts. */
export function deferredOf({ state }: Pick<TransferRecord, 'state'>): Deferred | null {
  return 'deferred' in state ? state.deferred : null;
}

/** Up to this size a file goes in one buffer, has a slot of its own kind, and shares its durable writes with others. */
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
