import type { AppError } from '../../../shared/errors.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { errorText, type ErrorText } from '../../i18n/error-text.ts';

/** What happened when a connection was tried. Nothing is tried again by itself here, as transfers are. */
export function tryText(error: AppError): ErrorText {
  const text = errorText(error);
  const isLater = error.code === 'serverError' || error.code === 'tooManyRequests';
  return isLater ? { ...text, next: connectTexts.later } : text;
}
