import type { AppError, AppErrorCode } from '../../shared/errors.ts';

/** A field of the service form that may be invalid. */
export type ServiceField =
  | 'name'
  | 'baseAddress'
  | 'token'
  | 'proxy'
  | 'clientCertificate'
  | 'passphrase'
  | 'authority'
  | 'downloadFolder';

const optional: ReadonlySet<ServiceField> = new Set([
  'proxy',
  'clientCertificate',
  'passphrase',
  'authority',
  'downloadFolder',
]);

/** Whether the field is in the part of the form that is collapsed for most services. */
export function isOptionalField(field: ServiceField | null): boolean {
  return field !== null && optional.has(field);
}

const fields: Partial<Record<AppErrorCode, ServiceField>> = {
  nameTaken: 'name',
  badAddress: 'baseAddress',
  missing: 'baseAddress',
  unexpectedAnswer: 'baseAddress',
  unreachable: 'baseAddress',
  tokenRefused: 'token',
  tokenMissing: 'token',
  forbidden: 'token',
  proxyFailed: 'proxy',
  badProxyAddress: 'proxy',
  certificateNotTrusted: 'authority',
  badAuthorityFile: 'authority',
  clientCertificateRefused: 'clientCertificate',
  badClientCertificate: 'clientCertificate',
  folderGone: 'downloadFolder',
  folderReadOnly: 'downloadFolder',
  diskFull: 'downloadFolder',
};

/** The field that fixes this error; null: none does. */
export function serviceFieldOf(error: AppError): ServiceField | null {
  if (error.code === 'unreachable' && (error.reason === 'offline' || error.reason === 'localNetwork'))
    return null;
  if (error.code === 'certificateNotTrusted' && error.reason === 'wrongHost') return 'baseAddress';
  if (error.code === 'badClientCertificate' && error.problem === 'passphrase') return 'passphrase';
  if (error.code === 'invalidInput') return error.field === 'token' ? 'token' : null;
  return fields[error.code] ?? null;
}
