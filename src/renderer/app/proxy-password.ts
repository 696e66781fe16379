import type { Service } from '../../shared/domain/service.ts';
import type { AppError, AppErrorOf } from '../../shared/errors.ts';

/** A proxy that a name and a password would open. */
export function asksForPassword(error: AppError | null): error is AppErrorOf<'proxyFailed'> {
  return (
    error?.code === 'proxyFailed' &&
    (error.reason === 'passwordMissing' || error.reason === 'passwordRefused')
  );
}

/** The banner has the one filled button: it asks for the token of this service, or for the password of its proxy. */
export function hasBanner({ connection, trouble }: Service): boolean {
  return connection === 'tokenRefused' || asksForPassword(trouble);
}
