import type { State, TransferRecord, Work } from './record.ts';
import type { Leftover, RowChange, Transition } from './store-types.ts';

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

export type WorkOf<K extends Work['kind']> = Extract<Work, { kind: K }>;

/** The work of a kind that the step's caller has made sure of. */
export function workOf<K extends Work['kind']>(
  { record: { work } }: { readonly record: Pick<TransferRecord, 'work'> },
  kind: K,
): WorkOf<K> {
  if (work.kind !== kind) throw new Error(`a step for ${kind} met ${work.kind}`);
  return work as WorkOf<K>;
}
