import type { AppError } from '../../../shared/errors.ts';
import { deletedLateMs, unacceptedLateMs } from '../model/failure-policy.ts';
import type { Step, StepContext } from './step.ts';
import { workOf, type Next } from '../model/next.ts';
import { noteGoneList, readBeforeDelete } from '../chunks/read-before-delete.ts';
import { deleteObject } from '../queue/delete-object.ts';
import { lookAtFormer } from './move.ts';

/**
 * Section 4.1, Delete Data. Sent once for each request of a person: once it may have been carried out, only HEAD is
 * sent, because somebody may have stored the identifier again. After a move the object is read first, and deleted
 * only if the copy under the new identifier has the same bytes.
 */
export const sendDelete: Step<'waiting'> = async (context) => {
  const { record } = context;
  const { only, unseen } = workOf(context, 'delete');
  if (only) {
    const there = await lookAtFormer(context, only);
    if (there === 'gone') return gone(context);
    if (there !== 'same')
      return notDeleted('unknown', { code: 'moveChanged', identifier: record.identifier }, there === 'other');
  }
  const { isThere, manifest } = await readBeforeDelete(context);
  if (unseen && !isThere) return notDeleted('missing', { code: 'missing', status: 404 });
  const answer = await deleteObject(context, record.identifier);
  switch (answer.kind) {
    case 'requested':
      return {
        state: { name: 'deleting', isAnswered: true, looks: 0 },
        change: { activityToken: answer.activityToken },
        isBehind: true,
      };
    case 'missing':
      await noteGoneList(context, manifest);
      return gone(context);
    case 'refused':
      // A moved object that stays needs a person's attention.
      return notDeleted(only ? 'unknown' : null, answer.error);
    case 'unsure': {
      const refusal = answer.error.code === 'unexpectedAnswer' ? { refusal: answer.error } : {};
      return { state: { name: 'deleting', isAnswered: false, looks: 0, ...refusal } };
    }
  }
};

/** Looks after a lost answer, or after a kill, before the deletion of known bytes is sent again. */
const looksBeforeAgain = 4;

/** Checks by HEAD until the object is gone. */
export const confirmDeleted: Step<'deleting'> = async (context, state) => {
  const { isAnswered, looks, refusal } = state;
  const seen = await context.service.head(context.record.identifier);
  if (!seen.present) return gone(context);
  // `sendDelete` reads the object first, and deletes only the same bytes.
  if (!isAnswered && !refusal && looks === looksBeforeAgain && workOf(context, 'delete').only) {
    const next = await sendDelete(context, { name: 'waiting' });
    const isUnanswered = next.state.name === 'deleting' && !next.state.isAnswered;
    return isUnanswered ? { ...next, state: { ...next.state, looks: looks + 1 } } : next;
  }
  const delayMs = (refusal ? unacceptedLateMs : deletedLateMs)[looks];
  if (delayMs !== undefined) return { state: { ...state, looks: looks + 1 }, delayMs, isBehind: true };
  if (isAnswered) return notDeleted(null, { code: 'stillThere' });
  return notDeleted('unknown', refusal ?? { code: 'deletionUnknown' });
};

/** After a move the history does not say that a person deleted the object. */
function gone(context: StepContext): Next {
  const action = workOf(context, 'delete').only ? 'movedAway' : 'deleted';
  return {
    state: { name: 'done', outcome: null, savedPath: null },
    row: { kind: 'deleted', state: 'gone', history: { action } },
    isBehind: true,
  };
}

/** @param state of the row; null: unchanged. @param isOther the bytes there are not those of the list */
function notDeleted(state: 'missing' | 'unknown' | null, error: AppError, isOther = false): Next {
  return {
    state: { name: 'failed', error },
    row: {
      kind: 'deleted',
      state,
      history: { action: 'deleteFailed', detail: error.code },
      ...(isOther && { isOther }),
    },
  };
}
