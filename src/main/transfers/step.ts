import type { ObjectRecord } from '../../shared/domain/object.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { Keeper } from '../kept/kept.ts';
import type { ProfileFacts } from '../profiles/connections.ts';
import type { Clock, Log } from '../ports.ts';
import type { ServiceClient } from '../service/client.ts';
import type { PartFile } from './files/part.ts';
import type { KeptLists } from './parts/kept-lists.ts';
import type { PartsJournal } from './parts/journal.ts';
import type { OrphanCollector } from './parts/orphan-collector.ts';
import type { Limits } from './limits/limits.ts';
import type { State, StateName, StateOf, TransferRecord, Work } from './record.ts';
import type { Spacing } from './spacing.ts';
import type { Moment } from './steady-time.ts';
import type { Leftover, RowChange, TransferStore, Transition } from './store-types.ts';

/** What a step works with. It reads; it never writes: what is to be written stands in its answer. */
export interface StepContext {
  readonly record: TransferRecord;
  /** Bound to the record's service and origin. */
  readonly client: ServiceClient;
  /** Every request goes through the service's gate. @throws GateClosed, what the request throws */
  readonly send: <T>(request: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  readonly facts: ProfileFacts;
  readonly settings: () => Pick<Settings, 'skipIdentical' | 'versionReach'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly now: () => Moment;
  readonly random: () => number;
  /** Of this data folder, made once. */
  readonly installId: string;
  readonly store: Pick<
    TransferStore,
    'rows' | 'takeIdentifier' | 'takeRow' | 'versions' | 'isBeingStored' | 'takeVersion'
  >;
  readonly limits: Pick<Limits, 'takeBytes'>;
  readonly spacing: Spacing;
  readonly secrets: SecretMemory;
  readonly kept: Keeper;
  /** Parts that are whole and still open, by record. After a kill there are none, and the file under the part's name is. */
  readonly parts: Map<number, PartFile>;
  readonly inParts: InParts;
  /** Room for another body beside this one's, within the limits, and how to give it back; null: there is none now. */
  readonly borrow: () => (() => void) | null;
  /** Something came of this try: what failed before counts no more. */
  readonly onGotFurther: () => void;
  readonly onProgress: (doneBytes: number, totalBytes?: number | null) => void;
  /** All bytes have gone or come: what is left to wait for keeps no other file waiting. */
  readonly onMoved: () => void;
  /** Shown as verifying, although the state is still another. */
  readonly onVerifying: () => void;
  /** Tokens and other things of `state` that a failure must not lose, noted in memory and written with the next change. */
  readonly note: (state: State) => void;
}

/** Files in parts, beside the records. */
export interface InParts {
  readonly journal: PartsJournal;
  readonly orphans: Pick<
    OrphanCollector,
    'exclusively' | 'collect' | 'dropping' | 'giveUp' | 'forgetDownload' | 'noteDeletion' | 'noteGone'
  >;
  readonly keptLists: KeptLists;
  /** What lies under the identifier of an object that is known to lie in parts; null: it is not known. */
  readonly manifestOf: (objectId: number) => Promise<string | null>;
  /** What lists of parts say of who wrote them. */
  readonly clientName: string;
}

/** Values of secrets, beside the records and never in them. */
export interface SecretMemory {
  /** What is to be stored, until the service has taken it. */
  valueOf(id: number): Uint8Array | null;
  /** The service has it: the value is overwritten. */
  forget(id: number): void;
  /** Hands a value that was read to the one who waits for it. */
  deliver(id: number, value: Uint8Array): void;
}

/** What comes of a step. The runner applies it: the record and its row in one transaction. */
export interface Next {
  readonly state: State;
  readonly change?: Omit<Transition['change'], 'state'>;
  readonly row?: RowChange;
  readonly leftovers?: readonly Leftover[];
  /** Nothing is done about it for so long; 0: others may go first. Without it the next step follows at once. */
  readonly delayMs?: number;
  /** A start that is tried again at once stays in work, although it waits. */
  readonly keepsClaim?: boolean;
  /** The next step need not wait for the disk: after a kill what is there decides anew. */
  readonly isBehind?: boolean;
}

/** One step of a record in one state. @throws GateClosed, AppFailure; then the failure policy decides */
export type Step<N extends StateName> = (context: StepContext, state: StateOf<N>) => Promise<Next>;

export type WorkOf<K extends Work['kind']> = Extract<Work, { kind: K }>;

/** The work of a kind that the step's caller has made sure of. */
export function workOf<K extends Work['kind']>(
  { record: { work } }: Pick<StepContext, 'record'>,
  kind: K,
): WorkOf<K> {
  if (work.kind !== kind) throw new Error(`a step for ${kind} met ${work.kind}`);
  return work as WorkOf<K>;
}

export type ObjectRow = { readonly record: ObjectRecord; readonly epoch: number };

/** The row of the list, as it is now; null: it was taken off. */
export async function rowOf({ record: { objectId }, store }: StepContext): Promise<ObjectRow | null> {
  const [row] = objectId === null ? [] : await store.rows([objectId]);
  return row ?? null;
}
