import type { AppError, AppErrorCode } from '../../../shared/errors.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { neverArrived } from '../../../shared/failed-requests.ts';
import { refusesDeletion } from '../model/failure-policy.ts';
import type { Attempt } from './attempt.ts';

/** What the answer to DELETE tells. None says that the object is gone, except `missing`: HEAD does. */
export type DeletionAnswer =
  /** The deletion is initiated (section 4.1). */
  | { readonly kind: 'requested'; readonly activityToken: string }
  | { readonly kind: 'missing' }
  /** Nothing was deleted, and nothing will be. */
  | { readonly kind: 'refused'; readonly error: AppError }
  /** It may be carried out: the answer was lost, or, with `unexpectedAnswer`, was no success. */
  | { readonly kind: 'unsure'; readonly error: AppError };

/** Errors after which this request was certainly not carried out, so that it may be sent again. */
const notCarriedOut = new Set<AppErrorCode>([
  ...neverArrived,
  'tokenRefused',
  'tokenMissing',
  'tooManyRequests',
]);

function isNotCarriedOut(error: AppError): boolean {
  const isRedirected = error.code === 'unexpectedAnswer' && error.notService && error.status !== 200;
  return notCarriedOut.has(error.code) || isRedirected === true;
}

/** Section 4.1, Delete Data. @throws as `judgeDeletion` */
export function deleteObject(
  { service }: Pick<Attempt, 'service'>,
  identifier: string,
): Promise<DeletionAnswer> {
  return judgeDeletion((onLeaving) => service.remove(identifier, onLeaving));
}

/** @throws CircuitOpen, AppFailure: it was not carried out, and may be sent again; what is no AppFailure */
export async function judgeDeletion(
  request: (onLeaving: () => void) => Promise<{ readonly activityToken: string }>,
): Promise<DeletionAnswer> {
  let hasLeft = false;
  try {
    const { activityToken } = await request(() => (hasLeft = true));
    return { kind: 'requested', activityToken };
  } catch (cause) {
    const error = toAppError(cause);
    if (!error || !hasLeft || isNotCarriedOut(error)) throw cause;
    if (error.code === 'missing') return { kind: 'missing' };
    return { kind: refusesDeletion(error) ? 'refused' : 'unsure', error };
  }
}
