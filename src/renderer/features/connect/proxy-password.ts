import type { AppError, AppErrorOf } from '../../../shared/errors.ts';

/** A proxy that a name and a password would open. */
export function asksForPassword(error: AppError | null): error is AppErrorOf<'proxyFailed'> {
  return (
    error?.code === 'proxyFailed' &&
    (error.reason === 'passwordMissing' || error.reason === 'passwordRefused')
  );
}
