import type { Settings } from '../../../shared/domain/settings.ts';
import type { ServiceFacts } from '../../connections/connections.ts';
import type { BoundService } from './bound-service.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Next } from '../model/next.ts';
import type { State } from '../model/state.ts';
import type { TransferRecord } from '../model/record.ts';

/** One attempt at a step of a record, created by the runner: how the step sends requests and reports progress. */
export interface Attempt {
  /** As it was when the step began. */
  readonly record: TransferRecord;
  /** `parts`: for the parts of its file, whose requests wait for their turns one by one. */
  readonly service: BoundService & { readonly parts: BoundService };
  readonly signal: AbortSignal;
  readonly show: Show;
}

/** What the service and the person ask for, as it was when the step began. */
export type Rules = ServiceFacts & Pick<Settings, 'skipIdentical' | 'versionReach'>;

/** What a step shows before its result. */
interface Show {
  readonly progress: (doneBytes: number, totalBytes?: number | null) => void;
  /** The attempt made progress: resets the failure count. */
  readonly gotFurther: () => void;
  /** All bytes have been moved: frees the slot for another file while this one waits for its confirmation. */
  readonly transferred: () => void;
  /** Shows the transfer as verifying although its state has not changed yet. */
  readonly verifying: () => void;
  /** Keeps a new `state` (a token, for instance) in memory so that a failure does not lose it; it is written with the next change. */
  readonly note: (state: State) => void;
}

/** Takes the step that the record's state calls for. @throws CircuitOpen, AppFailure: then the failure policy decides */
export type TakeStep = (
  entry: Pick<ActiveTransfer, 'record' | 'isFresh'>,
  attempt: Attempt & { readonly facts: ServiceFacts },
) => Promise<Next>;
