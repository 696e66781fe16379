import type { ObjectKind } from '../../shared/domain/object.ts';
import type { Keeper } from '../kept/kept.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Entry } from './entry.ts';
import type { PartFile } from './files/part.ts';
import type { Journal } from './journal.ts';
import type { Limits } from './limits/limits.ts';
import type { ServiceGate } from './service-gate.ts';
import type { Spacing } from './spacing.ts';
import type { Secrets } from './secret-memory.ts';
import type { InParts, StepContext } from './step.ts';
import type { TransferStore } from './store-types.ts';

export interface Gates {
  of(profileId: string): ServiceGate;
  all(): Iterable<[string, ServiceGate]>;
}

/** What the parts of the engine share. */
export interface Context {
  readonly store: TransferStore;
  readonly journal: Journal;
  readonly connections: Connections;
  readonly gates: Gates;
  readonly limits: Limits;
  readonly settings: StepContext['settings'];
  readonly secrets: Secrets;
  readonly kept: Keeper;
  readonly parts: Map<number, PartFile>;
  readonly inParts: InParts;
  /** How long this service takes for deferred requests; a secret says nothing of a large file, nor the other way round. */
  readonly spacings: (profileId: string, kind: ObjectKind) => Spacing;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** Of this data folder, made once. */
  readonly installId: string;
  readonly closing: AbortSignal;
  /** Everything in work, by record. */
  readonly active: ReadonlyMap<number, Entry>;
  /** Something of it that a list shows has changed. */
  readonly touch: (entry: Entry) => void;
  /** Only how far it is has changed. */
  readonly progressed: (entry: Entry) => void;
  /** It is in work no longer. @param isThere false: its service was removed, and it with it */
  readonly left: (entry: Entry, isThere: boolean) => void;
  /** It waits in the file until then. Wall clock, ms. */
  readonly sleeps: (untilMs: number) => void;
  /** A change that nobody waited for could not be written: everything ends. */
  readonly writeFailed: (cause: unknown) => void;
}
