import { z } from 'zod';
import { appErrorSchema } from '../../../shared/errors.ts';
import { outcomeSchema, type TransferState, type WaitingFor } from '../../../shared/domain/transfer.ts';
import { momentSchema } from './dual-clock.ts';

/** The answer of HEAD (section 4.1, Check Data). */
export const seenSchema = z.discriminatedUnion('present', [
  z.object({ present: z.literal(false) }),
  z.object({ present: z.literal(true), lengthBytes: z.number().nullable() }),
]);
export type Seen = z.infer<typeof seenSchema>;

/** A request body that the service has accepted. */
const sentSchema = z.object({
  sentBytes: z.number(),
  /** null: the service answered before all bytes were sent. */
  sha256: z.string().nullable(),
  /** null: the answer was lost. */
  activityToken: z.string().nullable(),
  /** The file changed while it was being sent. */
  fileChanged: z.boolean(),
  /** Of a deferred upload: nobody had looked whether something was there. */
  isUnseen: z.literal(true).optional(),
});
export type Sent = z.infer<typeof sentSchema>;

/** A deferred token and its 30 minutes (sections 2 and 3). */
const deferredSchema = z.object({
  token: z.string(),
  startedAt: momentSchema,
  /** When it was last used successfully, the start included. */
  usedAt: momentSchema,
  checks: z.number(),
  /** How many expiry warnings were shown. */
  warned: z.number(),
});
export type Deferred = z.infer<typeof deferredSchema>;

export const bytesSchema = z.object({ lengthBytes: z.number(), sha256: z.string() });
/** The bytes that the user believes are stored, from what was last shown. */
export type Base = z.infer<typeof bytesSchema>;

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
 * a transfer does not run is computed, never stored. `═►` is on the disk before anything more is done, `─►` is written soon after, `↺`
 * asks again:
 *
 *     upload    direct    waiting ═► sending ─► verifying ↺ ═► done
 *               deferred  waiting ═► sending ═► processing ↺ ─► verifying ↺ ═► done
 *               both      answer lost ─► unsure ↺: ours ═► done · another's: as 409 · nothing there ═► begins again
 *                         409 where nothing had been ═► unsure ↺: ours ═► done · another's: as below
 *                         409 ═► done (the same bytes) · asking (Ask) · done (Skip) · begins again under another name (Keep both)
 *               409 ═► numbering ↺ ═► begins again under the next number (New version)
 *               409 ═► replacing ↺ ═► done (Replace)
 *                         abandoned when it may have arrived ═► unsure ↺, four minutes ═► cancelled, failed
 *     download  direct    waiting ═► receiving ═► publishing ═► done
 *               deferred  waiting ═► processing ↺ ═► completed ─► receiving ═► publishing ═► done
 *     deletion            waiting ═► deleting: DELETE once, then HEAD ↺ ═► done (404), failed (still there after ten minutes, or after
 *                         seven seconds where DELETE was answered with no success)
 *     all                 refused, out of retries ═► failed · a person cancels ═► cancelled · token gone ═► lost
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
   * this number exists, but has not shown it yet. `absent`: numbers that an attempt did not find before the service refused a request
   * of it, each with the epoch of its row (null: it had none). Should somebody else take one meanwhile, the POST says so.
   */
  z.object({
    name: z.literal('numbering'),
    awaits: z.number().nullable(),
    looks: z.number(),
    absent: z.array(z.tuple([z.number(), z.number().nullable()])).exactOptional(),
  }),
  /** Written before a request with a body is sent: from now on it may have arrived. */
  z.object({ name: z.literal('sending') }),
  /**
   * The answer was lost; HEAD decides, over several checks. `goal`: continue, cancel or fail the upload, or its deferred result was
   * lost; `refused`: the answer was 409 where nothing had been, so what is there may be what it stored all the same.
   */
  z.object({
    name: z.literal('unsure'),
    goal: z.enum(['goOn', 'cancel', 'lost', 'fail', 'refused']),
    looks: z.number(),
    error: appErrorSchema.nullable(),
    /** The row's `storedAtMs` at the first look. If it differs later, another upload has stored the object. */
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
  /**
   * The one DELETE may have been sent. From now on only HEAD is sent. `isAnswered`: the service has accepted it; `refusal`: it
   * answered something else.
   */
  z.object({
    name: z.literal('deleting'),
    isAnswered: z.boolean(),
    looks: z.number(),
    refusal: appErrorSchema.optional(),
  }),
  z.object({ name: z.literal('done'), outcome: outcomeSchema.nullable(), savedPath: z.string().nullable() }),
  z.object({ name: z.literal('failed'), error: appErrorSchema }),
  /** The result of a deferred request can no longer be fetched. null: no poll succeeded while the token could be used. */
  z.object({ name: z.literal('lost'), error: appErrorSchema.nullable() }),
  z.object({ name: z.literal('cancelled') }),
]);
export type State = z.infer<typeof stateSchema>;
export type StateName = State['name'];
export type StateOf<N extends StateName> = Extract<State, { name: N }>;

/** Cancelled or failed; only whether its bytes were stored is still unknown. */
export function isGivenUp(state: State): state is StateOf<'unsure'> {
  return state.name === 'unsure' && (state.goal === 'cancel' || state.goal === 'fail');
}

/** Everything that follows from a state's name alone. Functions elsewhere decide what depends on its payload or on the record. */
export interface StateTraits {
  /**
   * `queued`: waits in the database, and a kill changes nothing. `working`: resumed after a kill (`recovery.ts`). `failed`: finished,
   * but may be retried. `over`: finished for good.
   */
  readonly life: 'queued' | 'working' | 'failed' | 'over';
  readonly group: 'waiting' | 'running' | 'needsYou' | 'done';
  /**
   * What the next step takes: a transfer slot (`file`: moves bytes; `fetch`: moves a deferred result; `settle`: may have to compare
   * bytes), the start of a deferred request, or a single request (`look`).
   */
  readonly need: 'file' | 'fetch' | 'resolve' | 'start' | 'request';
  /** For deferred transfers, where it differs. */
  readonly deferredNeed?: 'fetch' | 'start';
  /** What the window shows while it runs. */
  readonly shown: TransferState;
  /** For a direct transfer that waits for a slot or is paused, if different. */
  readonly shownIdle?: TransferState;
  /** For a deferred request, if different. */
  readonly shownDeferred?: TransferState;
  /** The waiting reason, whatever the state of the service. */
  readonly waitingFor?: WaitingFor;
  /** An attempt begins here, so earlier failures still count. */
  readonly isBeginning?: boolean;
  /** Moves bytes, and all of them may be moved again: when stopped, the record waits and starts over. */
  readonly movesBytes?: boolean;
  /** The request may have been carried out although its answer was lost. */
  readonly mayHaveArrived?: boolean;
  /** Ended without success, and the user may retry it. */
  readonly isRetryable?: boolean;
}

const stateTraits = {
  waiting: { life: 'queued', group: 'waiting', shown: 'waiting', need: 'start', isBeginning: true },
  asking: { life: 'queued', group: 'needsYou', shown: 'waiting', need: 'request', waitingFor: 'answer' },
  numbering: {
    life: 'working',
    group: 'running',
    shown: 'verifying',
    shownIdle: 'waiting',
    shownDeferred: 'waiting',
    need: 'resolve',
    isBeginning: true,
  },
  sending: {
    life: 'working',
    group: 'running',
    shown: 'uploading',
    shownIdle: 'waiting',
    shownDeferred: 'uploading',
    need: 'file',
    deferredNeed: 'start',
    isBeginning: true,
    movesBytes: true,
  },
  unsure: {
    life: 'working',
    group: 'running',
    shown: 'verifying',
    shownIdle: 'waiting',
    shownDeferred: 'unsure',
    need: 'resolve',
    isBeginning: true,
    mayHaveArrived: true,
  },
  verifying: { life: 'working', group: 'running', shown: 'verifying', need: 'request', mayHaveArrived: true },
  processing: {
    life: 'working',
    group: 'running',
    shown: 'processing',
    need: 'request',
    mayHaveArrived: true,
  },
  completed: { life: 'working', group: 'running', shown: 'ready', need: 'fetch' },
  receiving: {
    life: 'working',
    group: 'running',
    shown: 'downloading',
    shownIdle: 'waiting',
    shownDeferred: 'downloading',
    need: 'file',
    deferredNeed: 'fetch',
    isBeginning: true,
    movesBytes: true,
  },
  publishing: { life: 'working', group: 'running', shown: 'verifying', need: 'fetch' },
  replacing: { life: 'working', group: 'running', shown: 'verifying', need: 'resolve' },
  deleting: { life: 'working', group: 'running', shown: 'verifying', need: 'request' },
  done: { life: 'over', group: 'done', shown: 'done', need: 'request' },
  failed: { life: 'failed', group: 'needsYou', shown: 'failed', need: 'request', isRetryable: true },
  lost: { life: 'failed', group: 'needsYou', shown: 'lost', need: 'request', isRetryable: true },
  cancelled: { life: 'over', group: 'done', shown: 'cancelled', need: 'request', isRetryable: true },
} as const satisfies Record<string, StateTraits>;

type Name = keyof typeof stateTraits;

export function traitsOf({ name }: { readonly name: Name }): StateTraits {
  return stateTraits[name];
}

export function groupOf(name: Name): StateTraits['group'] {
  return stateTraits[name].group;
}

export function statesWhere(matches: (traits: StateTraits) => boolean): Name[] {
  return (Object.keys(stateTraits) as Name[]).filter((name) => matches(stateTraits[name]));
}
