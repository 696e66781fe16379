import type { AppError } from '../../../shared/errors.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import type { ErrorText } from '../../../shared/i18n/error-messages.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';

/** What happened when a connection was tried. Nothing is tried again by itself here, as transfers are. */
export function tryText(error: AppError): ErrorText {
  const { title, what, next } = errorText(error);
  // Nothing waits yet for a token that is being entered, and the field asks for it.
  if (error.code === 'tokenRefused') return { title, what };
  const isLater = error.code === 'serverError' || error.code === 'tooManyRequests';
  return { title, what, ...(next !== undefined && { next: isLater ? connectTexts.later : next }) };
}
