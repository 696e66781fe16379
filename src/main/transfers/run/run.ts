import { randomUUID } from 'node:crypto';
import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import type { AppError } from '../../../shared/errors.ts';
import { isOfData } from '../../database/soundness.ts';
import type { TemporaryFile } from '../../local-files/temporary-file.ts';
import { isSilentTooLong, needOf, type ActiveTransfer, type Run } from '../model/active-transfer.ts';
import { otherOriginMs } from '../model/failure-policy.ts';
import { isFinished } from '../model/record.ts';
import type { State } from '../model/state.ts';
import type { Attempt, TakeStep } from '../queue/attempt.ts';
import { bindService, type Send } from '../queue/bound-service.ts';
import { CircuitOpen } from '../queue/circuit-breaker.ts';
import { isAtOrigin, isFor } from '../queue/origin.ts';
import type { Slot } from '../queue/transfer-slots.ts';
import { afterFailure, isValueGone } from './after-failure.ts';
import { createCommit, type CommitListeners } from './commit.ts';
import type { Context } from './context.ts';
import { cancel, endAsUnknown, fail, checkAgain, lose } from './terminal-transitions.ts';

/** Runs records step by step: attempt, then commit, or what `after-failure.ts` decides. */
export interface Runner {
  /** Runs until the record ends, waits, or must be put back. Never rejects. */
  run(entry: ActiveTransfer, slot: Slot, send: Send): Promise<void>;
  /** Cancels for the user, or because the service was removed; resolves when the run has ended. */
  cancel(entry: ActiveTransfer): Promise<void>;
  /** Stops the run; the record waits and starts over. */
  putBack(entry: ActiveTransfer): Promise<void>;
  /** Ends the record as lost if no poll of its token has succeeded for 30 minutes. */
  loseIfSilent(entry: ActiveTransfer): Promise<void>;
  /** Writes a change outside of a step, such as a warning that was shown. */
  note(entry: ActiveTransfer, state: State): Promise<void>;
}

export function createRunner(
  deps: Context &
    CommitListeners & {
      readonly takeStep: TakeStep;
      readonly onTransferred: (entry: ActiveTransfer) => void;
      /** Complete temporary files that are still open, by record. */
      readonly temporaryFiles: Map<number, TemporaryFile>;
      readonly random: () => number;
    },
): Runner {
  const { active, clock, closing, connections, breakers, batcher, log, temporaryFiles, random } = deps;
  const { takeStep, onTransferred, onTouched, onLeft } = deps;
  const { apply, park } = createCommit(deps);

  async function run(entry: ActiveTransfer, slot: Slot, send: Send): Promise<void> {
    await occupy(entry, async (current) => {
      // It may have ended while waiting for its turn.
      if (closing.aborted || active.get(entry.record.id) !== entry || isFinished(entry.record)) return;
      try {
        const { client, origin } = await open(entry);
        // Never send a request to an origin it was not made for.
        if (!isFor(entry.record, origin))
          return await (current.stop === 'cancel' ? endCancelled(entry) : waitForOrigin(entry));
        const facts = await connections.factsOf(entry.record.serviceId);
        const { signal } = current.abort;
        const parts = bindService(client, send, signal, true);
        const service = { ...bindService(client, send, signal), parts };
        do {
          entry.isVerifying = false;
          const next = await takeStep(entry, { ...attemptAt(entry, current, service, slot), facts });
          entry.isFresh = false;
          await apply(entry, next);
          if (current.stop === 'cancel') return await endCancelled(entry);
          if (next.delayMs !== undefined) return;
          // A step that moves a file needs a slot, and this run has none.
        } while (active.has(entry.record.id) && (slot.isHeld() || needsNoSlot(entry)));
      } catch (cause) {
        await handleFailure(entry, current, cause).catch((failure: unknown) => {
          // While closing, the write batcher is expected to fail.
          if (closing.aborted) return;
          describe(failure);
          // Not even its failure can be written: the next start takes it up again.
          if (isOfData(failure)) onLeft(entry, false);
        });
      }
    });
  }

  async function open({ record: { id, serviceId } }: ActiveTransfer): ReturnType<typeof connections.openFor> {
    try {
      return await connections.openFor(serviceId);
    } catch (cause) {
      breakers.of(serviceId).reportFailure(id, cause);
      throw cause;
    }
  }

  function attemptAt(entry: ActiveTransfer, current: Run, service: Attempt['service'], slot: Slot): Attempt {
    return {
      record: entry.record,
      service,
      signal: current.abort.signal,
      show: {
        progress(doneBytes, totalBytes) {
          entry.doneBytes = doneBytes;
          if (totalBytes !== undefined) {
            entry.totalBytes = totalBytes;
            // Lists show the state, which progress events do not refresh.
            if (entry.isVerifying) onTouched(entry);
            entry.isVerifying = false;
          }
          onTransferred(entry);
        },
        gotFurther() {
          // A file whose parts are right and that is wrong as a whole gets this far at each try.
          if (entry.record.trouble?.code === 'digestDiffers') return;
          entry.record = { ...entry.record, tries: 0, trouble: null };
        },
        transferred() {
          current.hasTransferred = true;
          slot.free();
        },
        verifying() {
          entry.isVerifying = true;
          onTouched(entry);
        },
        note(state) {
          entry.record = { ...entry.record, state };
        },
      },
    };
  }

  /** Handles a failed or stopped step. */
  async function handleFailure(entry: ActiveTransfer, { stop, abort }: Run, cause: unknown): Promise<void> {
    const { record } = entry;
    entry.doneBytes = 0;
    if (stop === 'close' || closing.aborted) return;
    if (stop === 'cancel') {
      // A DELETE that may have arrived is a result, no failure.
      entry.isFresh &&= record.direction === 'delete';
      return endCancelled(entry);
    }
    if (!isValueGone(record) && (stop === 'putBack' || cause instanceof CircuitOpen)) return park(entry, 0);
    const error = abort.signal.aborted ? ({ code: 'cancelled' } as const) : describe(cause);
    const breaker = breakers.of(record.serviceId);
    const verdict = afterFailure(record, error, { now: batcher.now(), random, breaker });
    entry.isFresh &&= verdict.kind === 'hold' || (verdict.kind === 'retry' && verdict.isUnsent === true);
    switch (verdict.kind) {
      case 'hold':
        return park(entry, 0);
      case 'retry':
        return retry(entry, error, verdict);
      case 'lost':
        return apply(entry, lose(entry, verdict.error));
      case 'fail':
        await discardTemporaryFile(entry);
        return apply(entry, checkAgain(entry) ?? fail(entry, error));
    }
  }

  async function retry(
    entry: ActiveTransfer,
    error: AppError,
    { tries, delayMs }: { tries: number; delayMs: number },
  ): Promise<void> {
    const { id, direction, state } = entry.record;
    const step = { id, direction, state: state.name, attempt: tries, error: error.code, delayMs };
    log.info('transfer step failed', step);
    entry.record = { ...entry.record, tries, trouble: error };
    await park(entry, delayMs);
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

  /**
   * Waits in case the service comes back to the record's origin; what was cancelled or failed ends as unknown, and so does a deletion
   * that was sent.
   */
  async function waitForOrigin(entry: ActiveTransfer): Promise<void> {
    const next = endAsUnknown(entry);
    await (next ? apply(entry, next) : park(entry, otherOriginMs));
  }

  async function discardTemporaryFile({ record: { id } }: ActiveTransfer): Promise<void> {
    await temporaryFiles.get(id)?.discard();
    temporaryFiles.delete(id);
  }

  /** Converts to an AppError; unexpected errors are logged under a reference. */
  function describe(cause: unknown): AppError {
    const error = toAppError(cause);
    if (error) return error;
    const reference = randomUUID().slice(0, 8);
    log.error('a transfer failed unexpectedly', { reference, cause });
    return { code: 'unexpected', reference };
  }

  /** Serialises the work on a record: waits until the current run has ended. */
  async function occupy(entry: ActiveTransfer, work: (run: Run) => Promise<void>): Promise<void> {
    while (entry.run) await entry.run.ended;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stop = closing.aborted ? 'close' : null;
    const current: Run = { abort: new AbortController(), ended, stop, hasTransferred: false };
    entry.run = current;
    entry.stepBegunMs = clock.monotonicMs();
    try {
      await work(current);
    } finally {
      entry.run = null;
      entry.pace = null;
      onTouched(entry);
      resolve();
    }
  }

  async function stop(entry: ActiveTransfer, why: 'cancel' | 'putBack'): Promise<void> {
    const current = entry.run;
    if (!current) return;
    // A cancel or close overrides a pause, never the reverse.
    if (current.stop === null || current.stop === 'putBack') current.stop = why;
    current.abort.abort(new AppFailure({ code: 'cancelled' }));
    await current.ended;
  }

  return {
    run,
    async cancel(entry) {
      await stop(entry, 'cancel');
      const isThere = active.get(entry.record.id) === entry && !isFinished(entry.record);
      if (isThere && !entry.run) await occupy(entry, () => endCancelled(entry));
    },
    putBack: (entry) => stop(entry, 'putBack'),
    async loseIfSilent(entry) {
      if (entry.run || !isSilentTooLong(entry.record, batcher.now())) return;
      await occupy(entry, () => apply(entry, lose(entry, null)));
    },
    async note(entry, state) {
      entry.record = { ...entry.record, state };
      await batcher.write({ id: entry.record.id, change: { state } });
    },
  };
}

/** Publishing a complete temporary file moves no bytes. */
function needsNoSlot(entry: ActiveTransfer): boolean {
  return needOf(entry) === 'request' || entry.record.state.name === 'publishing';
}
