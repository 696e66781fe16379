import type { ServiceFacts } from '../../connections/connections.ts';
import type { BoundService } from './bound-service.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Next } from '../model/next.ts';
import type { State } from '../model/state.ts';
import type { TransferRecord } from '../model/record.ts';

/** One attempt at a step of a record, created by the runner: how the step sends requests and reports progress. */
export interface Attempt {
  readonly record: TransferRecord;
  readonly service: BoundService;
  /** For the parts of its file, whose requests wait for their turns one by one. */
  readonly parts: BoundService;
  readonly signal: AbortSignal;
  readonly facts: ServiceFacts;
  /** The attempt made progress: resets the failure count. */
  readonly onGotFurther: () => void;
  readonly onProgress: (doneBytes: number, totalBytes?: number | null) => void;
  /** All bytes have been moved: frees the slot for another file while this one waits for its confirmation. */
  readonly onMoved: () => void;
  /** Show the transfer as verifying although its state has not changed yet. */
  readonly onVerifying: () => void;
  /** Keeps a new `state` (a token, for instance) in memory so that a failure does not lose it; it is written with the next change. */
  readonly note: (state: State) => void;
}

/** Takes the step that the record's state calls for. @throws CircuitOpen, AppFailure: then the failure policy decides */
export type TakeStep = (entry: Pick<ActiveTransfer, 'record' | 'isFresh'>, attempt: Attempt) => Promise<Next>;
