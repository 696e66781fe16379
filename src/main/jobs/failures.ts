import { randomUUID } from 'node:crypto';
import { deferredWindowMs } from '../../shared/domain/limits.ts';
import { toAppError, type AppError } from '../../shared/errors.ts';
import { maxTries, remedyFor } from '../transfers/retry.ts';
import { saysNothingWasStored } from '../transfers/upload.ts';
import type { Context } from './context.ts';
import type { Endings } from './endings.ts';
import { isFollowed, noteUse, occupy, uploadOf, type Entry } from './entry.ts';
import type { Lane } from './lanes.ts';
import { mostMs } from './spacing.ts';
import { shortestMs } from './steady-time.ts';

/** What comes after a step that failed. */
export interface Failures {
  /** @param tokenIsCurrent no new token came while the step ran */
  readonly meet: (entry: Entry, lane: Lane, cause: unknown, tokenIsCurrent: boolean) => Promise<void>;
  /** The service answered: whatever held the profile back is over. */
  readonly answered: (lane: Lane) => void;
  /** What was not foreseen goes to the log. */
  readonly describe: (cause: unknown) => AppError;
}

/** A saved file that does not agree with what is known is fetched so often in all. */
const mostDisagreements = 3;
const disagreements = new Set<AppError['code']>(['downloadLengthDiffers', 'digestDiffers', 'tooLarge']);
/** The built-in service cannot be reached for now. */
const isDownHere = new Set<AppError['code']>(['keychain', 'localService']);

/**
 * Whether an answer to a check or fetch says that the result is gone. Which error says so is not shown (section 3):
 * within the window only what speaks of the token, past it any error that stays.
 */
export function saysLost(error: AppError, isPast: boolean, tries: number): boolean {
  const status = ('status' in error ? error.status : undefined) ?? 0;
  if (status === 404 || status === 400 || status === 410) return true;
  return isPast && tries >= maxTries && status > 400;
}

export function createFailures(context: Context, endings: Endings, random: () => number): Failures {
  const { connections, pacer, clock, log, journal, list, lanes, closing } = context;

  async function meet(entry: Entry, lane: Lane, cause: unknown, tokenIsCurrent: boolean): Promise<void> {
    if (entry.run?.isCancelled) return endings.cancel(entry);
    if (closing.aborted) return;
    const error = describe(cause);
    const isHeld = pacer.heldUntilMs(lane.profileId) !== null;
    const past = { tries: entry.tries + 1, troubles: lane.troubles + (isHeld ? 0 : 1), random: random() };
    const remedy = isDownHere.has(error.code)
      ? ({ kind: 'retry', everyone: true, delayMs: mostMs } as const)
      : remedyFor(error, past);
    if (remedy.kind === 'awaitToken') {
      if (tokenIsCurrent) {
        lane.isRefused = true;
        if (error.code === 'tokenRefused') connections.report(lane.profileId, 'tokenRefused');
      }
      return stepBack(entry, null, 0);
    }
    if (remedy.kind === 'retry' && remedy.everyone) {
      lane.troubles = past.troubles;
      pacer.holdBack(lane.profileId, remedy.delayMs);
      await stepBack(entry, error, 0);
      if (isSilentTooLong(entry)) await endings.lose(entry, null);
      if (error.code === 'unreachable') await noteUnreachable(lane);
      return;
    }
    entry.tries = past.tries;
    if ('status' in error) answered(lane);
    // It may have arrived.
    if (isFollowed(entry.record)) noteUse(entry, journal.now(), clock.monotonicMs());
    const delayMs = remedy.kind === 'retry' ? remedy.delayMs : Math.min(1000 * 2 ** entry.tries, mostMs);
    if (isFollowed(entry.record)) return afterTokenFailure(entry, error, delayMs);
    if (remedy.kind === 'retry') return stepBack(entry, error, delayMs);
    return endings.fail(entry, error);
  }

  /** Something else than success was answered for a token, or nothing was. */
  async function afterTokenFailure(entry: Entry, error: AppError, delayMs: number): Promise<void> {
    const { startedAt } = entry.record;
    const isPast = startedAt !== null && shortestMs(startedAt, journal.now()) >= deferredWindowMs;
    if (saysLost(error, isPast, entry.tries)) return endings.lose(entry, error);
    if (disagreements.has(error.code) && entry.tries >= mostDisagreements) return endings.fail(entry, error);
    return stepBack(entry, error, Math.min(delayMs, mostMs));
  }

  /** Both readings have run out: nobody answered for its token as long as it can be used. */
  function isSilentTooLong({ record }: Entry): boolean {
    const { usedAt } = record;
    return isFollowed(record) && usedAt !== null && shortestMs(usedAt, journal.now()) >= deferredWindowMs;
  }

  /** Back to where the next try begins. */
  async function stepBack(entry: Entry, error: AppError | null, delayMs: number): Promise<void> {
    const { state, work } = entry.record;
    entry.trouble = error;
    entry.doneBytes = 0;
    entry.dueMs = clock.monotonicMs() + delayMs;
    if (state === 'fetching') return list.move(entry, 'completed');
    if (state !== 'sending') return;
    const upload = uploadOf(entry);
    if (work.kind === 'storeSecret' && error && !saysNothingWasStored(error))
      return endings.fail(entry, error);
    if (!upload?.job.mayBeThere) return list.move(entry, 'waiting');
    return entry.tries >= maxTries && error ? endings.fail(entry, error) : list.move(entry, 'unknown');
  }

  async function noteUnreachable(lane: Lane): Promise<void> {
    if (!lane.isUnreachable) {
      lane.isUnreachable = true;
      connections.report(lane.profileId, 'unreachable');
    }
    for (const entry of list.all()) {
      const isIdle = entry.record.profileId === lane.profileId && entry.run === null;
      if (isIdle && isSilentTooLong(entry)) await occupy(entry, () => endings.lose(entry, null));
    }
    lanes.hurry(lane.profileId);
  }

  function describe(cause: unknown): AppError {
    const error = toAppError(cause);
    if (error) return error;
    const reference = randomUUID().slice(0, 8);
    log.error('a job failed unexpectedly', {
      reference,
      cause: cause instanceof Error ? cause.stack : String(cause),
    });
    return { code: 'unexpected', reference };
  }

  /** The service answered: whatever held the profile back is over. */
  function answered(lane: Lane): void {
    lane.troubles = 0;
    if (!lane.isUnreachable) return;
    lane.isUnreachable = false;
    connections.report(lane.profileId, 'ready');
    lanes.hurry(lane.profileId);
  }

  return { meet, answered, describe };
}
