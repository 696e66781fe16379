import { randomUUID } from 'node:crypto';
import { AppFailure, toAppError, type AppError } from '../../shared/errors.ts';
import type { Context } from './context.ts';
import { cancel, endAsUnknown, fail, lookAgain, lose } from './endings.ts';
import { isPastWindow, isSilentTooLong, needOf, type Entry, type Run } from './entry.ts';
import { remedyFor, saysLost } from './failure-policy.ts';
import { deferredOf, isFinished, type State } from './record.ts';
import { GateClosed } from './service-gate.ts';
import { longestSpacingMs } from './spacing.ts';
import type { Next, StepContext } from './step.ts';
import { stepOf } from './steps/steps.ts';
import type { Transition } from './store-types.ts';

/** Sends one request of a record when its turn comes. @throws GateClosed, what `send` throws */
export type Request = <T>(send: () => Promise<T>, signal: AbortSignal, who: number) => Promise<T>;

/** What a run may do beside asking. */
export interface Slot {
  /** Bytes may move. */
  isHeld(): boolean;
  /** The bytes have moved: another's may. */
  free(): void;
}

/** Carries records out, step after step, and is the only one that writes what comes of it. */
export interface Runner {
  /** Until it ends, waits, or has to be put back. Never rejects. */
  run(entry: Entry, slot: Slot, request: Request): Promise<void>;
  /** What a person or the end of its service means; resolves when what runs has ended. */
  cancel(entry: Entry): Promise<void>;
  /** Stops what runs; it waits from its beginning. */
  putBack(entry: Entry): Promise<void>;
  /** Nobody answers for its token any more. */
  loseIfSilent(entry: Entry): Promise<void>;
  /** Writes a change that is no step: a warning given. */
  note(entry: Entry, state: State): Promise<void>;
}

/** Where a try starts. */
function isBeginning({ name }: State): boolean {
  return name === 'waiting' || name === 'sending' || name === 'receiving' || name === 'unsure';
}

/** A part that is whole gets its name without moving anything. */
function needsNoSlot(entry: Entry): boolean {
  return needOf(entry) === 'look' || entry.record.state.name === 'publishing';
}

/** Whether its service is back at the origin of a record is looked at this often. */
const otherOriginMs = 60_000;

export function createRunner(context: Context): Runner {
  const {
    active,
    clock,
    connections,
    gates,
    journal,
    log,
    parts,
    random,
    secrets,
    spacings,
    store,
    limits,
    closing,
  } = context;

  async function run(entry: Entry, slot: Slot, request: Request): Promise<void> {
    await occupy(entry, async (current) => {
      // It may have ended while another thing was done about it.
      if (closing.aborted || active.get(entry.record.id) !== entry || isFinished(entry.record)) return;
      try {
        const { client, origin } = await open(entry);
        // Another origin never gets what was meant for this one.
        if (origin !== entry.record.origin)
          return await (current.stop === 'cancel' ? endCancelled(entry) : waitForOrigin(entry));
        const facts = await connections.factsOf(entry.record.profileId);
        do {
          const step = stepOf(entry);
          const stepContext = contextOf(entry, current, { client, facts, request, slot });
          entry.isVerifying = false;
          const next = await step(stepContext);
          entry.isFresh = false;
          await apply(entry, next);
          if (current.stop === 'cancel') return await endCancelled(entry);
          if (next.delayMs !== undefined) return;
          // A file takes a slot, and this run has none.
        } while (active.has(entry.record.id) && (slot.isHeld() || needsNoSlot(entry)));
      } catch (cause) {
        await meet(entry, current, cause).catch((failure: unknown) => {
          // The journal failed because everything ends, or the service was removed.
          if (!closing.aborted) describe(failure);
        });
      }
    });
  }

  async function open({ record: { id, profileId } }: Entry): ReturnType<typeof connections.openFor> {
    try {
      return await connections.openFor(profileId);
    } catch (cause) {
      gates.of(profileId).met(id, cause);
      throw cause;
    }
  }

  /** One thing at a time is done about a record: it waits until what is being done has ended. */
  async function occupy(entry: Entry, work: (run: Run) => Promise<void>): Promise<void> {
    while (entry.run) await entry.run.ended;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stop = closing.aborted ? 'close' : null;
    const current: Run = { abort: new AbortController(), ended, stop, hasMoved: false };
    entry.run = current;
    try {
      await work(current);
    } finally {
      entry.run = null;
      entry.pace = null;
      context.touch(entry);
      resolve();
    }
  }

  function contextOf(
    entry: Entry,
    current: Run,
    {
      client,
      facts,
      request,
      slot,
    }: { client: StepContext['client']; facts: StepContext['facts']; request: Request; slot: Slot },
  ): StepContext {
    const { record } = entry;
    return {
      record,
      client,
      facts,
      send: (send) => request(send, current.abort.signal, record.id),
      signal: current.abort.signal,
      clock,
      log,
      now: journal.now,
      random,
      installId: context.installId,
      settings: context.settings,
      store,
      limits,
      spacing: spacings(record.profileId, record.kind),
      secrets,
      parts,
      onProgress(doneBytes, totalBytes) {
        entry.doneBytes = doneBytes;
        if (totalBytes !== undefined) entry.totalBytes = totalBytes;
        context.progressed(entry);
      },
      onMoved() {
        current.hasMoved = true;
        slot.free();
      },
      onVerifying() {
        entry.isVerifying = true;
        context.touch(entry);
      },
      note(state) {
        entry.record = { ...entry.record, state };
      },
    };
  }

  /** Writes a step's answer, and leaves the record where that says. */
  async function apply(
    entry: Entry,
    { state, change, row, delayMs, isBehind = false, keepsClaim = false }: Next,
  ): Promise<void> {
    const { id } = entry.record;
    const isEnd = isFinished({ state });
    const full: Transition['change'] = {
      // A step that only begins again has got no further.
      ...(!isBeginning(state) && { tries: 0, trouble: null }),
      nextAtMs: null,
      ...change,
      state,
      ...(isEnd && { finishedAtMs: clock.nowMs() }),
    };
    entry.record = { ...entry.record, ...full };
    if (delayMs !== undefined) entry.dueMs = clock.monotonicMs() + delayMs;
    const isLeft = isEnd || (state.name === 'waiting' && !keepsClaim) || state.name === 'asking';
    const isUnwaited = isBehind && !isEnd;
    const written = write(entry, { id, change: full, keepsClaim, ...(row && { row }) }, isLeft, isUnwaited);
    context.touch(entry);
    if (isUnwaited) written.catch((cause: unknown) => context.writeFailed(cause));
    else await written;
  }

  async function write(
    entry: Entry,
    transition: Transition,
    isLeft: boolean,
    isBehind = false,
  ): Promise<void> {
    const { isThere } = await journal.write(transition, isBehind);
    if (isLeft || !isThere) context.left(entry, isThere);
  }

  /** A step failed, or was stopped. */
  async function meet(entry: Entry, { stop, abort }: Run, cause: unknown): Promise<void> {
    const wasFresh = entry.isFresh;
    entry.doneBytes = 0;
    if (stop === 'close' || closing.aborted) return;
    if (stop === 'cancel') {
      entry.isFresh = false;
      return endCancelled(entry);
    }
    const isUnsure = entry.record.state.name === 'unsure';
    // Its value is gone with the request: nobody can compare it, or send it again.
    const isSecret = entry.record.work.kind === 'storeSecret' && isUnsure;
    if (!isSecret && (stop === 'putBack' || cause instanceof GateClosed)) return park(entry, 0);
    entry.isFresh = false;
    const error = abort.signal.aborted ? ({ code: 'cancelled' } as const) : describe(cause);
    if (isSecret) return endFailed(entry, error);
    const tries = entry.record.tries + 1;
    const remedy = remedyFor(error, tries, random());
    if (remedy.kind === 'awaitToken' || remedy.kind === 'hold') {
      entry.isFresh = wasFresh;
      if (isSilentTooLong(entry.record, journal.now())) return apply(entry, lose(entry, null));
      return park(entry, 0);
    }
    if (deferredOf(entry.record)) return afterTokenFailure(entry, error, tries);
    if (remedy.kind === 'fail') {
      const next = lookAgain(entry);
      return next ? apply(entry, next) : endFailed(entry, error);
    }
    // Many that fail like this are the service's trouble, and cost none of them a try.
    const isAll = remedy.mayBeAll && gates.of(entry.record.profileId).state() !== 'ready';
    return waitForTry(entry, error, isAll ? tries - 1 : tries, remedy.delayMs);
  }

  /** Something else than success was answered for a token, or nothing was. */
  async function afterTokenFailure(entry: Entry, error: AppError, tries: number): Promise<void> {
    const now = journal.now();
    if (saysLost(error, isPastWindow(entry.record, now), tries)) return apply(entry, lose(entry, error));
    const disagrees =
      error.code === 'downloadLengthDiffers' || error.code === 'digestDiffers' || error.code === 'tooLarge';
    if (disagrees && tries >= 3) return endFailed(entry, error);
    const isOfToken = error.code === 'missing' || error.code === 'badRequest';
    return waitForTry(
      entry,
      error,
      tries,
      isOfToken ? 30_000 : Math.min(1000 * 2 ** tries, longestSpacingMs),
    );
  }

  async function endFailed(entry: Entry, error: AppError): Promise<void> {
    await discardPart(entry);
    await apply(entry, fail(entry, error));
  }

  async function endCancelled(entry: Entry): Promise<void> {
    if (isFinished(entry.record)) return;
    const next = cancel(entry);
    if (next) {
      await discardPart(entry);
      await apply(entry, next);
    }
    if (!isFinished(entry.record) && isElsewhere(entry)) await waitForOrigin(entry);
    else if (!next) await park(entry, 0);
  }

  /** The service has another address now, or was removed. */
  function isElsewhere({ record: { profileId, origin } }: Entry): boolean {
    return !connections.profileIds().includes(profileId) || connections.originOf(profileId) !== origin;
  }

  /** What somebody still wants waits, in case its service comes back; the rest ends with what is known. */
  async function waitForOrigin(entry: Entry): Promise<void> {
    const next = endAsUnknown(entry);
    await (next ? apply(entry, next) : park(entry, otherOriginMs));
  }

  async function discardPart({ record: { id } }: Entry): Promise<void> {
    await parts.get(id)?.discard();
    parts.delete(id);
  }

  /** Waits for its own next try. */
  async function waitForTry(entry: Entry, error: AppError, tries: number, delayMs: number): Promise<void> {
    entry.record = { ...entry.record, tries, trouble: error };
    await park(entry, delayMs);
  }

  /**
   * Stops here until its time comes again. What is followed stays in work; what moves bytes, and has not begun to be somebody's
   * at the service, goes back to the file and makes room.
   */
  async function park(entry: Entry, delayMs: number): Promise<void> {
    const { record } = entry;
    const { id, state, tries, trouble, work } = record;
    entry.dueMs = clock.monotonicMs() + delayMs;
    if (state.name === 'receiving' && state.deferred) {
      entry.record = { ...record, state: { name: 'completed', deferred: state.deferred } };
      return;
    }
    const returns = state.name === 'waiting' || state.name === 'sending' || state.name === 'receiving';
    const isDeleting = record.direction === 'delete' && !entry.isFresh;
    if (!returns && !(record.direction === 'delete' && entry.isFresh)) return;
    if (isDeleting) return;
    if (entry.isFresh && trouble === null) {
      await store.unclaim([id]);
      return context.left(entry, true);
    }
    const nextAtMs = delayMs ? Math.ceil(clock.nowMs() + delayMs) : null;
    const change: Transition['change'] = { state: { name: 'waiting' }, tries, trouble, nextAtMs, work };
    entry.record = { ...record, ...change };
    await write(entry, { id, change }, true);
    if (nextAtMs !== null) context.sleeps(nextAtMs);
  }

  function describe(cause: unknown): AppError {
    const error = toAppError(cause);
    if (error) return error;
    const reference = randomUUID().slice(0, 8);
    log.error('a transfer failed unexpectedly', { reference, cause });
    return { code: 'unexpected', reference };
  }

  async function stop(entry: Entry, why: 'cancel' | 'putBack'): Promise<void> {
    const current = entry.run;
    if (!current) return;
    // A person's word, or the end, stands over a pause.
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
      if (entry.run || !isSilentTooLong(entry.record, journal.now())) return;
      await occupy(entry, () => apply(entry, lose(entry, null)));
    },
    async note(entry, state) {
      entry.record = { ...entry.record, state };
      await journal.write({ id: entry.record.id, change: { state } });
    },
  };
}
