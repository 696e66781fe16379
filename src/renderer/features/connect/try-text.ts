import type { AppError } from '../../../shared/errors.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import type { ErrorText } from '../../../shared/i18n/error-messages.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';

/** The text for a failed connection test. Unlike transfers, tests are not retried automatically. */
export function tryText(error: AppError): ErrorText {
  const { title, what, next } = errorText(error);
  // The field asks for the token, and nothing waits for it yet.
  if (error.code === 'tokenRefused') return { title, what };
  const isLater = error.code === 'serverError' || error.code === 'tooManyRequests';
  return { title, what, ...(next !== undefined && { next: isLater ? connectTexts.later : next }) };
}
