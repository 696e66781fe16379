import type { AppError, AppErrorCode } from './errors.ts';

/**
 * The request never reached the service, so nothing was carried out. All of these may be temporary: an outage ends, a setting
 * changes, the built-in service or the keychain comes back.
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

/** After any other error the POST may have been carried out. */
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
