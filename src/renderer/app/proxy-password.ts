import type { Service } from '../../shared/domain/service.ts';
import type { AppError, AppErrorOf } from '../../shared/errors.ts';

/** Whether a proxy needs a user name and password. */
export function asksForPassword(error: AppError | null): error is AppErrorOf<'proxyFailed'> {
  return (
    error?.code === 'proxyFailed' &&
    (error.reason === 'passwordMissing' || error.reason === 'passwordRefused')
  );
}

/** Whether the banner asks for this service's token or its proxy's password, and so has the primary button. */
export function hasBanner({ connection, trouble }: Service): boolean {
  return connection === 'tokenRefused' || asksForPassword(trouble);
}
