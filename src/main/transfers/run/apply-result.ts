import { randomUUID } from 'node:crypto';
import { type AppError } from '../../../shared/errors.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { delayFor, otherOriginMs, tokenDelayMs } from '../model/back-off.ts';
import type { Context } from './context.ts';
import { cancel, endAsUnknown, fail, lookAgain, lose } from './terminal-transitions.ts';
import { isPastWindow, isSilentTooLong, type ActiveTransfer, type Run } from '../model/active-transfer.ts';
import { remedyFor, saysLost } from '../model/failure-policy.ts';
import type { TemporaryFile } from '../../local-files/temporary-file.ts';
import { deferredOf, failureOf, isFinished, isIdle } from '../model/record.ts';
import type { State } from '../model/state.ts';
import type { Transition } from '../model/transition.ts';
import { isAtOrigin } from '../queue/origin.ts';
import { CircuitOpen } from '../queue/circuit-breaker.ts';
import { traitsOf } from '../model/state-traits.ts';
import type { Next } from '../model/next.ts';

/** Turns the result or the failure of a step into writes. */
export interface ResultApplier {
  /** Writes the result of a step and leaves the record in the resulting state. */
  readonly apply: (entry: ActiveTransfer, next: Next) => Promise<void>;
  /** Handles a failed or stopped step. */
  readonly meet: (entry: ActiveTransfer, run: Run, cause: unknown) => Promise<void>;
  readonly endCancelled: (entry: ActiveTransfer) => Promise<void>;
  /**
   * Waits in case the service comes back to the record's origin; what was cancelled or failed ends as unknown, and so does a deletion
   * that was sent.
   */
  readonly waitForOrigin: (entry: ActiveTransfer) => Promise<void>;
  /** Converts to an AppError; unexpected errors are logged under a reference. */
  readonly describe: (cause: unknown) => AppError;
}

/** Callbacks for the results of transfers. */
export interface OutcomeListeners {
  /** Something that is shown in a list has changed. */
  readonly onTouched: (entry: ActiveTransfer) => void;
  /** The result of a step is on the disk. */
  readonly onWritten: (entry: ActiveTransfer) => void;
  /** The record is no longer active. @param isThere false: it was removed with its service, or cannot be written */
  readonly onLeft: (entry: ActiveTransfer, isThere: boolean) => void;
  /** It waits in the database until then. Wall clock, ms. */
  readonly onAsleep: (untilMs: number) => void;
  /** A lazy write failed: the engine must stop. */
  readonly onWriteFailed: (cause: unknown) => void;
}

export interface OutcomeDeps
  extends
    Pick<Context, 'clock' | 'connections' | 'breakers' | 'batcher' | 'log' | 'store' | 'closing'>,
    OutcomeListeners {
  /** Complete temporary files that are still open, by record. */
  readonly temporaryFiles: Map<number, TemporaryFile>;
  readonly random: () => number;
}

export function createResultApplier(deps: OutcomeDeps): ResultApplier {
  const { clock, connections, breakers, batcher, log, temporaryFiles, random, store, closing } = deps;
  const { onTouched, onWritten, onLeft, onAsleep, onWriteFailed } = deps;

  async function apply(
    entry: ActiveTransfer,
    { state, change, row, confirmed, replaceCopies, delayMs, isBehind = false, keepsClaim = false }: Next,
  ): Promise<void> {
    const { id } = entry.record;
    const isEnd = isFinished({ state });
    logStep(entry, state);
    const full: Transition['change'] = {
      // A step that only starts over is no progress.
      ...(!traitsOf(state).isBeginning && { tries: 0, trouble: null }),
      nextAtMs: null,
      ...change,
      state,
      ...(isEnd && { finishedAtMs: clock.nowMs() }),
    };
    const { state: before } = entry.record;
    entry.record = { ...entry.record, ...full };
    entry.hasReplaced ||= state.name === 'replacing';
    if (delayMs !== undefined) entry.dueMs = clock.monotonicMs() + delayMs;
    const isLeft = isIdle({ state }) && !(state.name === 'waiting' && keepsClaim);
    const isUnwaited = isBehind && !isEnd;
    const atMs = connections.momentOf(entry.record.serviceId, clock.nowMs());
    const also = {
      ...((row ?? confirmed ?? replaceCopies) && { atMs }),
      ...(row && { row }),
      ...(confirmed && { confirmed }),
      ...(replaceCopies && { replaceCopies }),
    };
    const written = write(entry, { id, change: full, keepsClaim, ...also }, isLeft, isUnwaited);
    onTouched(entry);
    if (isUnwaited) {
      written.catch(onWriteFailed);
      return;
    }
    const stay = () => {
      entry.record = { ...entry.record, state: before, finishedAtMs: null };
      onTouched(entry);
    };
    const result = await written.catch((cause: unknown) => {
      // Not written: undo the change in memory.
      stay();
      throw cause;
    });
    // Nothing was written: the same step runs again.
    if (result === 'overtaken') stay();
  }

  /** For support. Omits the identifier: that of a secret may reveal too much. Skips repeated checks in one state. */
  function logStep(entry: ActiveTransfer, state: State): void {
    const { id, direction, tries, state: from } = entry.record;
    if (from.name === state.name) return;
    const nowMs = clock.monotonicMs();
    const error = failureOf({ state })?.code;
    const elapsedMs = Math.round(nowMs - entry.stepBegunMs);
    log.info('transfer step', {
      id,
      direction,
      from: from.name,
      to: state.name,
      elapsedMs,
      attempt: tries + 1,
      ...(error !== undefined && { error }),
    });
    entry.stepBegunMs = nowMs;
  }

  async function write(
    entry: ActiveTransfer,
    transition: Transition,
    isLeft: boolean,
    isBehind = false,
  ): Promise<'written' | 'overtaken'> {
    const { isThere, isOvertaken = false } = await batcher.write(transition, isBehind);
    if (isOvertaken) return 'overtaken';
    if (isThere) onWritten(entry);
    if (isLeft || !isThere) onLeft(entry, isThere);
    return 'written';
  }

  async function meet(entry: ActiveTransfer, { stop, abort }: Run, cause: unknown): Promise<void> {
    const wasFresh = entry.isFresh;
    entry.doneBytes = 0;
    if (stop === 'close' || closing.aborted) return;
    if (stop === 'cancel') {
      // A DELETE that may have arrived is a result, no failure.
      entry.isFresh = wasFresh && entry.record.direction === 'delete';
      return endCancelled(entry);
    }
    const isUnsure = entry.record.state.name === 'unsure';
    // The value is gone with the request: it can be neither compared nor sent again.
    const isSecret = entry.record.work.kind === 'storeSecret' && isUnsure;
    if (!isSecret && (stop === 'putBack' || cause instanceof CircuitOpen)) return park(entry, 0);
    entry.isFresh = false;
    const error = abort.signal.aborted ? ({ code: 'cancelled' } as const) : describe(cause);
    if (isSecret) return endFailed(entry, error);
    const tries = entry.record.tries + 1;
    const remedy = remedyFor(error, tries, random());
    if (remedy.kind === 'awaitToken' || remedy.kind === 'hold') {
      entry.isFresh = wasFresh;
      if (isSilentTooLong(entry.record, batcher.now())) return apply(entry, lose(entry, null));
      if (remedy.kind === 'hold' && breakers.of(entry.record.serviceId).isAlone(entry.record.id)) {
        entry.isFresh = false;
        return waitForTry(entry, error, tries, delayFor(tries, remedy.retryAfterMs, random()));
      }
      // Only this request was refused: the service answers others.
      if (remedy.kind === 'hold' && breakers.of(entry.record.serviceId).isClosed())
        return waitForTry(entry, error, entry.record.tries, delayFor(1, null, random()));
      return park(entry, 0);
    }
    if (deferredOf(entry.record)) return afterTokenFailure(entry, error, tries);
    if (remedy.kind === 'fail') {
      const next = lookAgain(entry);
      return next ? apply(entry, next) : endFailed(entry, error);
    }
    // If other transfers fail the same way, the service is to blame, and no attempt is counted.
    const isAll = remedy.mayBeAll && breakers.of(entry.record.serviceId).state() !== 'ready';
    return waitForTry(entry, error, isAll ? tries - 1 : tries, remedy.delayMs);
  }

  /** A poll or fetch of a deferred request failed. */
  async function afterTokenFailure(entry: ActiveTransfer, error: AppError, tries: number): Promise<void> {
    const now = batcher.now();
    // Whoever reads it asks again with another token, which proves more than this one.
    if (entry.record.work.kind === 'readSecret' && error.code === 'missing') return endFailed(entry, error);
    if (saysLost(error, isPastWindow(entry.record, now), tries)) return apply(entry, lose(entry, error));
    // The result stays unreadable, however often it is fetched.
    const isUnreadable =
      entry.record.state.name === 'receiving' && error.code === 'unexpectedAnswer' && error.status === 200;
    const disagrees =
      isUnreadable ||
      error.code === 'downloadLengthDiffers' ||
      error.code === 'digestDiffers' ||
      error.code === 'tooLarge';
    const isOtherThanTold = error.code === 'claimedDigestDiffers' || error.code === 'claimedLengthDiffers';
    if ((disagrees && tries >= 3) || isOtherThanTold) return endFailed(entry, error);
    const isOfToken = error.code === 'missing' || error.code === 'badRequest';
    return waitForTry(entry, error, tries, tokenDelayMs(tries, isOfToken));
  }

  async function endFailed(entry: ActiveTransfer, error: AppError): Promise<void> {
    await discardTemporaryFile(entry);
    await apply(entry, fail(entry, error));
  }

  async function endCancelled(entry: ActiveTransfer): Promise<void> {
    if (isFinished(entry.record)) return;
    const next = cancel(entry);
    if (next) {
      await discardTemporaryFile(entry);
      await apply(entry, next);
    }
    if (!isFinished(entry.record) && !isAtOrigin(connections, entry.record)) await waitForOrigin(entry);
    else if (!next) await park(entry, 0);
  }

  async function waitForOrigin(entry: ActiveTransfer): Promise<void> {
    const next = endAsUnknown(entry);
    await (next ? apply(entry, next) : park(entry, otherOriginMs));
  }

  async function discardTemporaryFile({ record: { id } }: ActiveTransfer): Promise<void> {
    await temporaryFiles.get(id)?.discard();
    temporaryFiles.delete(id);
  }

  async function waitForTry(
    entry: ActiveTransfer,
    error: AppError,
    tries: number,
    delayMs: number,
  ): Promise<void> {
    const { id, direction, state } = entry.record;
    log.info('transfer step failed', {
      id,
      direction,
      state: state.name,
      attempt: tries,
      error: error.code,
      delayMs,
    });
    entry.record = { ...entry.record, tries, trouble: error };
    await park(entry, delayMs);
  }

  /**
   * Parks the record until it is due. Deferred requests and checks stay in work; a record that moves bytes, or was never started,
   * goes back to the database and makes room.
   */
  async function park(entry: ActiveTransfer, delayMs: number): Promise<void> {
    const { record } = entry;
    const { id, state, tries, trouble, work } = record;
    entry.dueMs = clock.monotonicMs() + delayMs;
    if (state.name === 'receiving' && state.deferred) {
      entry.record = { ...record, state: { name: 'completed', deferred: state.deferred } };
      return;
    }
    const isDeletion = record.direction === 'delete';
    const returns = isDeletion
      ? // One that was put back gives up its row: what only waits a moment stays.
        entry.isFresh && delayMs === 0
      : state.name === 'waiting' || traitsOf(state).movesBytes === true;
    if (!returns) return;
    if (entry.isFresh && (isDeletion || trouble === null)) {
      await store.unclaim([id]);
      return onLeft(entry, true);
    }
    const nextAtMs = delayMs ? Math.ceil(clock.nowMs() + delayMs) : null;
    const change: Transition['change'] = { state: { name: 'waiting' }, tries, trouble, nextAtMs, work };
    entry.record = { ...record, ...change };
    await write(entry, { id, change }, true);
    if (nextAtMs !== null) onAsleep(nextAtMs);
  }

  function describe(cause: unknown): AppError {
    const error = toAppError(cause);
    if (error) return error;
    const reference = randomUUID().slice(0, 8);
    log.error('a transfer failed unexpectedly', { reference, cause });
    return { code: 'unexpected', reference };
  }

  return { apply, meet, endCancelled, waitForOrigin, describe };
}
