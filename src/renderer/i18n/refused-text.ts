import type { AppError } from '../../shared/errors.ts';
import { errorLine } from './error-text.ts';
import { formatCount } from './format.ts';

/** `photo.jpg was left out. Not a file on this computer. …` */
export function refusedText(first: string, count: number, error: AppError = { code: 'notAFile' }): string {
  const more = count > 1 ? ` So ${count === 2 ? 'was' : 'were'} ${formatCount(count - 1)} more.` : '';
  return `${first} was left out. ${errorLine(error)}${more}`;
}
