import type { AppError } from '../../shared/errors.ts';
import type { Direction } from '../../shared/domain/transfer.ts';
import { errorLine, errorText } from './error-text.ts';
import { formatCount } from './format.ts';

/** A transfer that failed is not tried again by itself any more, whatever its last error says of it. */
const triedCodes: readonly AppError['code'][] = ['serverError', 'connectionLost', 'answerTimeout'];

/** What happened, what is safe, what to do next. */
export function failureText(error: AppError, direction: Direction): string {
  if (!triedCodes.includes(error.code)) return errorLine(error);
  const { title, what } = errorText(error);
  const safe = direction === 'upload' ? 'Your file is untouched.' : 'Nothing was saved.';
  return `${title}. ${what} Coffer tried several times. ${safe}`;
}

export const verifiedWord = {
  digest: 'digest agrees',
  length: 'length agrees',
  end: 'received to its end',
} as const;

/** The facts of a failure for whoever runs the service: `Answer 500, activity 9b41c07e`. */
export function failureFacts({
  error,
  activityToken,
}: {
  error: AppError | null;
  activityToken: string | null;
}): string {
  const answer = error !== null && 'status' in error ? `Answer ${error.status}` : null;
  const activity = activityToken === null ? null : `activity ${activityToken}`;
  return [answer, activity].filter((part) => part !== null).join(', ');
}

/** `photo.jpg was left out. Not a file on this computer. …` */
export function refusedText(first: string, count: number, error: AppError = { code: 'notAFile' }): string {
  const more = count > 1 ? ` So ${count === 2 ? 'was' : 'were'} ${formatCount(count - 1)} more.` : '';
  return `${first} was left out. ${errorLine(error)}${more}`;
}
