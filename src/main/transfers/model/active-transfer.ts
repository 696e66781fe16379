import { deferredWindowMs, warnBeforeMs } from '../../../shared/domain/limits.ts';
import { measureThroughput, timeLeftMs, type Throughput } from '../../../shared/domain/progress.ts';
import { deferredOf, isGivenUp, sizeOf, type TransferRecord } from './record.ts';
import { traitsOf } from './state-traits.ts';
import { longestMs, shortestMs, type Moment } from './dual-clock.ts';

/** A record in work: taken from the file, and nobody else's until it ends or is put back. */
export interface ActiveTransfer {
  record: TransferRecord;
  /** Claimed, and nothing was done about it yet: it may be put back as it was. */
  isFresh: boolean;
  /** By the clock that never goes back: when the next thing is to be done. */
  dueMs: number;
  run: Run | null;
  doneBytes: number;
  totalBytes: number | null;
  isVerifying: boolean;
  pace: Throughput | null;
  isClosing: boolean;
  /** It has been at replacing an object, and others may wait for that. */
  hasReplaced: boolean;
  /** By the clock that never goes back: when the step that is being taken began. */
  stepBegunMs: number;
}

export interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  /** Why it is being stopped from here; null: it is not. */
  stop: 'cancel' | 'putBack' | 'close' | null;
  /** All its bytes have gone or come. */
  hasMoved: boolean;
}

export function newActiveTransfer(record: TransferRecord, isFresh: boolean, dueMs: number): ActiveTransfer {
  return {
    record,
    isFresh,
    dueMs,
    run: null,
    doneBytes: 0,
    totalBytes: record.totalBytes,
    isVerifying: false,
    pace: null,
    isClosing: false,
    hasReplaced: record.state.name === 'replacing',
    stepBegunMs: 0,
  };
}

/**
 * What is done next about it, by what it takes: a slot for files (`settle`: what is there may have to be compared), a request
 * alone, or a start of a deferred request.
 */
export type Need = 'large' | 'small' | 'start' | 'fetch' | 'settle' | 'look' | 'delete';

export function needOf({ record, isFresh }: Pick<ActiveTransfer, 'record' | 'isFresh'>): Need {
  if (isFresh && record.direction === 'delete') return 'delete';
  const { state, route } = record;
  if (state.name === 'replacing' && !movesBytes(record)) return 'look';
  if (state.name === 'unsure' && isGivenUp(state)) return 'look';
  const { need, deferredNeed } = traitsOf(state);
  if (route === 'deferred' && deferredNeed) return deferredNeed;
  return need === 'file' ? sizeOf(record) : need;
}

/** Bytes come or go in this phase of a Replace. */
function movesBytes({ work }: TransferRecord): boolean {
  const phase = work.kind === 'upload' ? work.replace?.phase : undefined;
  switch (phase) {
    case 'keepNew':
    case 'keepOld':
    case 'keepList':
    case 'stage':
    case 'delete':
    case 'store':
    case 'verify':
    case 'again':
      return true;
    case undefined:
    case 'begin':
    case 'absent':
    case 'unstage':
    case 'abandon':
    case 'answered':
      return false;
  }
}

/** Sniffed from the file ahead of its turn: nothing is being done about it yet. */
export function isAhead({ isFresh, run }: Pick<ActiveTransfer, 'isFresh' | 'run'>): boolean {
  return isFresh && run === null;
}

/** Whether its request may have been carried out although no answer says so. */
export function mayHaveArrived({ record }: ActiveTransfer): boolean {
  const { state, work } = record;
  return (work.kind === 'upload' && work.mayBeThere) || traitsOf(state).mayHaveArrived === true;
}

/** By the pessimistic reading; null: no window counts. */
export function windowLeftMs(record: TransferRecord, now: Moment): number | null {
  const deferred = deferredOf(record);
  return deferred && deferredWindowMs - longestMs(deferred.startedAt, now);
}

export function isWindowClosing(record: TransferRecord, now: Moment): boolean {
  const leftMs = windowLeftMs(record, now);
  return leftMs !== null && leftMs <= warnBeforeMs[0];
}

/** Both readings have run out: nobody answered for its token as long as it can be used. */
export function isSilentTooLong(record: TransferRecord, now: Moment): boolean {
  const deferred = deferredOf(record);
  return deferred !== null && shortestMs(deferred.usedAt, now) >= deferredWindowMs;
}

export function isPastWindow(record: TransferRecord, now: Moment): boolean {
  const deferred = deferredOf(record);
  return deferred !== null && shortestMs(deferred.startedAt, now) >= deferredWindowMs;
}

export function measure(entry: ActiveTransfer, monotonicMs: number): void {
  entry.pace = measureThroughput(entry.pace, monotonicMs, entry.doneBytes);
}

export function leftMsOf({ pace, doneBytes, totalBytes }: ActiveTransfer): number | null {
  return timeLeftMs(pace?.bytesPerSecond ?? null, totalBytes === null ? null : totalBytes - doneBytes);
}
