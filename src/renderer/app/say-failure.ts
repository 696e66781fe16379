import { errorLine } from '../../shared/i18n/error-text.ts';
import { announce } from '../ui/announce.tsx';
import { asAppError } from './remote-store.ts';

/** For what nobody waits for: a failure is said, seen and heard. What the person stopped is none. */
export function sayFailure(work: Promise<unknown>): void {
  work.catch((cause: unknown) => {
    const error = asAppError(cause);
    if (error.code !== 'cancelled') announce(errorLine(error), 'assertive');
  });
}
