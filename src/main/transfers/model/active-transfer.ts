import { deferredWindowMs, warnBeforeMs } from '../../../shared/domain/limits.ts';
import { timeLeftMs, type Throughput } from '../../../shared/domain/progress.ts';
import { deferredOf, sizeOf, type TransferRecord } from './record.ts';
import { isGivenUp, traitsOf } from './state.ts';
import { longestMs, shortestMs, type Moment } from './dual-clock.ts';

/** A record being worked on. It is owned by this process until it ends or is put back into the database. */
export interface ActiveTransfer {
  record: TransferRecord;
  /** Claimed but not started, so it may be put back unchanged. */
  isFresh: boolean;
  /** Monotonic time of the next action. */
  dueMs: number;
  run: Run | null;
  doneBytes: number;
  totalBytes: number | null;
  isVerifying: boolean;
  pace: Throughput | null;
  isClosing: boolean;
  /** It has run a Replace, so other uploads of the identifier may be waiting for it. */
  hasReplaced: boolean;
  /** Monotonic time at which the current step began. */
  stepBegunMs: number;
}

export interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  /** Why this process is stopping the run; null: it is not being stopped. */
  stop: 'cancel' | 'putBack' | 'close' | null;
  /** All bytes have been sent or received. */
  hasTransferred: boolean;
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
 * The resource the next step takes: a transfer slot (`settle` may have to download and compare bytes), a single request, or the start
 * of a deferred request.
 */
export type Need = 'large' | 'small' | 'start' | 'fetch' | 'resolve' | 'request' | 'delete';

export function needOf({ record, isFresh }: Pick<ActiveTransfer, 'record' | 'isFresh'>): Need {
  if (isFresh && record.direction === 'delete') return 'delete';
  const { state, route } = record;
  if (state.name === 'replacing' && !movesBytes(record)) return 'request';
  if (state.name === 'unsure' && isGivenUp(state)) return 'request';
  if (state.name === 'verifying' && record.work.kind === 'upload' && record.work.moves) return 'resolve';
  const { need, deferredNeed } = traitsOf(state);
  if (route === 'deferred' && deferredNeed) return deferredNeed;
  return need === 'file' ? sizeOf(record) : need;
}

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

/** Its Replace waits to verify once more, in case a late deletion still takes effect. */
export function isRechecking({ record: { work }, run }: ActiveTransfer): boolean {
  return run === null && work.kind === 'upload' && work.replace?.phase === 'again';
}

/** Prefetched and not started yet. */
export function isAhead({ isFresh, run }: Pick<ActiveTransfer, 'isFresh' | 'run'>): boolean {
  return isFresh && run === null;
}

/** Whether the request may have been carried out although its answer was lost. */
export function mayHaveArrived({ record }: ActiveTransfer): boolean {
  const { state, work } = record;
  // A move sends nothing before it has seen, and recorded, that its identifier is free.
  if (work.kind === 'upload' && work.moves && !work.mayBeThere) return false;
  return (work.kind === 'upload' && work.mayBeThere) || traitsOf(state).mayHaveArrived === true;
}

/** By the pessimistic clock; null: no deferred request is pending. */
export function windowLeftMs(record: TransferRecord, now: Moment): number | null {
  const deferred = deferredOf(record);
  return deferred && deferredWindowMs - longestMs(deferred.startedAt, now);
}

export function isWindowClosing(record: TransferRecord, now: Moment): boolean {
  const leftMs = windowLeftMs(record, now);
  return leftMs !== null && leftMs <= warnBeforeMs[0];
}

/** Both clocks agree that no poll has succeeded for as long as the token can be used. */
export function isSilentTooLong(record: TransferRecord, now: Moment): boolean {
  const deferred = deferredOf(record);
  return deferred !== null && shortestMs(deferred.usedAt, now) >= deferredWindowMs;
}

export function isPastWindow(record: TransferRecord, now: Moment): boolean {
  const deferred = deferredOf(record);
  return deferred !== null && shortestMs(deferred.startedAt, now) >= deferredWindowMs;
}

export function leftMsOf({ pace, doneBytes, totalBytes }: ActiveTransfer): number | null {
  return timeLeftMs(pace?.bytesPerSecond ?? null, totalBytes === null ? null : totalBytes - doneBytes);
}
