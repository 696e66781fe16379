import { messages } from '../../shared/i18n/messages.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorLine } from '../../shared/i18n/error-text.ts';

const texts = messages('refused', {
  one: '{name} was left out. {why}',
  several:
    '{count, plural, one {{name} and # more were left out. {why}} other {{name} and # more were left out. {why}}}',
});

/** `photo.jpg was left out. Not a file on this computer. …` */
export function refusedText(first: string, count: number, error: AppError = { code: 'notAFile' }): string {
  const why = errorLine(error);
  return count > 1 ? texts.several({ name: first, count: count - 1, why }) : texts.one({ name: first, why });
}
