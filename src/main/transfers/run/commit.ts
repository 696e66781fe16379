import { type State, traitsOf } from '../model/state.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Next } from '../model/next.ts';
import { failureOf, isFinished, isIdle } from '../model/record.ts';
import type { Transition } from '../model/transition.ts';
import type { Context } from './context.ts';

/** Writes what steps and the runner have decided; nothing else writes records. */
export interface Commit {
  /** Writes the result of a step and leaves the record in the resulting state. */
  readonly apply: (entry: ActiveTransfer, next: Next) => Promise<void>;
  /**
   * Parks the record until it is due. Deferred requests and checks stay in work; a record that moves bytes, or was never started,
   * goes back to the database and makes room.
   */
  readonly park: (entry: ActiveTransfer, delayMs: number) => Promise<void>;
}

/** Callbacks for what was written. */
export interface CommitListeners {
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

export function createCommit(
  deps: Pick<Context, 'clock' | 'connections' | 'batcher' | 'log' | 'store'> & CommitListeners,
): Commit {
  const { clock, connections, batcher, log, store } = deps;
  const { onTouched, onWritten, onLeft, onAsleep, onWriteFailed } = deps;

  async function apply(entry: ActiveTransfer, next: Next): Promise<void> {
    const { state, change, row, confirmed, replaceCopies, delayMs } = next;
    const { isLazy = false, keepsClaim = false } = next;
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
    const isUnwaited = isLazy && !isEnd;
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

  async function write(
    entry: ActiveTransfer,
    transition: Transition,
    isLeft: boolean,
    isLazy = false,
  ): Promise<'written' | 'overtaken'> {
    const { isThere, isOvertaken = false } = await batcher.write(transition, isLazy);
    if (isOvertaken) return 'overtaken';
    if (isThere) onWritten(entry);
    if (isLeft || !isThere) onLeft(entry, isThere);
    return 'written';
  }

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

  return { apply, park };
}
