import type { Direction, Transfer } from '../../shared/domain/transfer.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorLine, errorText } from './error-text.ts';

/** What a saved file was compared with. */
export const verifiedWord = {
  digest: 'digest agrees',
  length: 'length agrees',
  end: 'received to its end',
} as const;

/** A transfer that failed is not tried again by itself any more, whatever its last error says of it. */
const triedCodes: readonly AppError['code'][] = ['serverError', 'connectionLost', 'answerTimeout'];

/** What happened, what is safe, what to do next. */
export function failureText(error: AppError, direction: Direction): string {
  if (!triedCodes.includes(error.code)) return errorLine(error);
  const { title, what } = errorText(error);
  const safe = direction === 'upload' ? 'Your file is untouched.' : 'Nothing was saved.';
  return `${title}. ${what} Coffer tried several times. ${safe}`;
}

/** The facts of a failure for whoever runs the service: `Answer 500, activity 9b41c07e`. */
export function failureFacts({ error, activityToken }: Pick<Transfer, 'error' | 'activityToken'>): string {
  const answer =
    error !== null && 'status' in error && error.status !== undefined ? `Answer ${error.status}` : null;
  const activity = activityToken === null ? null : `activity ${activityToken}`;
  return [answer, activity].filter((part) => part !== null).join(', ');
}
