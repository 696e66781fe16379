import type { ConnectionReport, ObjectTrial } from '../../../shared/contract.ts';
import type { AppError, AppErrorCode } from '../../../shared/errors.ts';
import { asksForPassword } from '../../app/proxy-password.ts';
import { serviceFieldOf, type ServiceField } from '../../app/service-field.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';

/** A field that is wrong, and what is said at it; undefined: the step says it. */
export type WrongField = { field: ServiceField; says: string | undefined };

/** Where the last test stopped, or the small object. */
export function failureOf(report: ConnectionReport | null, trial: ObjectTrial | null): AppError | null {
  const failed = report?.steps.find(({ result }) => result === 'failed');
  if (failed !== undefined) return failed.error;
  const stored = trial?.steps.find(({ step }) => step === 'store');
  // Nothing can be stored there: no upload would ever work.
  return stored?.error?.code === 'unexpectedAnswer' ? stored.error : null;
}

/** null: nothing is, or the failed step has a button of its own for it. */
export function wrongFieldOf(error: AppError | null): WrongField | null {
  if (error === null || asksForPassword(error)) return null;
  const field = serviceFieldOf(error);
  const hasButton = error.code === 'certificateNotTrusted' && field === 'authority';
  return field === null || hasButton ? null : { field, says: saysOf(error) };
}

/** Those whose own words fit at a field; the others have shorter ones there, or none. */
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
