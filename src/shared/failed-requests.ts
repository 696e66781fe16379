import type { AppError, AppErrorCode } from './errors.ts';

/**
 * The request never reached the service, which has carried out nothing. It passes: by the end of an outage, by another
 * setting; the built-in service and the keychain may come back too.
 */
export const neverArrived: ReadonlySet<AppErrorCode> = new Set([
  'unreachable',
  'proxyFailed',
  'certificateNotTrusted',
  'clientCertificateRefused',
  'badClientCertificate',
  'localService',
  'keychain',
]);

/** After anything else a POST may or may not have been carried out. */
export function saysNothingWasStored(error: AppError): boolean {
  if (error.code === 'unexpectedAnswer') return error.status >= 300 && error.status < 500;
  return refusals.has(error.code);
}

const refusals = new Set<AppErrorCode>([
  ...neverArrived,
  'badIdentifier',
  'badRequest',
  'exists',
  'fileChanged',
  'fileGone',
  'fileSpecial',
  'fileUnreadable',
  'forbidden',
  'tokenMissing',
  'tokenRefused',
  'tooLarge',
  'tooManyRequests',
]);
