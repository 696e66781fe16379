import type { State } from './state.ts';
import type { TransferRecord } from './record.ts';
import type { Work } from './work.ts';
import type { ReplaceCopy, RowChange, Transition } from './transition.ts';

/** The result of a step. The runner applies it: the record and its row in one transaction. */
export interface Next {
  readonly state: State;
  readonly change?: Omit<Transition['change'], 'state'>;
  readonly row?: RowChange;
  readonly confirmed?: Transition['confirmed'];
  readonly replaceCopies?: readonly ReplaceCopy[];
  /** Delay before the next step; 0: other records may go first. Without it the next step follows at once. */
  readonly delayMs?: number;
  /** Keeps a start that is retried at once claimed although its state is `waiting`. */
  readonly keepsClaim?: boolean;
  /** Lazy: the next step does not wait for this write; after a kill the outcome is determined again. */
  readonly isLazy?: boolean;
}

export type WorkOf<K extends Work['kind']> = Extract<Work, { kind: K }>;

/** Narrows the work to `kind`. @throws Error if it is of another kind */
export function workOf<K extends Work['kind']>(
  { record: { work } }: { readonly record: Pick<TransferRecord, 'work'> },
  kind: K,
): WorkOf<K> {
  if (work.kind !== kind) throw new Error(`a step for ${kind} met ${work.kind}`);
  return work as WorkOf<K>;
}
