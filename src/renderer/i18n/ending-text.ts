import { formatList } from '../../shared/i18n/format.ts';
import { messages } from '../../shared/i18n/messages.ts';
import type { Direction, Transfer } from '../../shared/domain/transfer.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorLine, errorText } from '../../shared/i18n/error-text.ts';

const texts = messages('ending', {
  triedUpload: '{title}. {what} Coffer tried several times. Your file is unchanged.',
  triedDownload: '{title}. {what} Coffer tried several times. Nothing was saved.',
  answer: 'Answer {status}',
  activity: 'activity {token}',
});

/** What a saved file was verified against. */
export const verifiedWord = messages('verified', {
  digest: 'digest matches',
  length: 'size matches',
  end: 'received to the end',
});

/** Errors whose automatic retries are used up when the transfer has failed. */
const triedCodes: readonly AppError['code'][] = ['serverError', 'connectionLost', 'answerTimeout'];

/** What happened, what is safe, what to do next. */
export function failureText(error: AppError, direction: Direction): string {
  if (!triedCodes.includes(error.code)) return errorLine(error);
  const { title, what } = errorText(error);
  return (direction === 'upload' ? texts.triedUpload : texts.triedDownload)({ title, what });
}

/** Details of a failure for the operator of the service: `Answer 500, activity 9b41c07e`. */
export function failureFacts({ error, activityToken }: Pick<Transfer, 'error' | 'activityToken'>): string {
  return formatList([
    error !== null &&
      'status' in error &&
      error.status !== undefined &&
      texts.answer({ status: String(error.status) }),
    activityToken !== null && texts.activity({ token: activityToken }),
  ]);
}
