import type { TransferState, WaitingFor } from '../../../shared/domain/transfer.ts';

/** What the name of a state decides by itself. What the payload of a state, or the record around it, decides is a function elsewhere. */
export interface StateTraits {
  /**
   * `queued`: it waits in the database, and a kill changes nothing about it. `working`: after a kill it is gone on with
   * (`recovery.ts`). `failed`: finished, and not for good, as it may be tried again. `over`: finished for good.
   */
  readonly life: 'queued' | 'working' | 'failed' | 'over';
  readonly group: 'waiting' | 'running' | 'needsYou' | 'done';
  /**
   * What the next step takes: a slot for a file (`file`: bytes move; `fetch`: of a deferred result; `settle`: what is there may have to
   * be compared), a start of a deferred request, or one request alone (`look`).
   */
  readonly need: 'file' | 'fetch' | 'settle' | 'start' | 'look';
  /** Of a deferred transfer, where that differs. */
  readonly deferredNeed?: 'fetch' | 'start';
  /** What the window shows while it runs. */
  readonly shown: TransferState;
  /** What it shows of a direct transfer that does not run: it begins when there is room, or is paused. */
  readonly shownIdle?: TransferState;
  readonly shownDeferred?: TransferState;
  /** Why nothing happens, whatever is so of its service. */
  readonly waitingFor?: WaitingFor;
  /** A try begins here, so what failed before still counts. */
  readonly isBeginning?: boolean;
  /** Bytes are on their way, and all of them may go or come again: when it is stopped it waits from its beginning. */
  readonly movesBytes?: boolean;
  /** Its request may have been carried out although no answer says so. */
  readonly mayHaveArrived?: boolean;
  /** It ended without what was asked for, and a person may have it begin again. */
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

/** For conditions in SQL. */
export function statesWhere(matches: (traits: StateTraits) => boolean): Name[] {
  return (Object.keys(stateTraits) as Name[]).filter((name) => matches(stateTraits[name]));
}
