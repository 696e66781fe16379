import type { TransferState, WaitingFor } from '../../../shared/domain/transfer.ts';

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
  readonly need: 'file' | 'fetch' | 'settle' | 'start' | 'look';
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

export const stateTraits = {
  waiting: { life: 'queued', group: 'waiting', shown: 'waiting', need: 'start', isBeginning: true },
  asking: { life: 'queued', group: 'needsYou', shown: 'waiting', need: 'look', waitingFor: 'answer' },
  numbering: {
    life: 'working',
    group: 'running',
    shown: 'verifying',
    shownIdle: 'waiting',
    shownDeferred: 'waiting',
    need: 'settle',
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
    need: 'settle',
    isBeginning: true,
    mayHaveArrived: true,
  },
  verifying: { life: 'working', group: 'running', shown: 'verifying', need: 'look', mayHaveArrived: true },
  processing: { life: 'working', group: 'running', shown: 'processing', need: 'look', mayHaveArrived: true },
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
  replacing: { life: 'working', group: 'running', shown: 'verifying', need: 'settle' },
  deleting: { life: 'working', group: 'running', shown: 'verifying', need: 'look' },
  done: { life: 'over', group: 'done', shown: 'done', need: 'look' },
  failed: { life: 'failed', group: 'needsYou', shown: 'failed', need: 'look', isRetryable: true },
  lost: { life: 'failed', group: 'needsYou', shown: 'lost', need: 'look', isRetryable: true },
  cancelled: { life: 'over', group: 'done', shown: 'cancelled', need: 'look', isRetryable: true },
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
