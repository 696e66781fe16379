import { errorLine } from '../../shared/i18n/error-text.ts';
import { announce } from '../ui/announce.tsx';
import { asAppError } from './remote-store.ts';

/** For work in the background: shows and announces its failure, unless the person stopped it. */
export function sayFailure(work: Promise<unknown>): void {
  work.catch((cause: unknown) => {
    const error = asAppError(cause);
    if (error.code !== 'cancelled') announce(errorLine(error), 'assertive');
  });
}
