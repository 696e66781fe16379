import type { AppError } from '../../../shared/errors.ts';
import { mayHaveArrived, type ActiveTransfer } from '../model/active-transfer.ts';
import { checkFailedMs } from '../model/failure-policy.ts';
import { isGivenUp, traitsOf } from '../model/state.ts';
import type { Replace } from '../model/replace.ts';
import type { TransferRecord } from '../model/record.ts';
import type { RowChange } from '../model/transition.ts';
import { abandoned, finished } from '../model/replace-endings.ts';
import type { Next } from '../model/next.ts';

/** How transfers end without success. Pure: the runner writes the result. */

/** Ends the record after an error that no retry would change. */
export function fail(entry: ActiveTransfer, error: AppError): Next {
  const { record } = entry;
  const change = activityTokenOf(error);
  switch (record.work.kind) {
    case 'upload':
      if (record.state.name === 'replacing') return failReplace(record, error, change);
      if (mayHaveArrived(entry)) {
        return {
          state: { name: 'unsure', goal: 'fail', looks: 0, error },
          change,
          row: { kind: 'unsure' },
          delayMs: 0,
        };
      }
      return { state: { name: 'failed', error }, change, row: released('failed', error.code) };
    case 'storeSecret': {
      const isOut = traitsOf(record.state).mayHaveArrived === true;
      return {
        state: { name: 'failed', error },
        change,
        row: released(isOut ? 'unknown' : 'failed', error.code),
      };
    }
    case 'download':
      return {
        state: { name: 'failed', error },
        change,
        row: { kind: 'note', history: { action: 'downloadFailed', detail: error.code } },
      };
    case 'readSecret':
      return { state: { name: 'failed', error }, change };
    case 'delete': {
      const isOut = record.state.name === 'deleting' && !entry.isFresh;
      const history = { action: 'deleteFailed', detail: error.code } as const;
      return {
        state: { name: 'failed', error },
        row: { kind: 'deleted', state: isOut ? 'unknown' : null, history },
      };
    }
  }
}

/** The user cancelled it, or nobody waits for it any more. null: it cannot be cancelled, and continues. */
export function cancel(entry: ActiveTransfer): Next | null {
  const { record } = entry;
  const state = { name: 'cancelled' } as const;
  switch (record.work.kind) {
    case 'upload':
      if (record.state.name === 'replacing') return cancelReplace(record);
      if (record.state.name === 'unsure' && record.state.goal === 'cancel') return null;
      if (!mayHaveArrived(entry)) return { state, row: { kind: 'remove' } };
      return {
        state: { name: 'unsure', goal: 'cancel', looks: 0, error: null },
        row: { kind: 'unsure' },
        delayMs: 0,
      };
    case 'storeSecret':
      return { state, row: mayHaveArrived(entry) ? released('unknown', 'cancelled') : { kind: 'remove' } };
    case 'download':
    case 'readSecret':
      return { state };
    case 'delete':
      if (!entry.isFresh) return null;
      return {
        state,
        row: { kind: 'deleted', state: null, history: { action: 'deleteFailed', detail: 'cancelled' } },
      };
  }
}

/** The result of a deferred request can no longer be fetched. @param error null: no poll succeeded while the token could be used */
export function lose(entry: ActiveTransfer, error: AppError | null): Next {
  const { record } = entry;
  const change = error ? activityTokenOf(error) : {};
  const detail = error?.code ?? 'lost';
  switch (record.work.kind) {
    case 'upload':
      return {
        state: { name: 'unsure', goal: 'lost', looks: 0, error },
        change,
        row: { kind: 'unsure' },
        delayMs: 0,
      };
    case 'storeSecret':
      return { state: { name: 'lost', error }, change, row: released('unknown', detail) };
    case 'download':
      return {
        state: { name: 'lost', error },
        change,
        row: { kind: 'note', history: { action: 'downloadFailed', detail } },
      };
    case 'readSecret':
    case 'delete':
      return { state: { name: 'lost', error }, change };
  }
}

/** The check of an abandoned upload failed: checks again with growing delays, then ends as unknown. null: it was not abandoned. */
export function checkAgain(entry: ActiveTransfer): Next | null {
  const { state } = entry.record;
  if (!isGivenUp(state)) return null;
  const delayMs = checkFailedMs[state.looks];
  if (delayMs !== undefined) return { state: { ...state, looks: state.looks + 1 }, delayMs, isLazy: true };
  return endAsUnknown(entry);
}

/**
 * The service has left the record's origin, so the outcome of an abandoned upload or of a sent deletion can no longer be checked.
 * null: it is neither, and may continue when the service comes back.
 */
export function endAsUnknown({ record, isFresh }: ActiveTransfer): Next | null {
  const { state } = record;
  if (state.name === 'deleting' && !isFresh) {
    const error = { code: 'deletionUnknown' } as const;
    const history = { action: 'deleteFailed', detail: error.code } as const;
    return { state: { name: 'failed', error }, row: { kind: 'deleted', state: 'unknown', history } };
  }
  if (state.name === 'replacing') return endReplace(record);
  if (!isGivenUp(state)) return null;
  const ended: Next['state'] = state.error ? { name: 'failed', error: state.error } : { name: 'cancelled' };
  return { state: ended, row: released('unknown', state.error?.code ?? 'cancelled') };
}

/**
 * Before the object was changed, removes all copies made so far and fails; after that, leaves everything in place for
 * *Try again*.
 */
function failReplace(record: TransferRecord, error: AppError, change: NonNullable<Next['change']>): Next {
  const { work } = record;
  const replace = work.kind === 'upload' ? work.replace : undefined;
  if (work.kind !== 'upload' || !replace) throw new Error('nothing says how far the Replace is');
  if (replace.phase === 'unstage') return finished(work, replace, false);
  if (replace.phase === 'abandon') return abandoned(record, replace, false);
  if (!replace.isOut && replace.phase !== 'answered') {
    const ended: Replace = { ...replace, phase: 'abandon', end: { kind: 'failed', error } };
    return giveUpAs(work, ended, change);
  }
  return { state: { name: 'failed', error }, change, row: released('unknown', error.code) };
}

/** null: it can no longer be cancelled. */
function cancelReplace({ work }: TransferRecord): Next | null {
  const replace = work.kind === 'upload' ? work.replace : undefined;
  if (work.kind !== 'upload' || !replace || replace.isOut) return null;
  if (replace.phase === 'abandon' || replace.phase === 'unstage' || replace.phase === 'answered') return null;
  return giveUpAs(work, { ...replace, phase: 'abandon', end: { kind: 'cancelled' } }, {});
}

function giveUpAs(
  work: Extract<TransferRecord['work'], { kind: 'upload' }>,
  replace: Replace,
  change: NonNullable<Next['change']>,
): Next {
  return {
    state: { name: 'replacing', looks: 0, absences: 0 },
    change: { ...change, work: { ...work, replace } },
    delayMs: 0,
  };
}

/** The service has left the record's origin: local files are kept, and nothing there can be removed. */
function endReplace(record: TransferRecord): Next {
  const { work } = record;
  const replace = work.kind === 'upload' ? work.replace : undefined;
  if (work.kind !== 'upload' || !replace) throw new Error('nothing says how far the Replace is');
  if (replace.phase === 'unstage') return finished(work, replace, true);
  const copy = work.reclassifies && replace.staged;
  const error = { code: 'replaceLeft', ...(copy && { copy }) } as const;
  if (replace.isOut || replace.phase === 'answered')
    return { state: { name: 'failed', error }, row: released('unknown', error.code) };
  const end = replace.end ?? ({ kind: 'cancelled' } as const);
  const isOver = end.kind !== 'goOn' && end.kind !== 'asking';
  return abandoned(record, { ...replace, end: isOver ? end : { kind: 'cancelled' } }, true);
}

function released(state: 'failed' | 'unknown', detail: string): RowChange {
  return { kind: 'release', state, history: { action: 'uploadFailed', detail } };
}

function activityTokenOf(error: AppError): NonNullable<Next['change']> {
  return 'activityToken' in error && error.activityToken ? { activityToken: error.activityToken } : {};
}
