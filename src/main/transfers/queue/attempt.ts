import type { ServiceFacts } from '../../connections/connections.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Next } from '../model/next.ts';
import type { State, TransferRecord } from '../model/record.ts';

/** One attempt at a step of a record: what it may send, and how it says how far it is. The runner makes it. */
export interface Attempt {
  readonly record: TransferRecord;
  /** Bound to the record's service and origin. */
  readonly client: ServiceClient;
  /** Every request goes through the service's breaker. @throws CircuitOpen, what the request throws */
  readonly send: <T>(request: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  readonly facts: ServiceFacts;
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

/** Takes the step that the state of a record says is next. @throws CircuitOpen, AppFailure; then the failure policy decides */
export type TakeStep = (entry: Pick<ActiveTransfer, 'record' | 'isFresh'>, attempt: Attempt) => Promise<Next>;
