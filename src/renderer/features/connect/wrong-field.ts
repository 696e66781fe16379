import type { ConnectionReport, ObjectTrial } from '../../../shared/contract.ts';
import type { AppError, AppErrorCode } from '../../../shared/errors.ts';
import { asksForPassword } from '../../app/proxy-password.ts';
import { serviceFieldOf, type ServiceField } from '../../app/service-field.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';

/** A field to correct, with its message; undefined: the failed step shows it. */
export type WrongField = { field: ServiceField; says: string | undefined };

/** The failure of the last test, or of the small object. */
export function failureOf(report: ConnectionReport | null, trial: ObjectTrial | null): AppError | null {
  const failed = report?.steps.find(({ result }) => result === 'failed');
  if (failed !== undefined) return failed.error;
  const stored = trial?.steps.find(({ step }) => step === 'store');
  // Nothing can be stored there, so no upload would work.
  return stored?.error?.code === 'unexpectedAnswer' ? stored.error : null;
}

/** null: none, or the failed step has a button for it. */
export function wrongFieldOf(error: AppError | null): WrongField | null {
  if (error === null || asksForPassword(error)) return null;
  const field = serviceFieldOf(error);
  const hasButton = error.code === 'certificateNotTrusted' && field === 'authority';
  return field === null || hasButton ? null : { field, says: saysOf(error) };
}

/** Errors whose full text is shown at the field; others get a shorter text there, or none. */
const ownWords: ReadonlySet<AppErrorCode> = new Set([
  'badAddress',
  'badProxyAddress',
  'nameTaken',
  'invalidInput',
]);

function saysOf(error: AppError): string | undefined {
  const { code } = error;
  if (code === 'unreachable' || code === 'unexpectedAnswer') return connectTexts.wrong.baseAddress;
  if (code === 'tokenRefused') return connectTexts.wrong.token;
  if (code === 'badClientCertificate' && error.problem === 'passphrase') return connectTexts.passphraseWrong;
  return ownWords.has(code) ? errorText(error).what : undefined;
}
