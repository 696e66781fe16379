import { AppFailure } from '../../../shared/app-failure.ts';
import { isOfData } from '../../database/soundness.ts';
import { bindService } from '../queue/bound-service.ts';
import type { Attempt, TakeStep } from '../queue/attempt.ts';
import type { Context } from './context.ts';
import { lose } from './terminal-transitions.ts';
import { isSilentTooLong, needOf, type ActiveTransfer, type Run } from '../model/active-transfer.ts';
import { isFor } from '../queue/origin.ts';
import { createResultApplier, type OutcomeDeps } from './apply-result.ts';
import { isFinished } from '../model/record.ts';
import type { State } from '../model/state.ts';
import type { Request, Slot } from '../queue/transfer-slots.ts';

/** Runs records step by step; `apply-result.ts` alone applies the results. */
export interface Runner {
  /** Runs until the record ends, waits, or must be put back. Never rejects. */
  run(entry: ActiveTransfer, slot: Slot, request: Request): Promise<void>;
  /** Cancels for the user, or because the service was removed; resolves when the run has ended. */
  cancel(entry: ActiveTransfer): Promise<void>;
  /** Stops the run; the record waits and starts over. */
  putBack(entry: ActiveTransfer): Promise<void>;
  /** Ends the record as lost if no poll of its token has succeeded for 30 minutes. */
  loseIfSilent(entry: ActiveTransfer): Promise<void>;
  /** Writes a change outside of a step, such as a warning that was shown. */
  note(entry: ActiveTransfer, state: State): Promise<void>;
}

/** Publishing a complete temporary file moves no bytes. */
function needsNoSlot(entry: ActiveTransfer): boolean {
  return needOf(entry) === 'look' || entry.record.state.name === 'publishing';
}

export function createRunner(
  deps: OutcomeDeps &
    Pick<Context, 'active'> & {
      readonly takeStep: TakeStep;
      readonly onProgressed: (entry: ActiveTransfer) => void;
    },
): Runner {
  const { active, clock, closing, connections, breakers, batcher, takeStep } = deps;
  const { onProgressed, onTouched, onLeft } = deps;
  const { apply, meet, endCancelled, waitForOrigin, describe } = createResultApplier(deps);

  async function run(entry: ActiveTransfer, slot: Slot, request: Request): Promise<void> {
    await occupy(entry, async (current) => {
      // It may have ended while waiting for its turn.
      if (closing.aborted || active.get(entry.record.id) !== entry || isFinished(entry.record)) return;
      try {
        const { client, origin } = await open(entry);
        // Never send a request to an origin it was not made for.
        if (!isFor(entry.record, origin))
          return await (current.stop === 'cancel' ? endCancelled(entry) : waitForOrigin(entry));
        const facts = await connections.factsOf(entry.record.serviceId);
        do {
          const attempt = attemptAt(entry, current, { client, facts, request, slot });
          entry.isVerifying = false;
          const next = await takeStep(entry, attempt);
          entry.isFresh = false;
          await apply(entry, next);
          if (current.stop === 'cancel') return await endCancelled(entry);
          if (next.delayMs !== undefined) return;
          // A step that moves a file needs a slot, and this run has none.
        } while (active.has(entry.record.id) && (slot.isHeld() || needsNoSlot(entry)));
      } catch (cause) {
        await meet(entry, current, cause).catch((failure: unknown) => {
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

  /** Serialises the work on a record: waits until the current run has ended. */
  async function occupy(entry: ActiveTransfer, work: (run: Run) => Promise<void>): Promise<void> {
    while (entry.run) await entry.run.ended;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stop = closing.aborted ? 'close' : null;
    const current: Run = { abort: new AbortController(), ended, stop, hasMoved: false };
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

  function attemptAt(
    entry: ActiveTransfer,
    current: Run,
    of: Pick<Attempt, 'facts'> & { client: Parameters<typeof bindService>[0]; request: Request; slot: Slot },
  ): Attempt {
    const { record } = entry;
    const { client, facts, request, slot } = of;
    const { signal } = current.abort;
    const bind = (isOfPart: boolean) =>
      bindService(client, (ask, run) => request({ ...ask, isOfPart }, run, signal, record.id), signal);
    return {
      record,
      facts,
      service: bind(false),
      parts: bind(true),
      signal,
      onGotFurther() {
        // A file whose parts are right and that is wrong as a whole gets this far at each try.
        if (entry.record.trouble?.code === 'digestDiffers') return;
        entry.record = { ...entry.record, tries: 0, trouble: null };
      },
      onProgress(doneBytes, totalBytes) {
        entry.doneBytes = doneBytes;
        if (totalBytes !== undefined) {
          entry.totalBytes = totalBytes;
          // Lists show the state, which progress events do not refresh.
          if (entry.isVerifying) onTouched(entry);
          entry.isVerifying = false;
        }
        onProgressed(entry);
      },
      onMoved() {
        current.hasMoved = true;
        slot.free();
      },
      onVerifying() {
        entry.isVerifying = true;
        onTouched(entry);
      },
      note(state) {
        entry.record = { ...entry.record, state };
      },
    };
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
