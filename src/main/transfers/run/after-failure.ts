import type { AppError } from '../../../shared/errors.ts';
import { isPastWindow, isSilentTooLong } from '../model/active-transfer.ts';
import { delayFor, remedyFor, saysLost, tokenDelayMs } from '../model/failure-policy.ts';
import type { Moment } from '../model/dual-clock.ts';
import { deferredOf, type TransferRecord } from '../model/record.ts';
import type { CircuitBreaker } from '../queue/circuit-breaker.ts';

/** What becomes of a transfer whose step has failed. */
export type Verdict =
  /** Ends, unless it was given up and only its check has failed. */
  | { readonly kind: 'fail' }
  /** Its result can no longer be fetched. `error` null: no poll succeeded while the token could be used. */
  | { readonly kind: 'lost'; readonly error: AppError | null }
  /** Waits for its service or for a new token: what could not be sent is sent then. */
  | { readonly kind: 'hold' }
  /** Waits by itself. `tries`: failures in a row. `isUnsent`: the service has turned the request away. */
  | {
      readonly kind: 'retry';
      readonly tries: number;
      readonly delayMs: number;
      readonly isUnsent?: boolean;
    };

export interface Circumstances {
  readonly now: Moment;
  readonly random: () => number;
  readonly breaker: Pick<CircuitBreaker, 'isAlone' | 'isClosed' | 'state'>;
}

const failed: Verdict = { kind: 'fail' };

/** Decides by what the error says of the service, of a deferred token, and of this transfer, in this order. */
export function afterFailure(
  record: TransferRecord,
  error: AppError,
  { now, random, breaker }: Circumstances,
): Verdict {
  if (isValueGone(record)) return failed;
  const tries = record.tries + 1;
  const remedy = remedyFor(error, tries, random());
  if (remedy.kind === 'awaitToken' || remedy.kind === 'hold') {
    if (isSilentTooLong(record, now)) return { kind: 'lost', error: null };
    if (remedy.kind === 'awaitToken') return { kind: 'hold' };
    if (breaker.isAlone(record.id))
      return { kind: 'retry', tries, delayMs: delayFor(tries, remedy.retryAfterMs, random()) };
    // Only this request was refused: the service answers others.
    if (breaker.isClosed())
      return { kind: 'retry', tries: record.tries, delayMs: delayFor(1, null, random()), isUnsent: true };
    return { kind: 'hold' };
  }
  if (deferredOf(record)) return afterTokenFailure(record, error, tries, now);
  if (remedy.kind === 'fail') return failed;
  // If other transfers fail the same way, the service is to blame, and no attempt is counted.
  const isAll = remedy.mayBeAll && breaker.state() !== 'ready';
  return { kind: 'retry', tries: isAll ? record.tries : tries, delayMs: remedy.delayMs };
}

/** The value of a secret is gone with the request: it can be neither compared nor sent again. */
export function isValueGone({ work, state }: TransferRecord): boolean {
  return work.kind === 'storeSecret' && state.name === 'unsure';
}

/** A poll or fetch of a deferred request failed. */
function afterTokenFailure(record: TransferRecord, error: AppError, tries: number, now: Moment): Verdict {
  // Whoever reads it asks again with another token, which proves more than this one.
  if (record.work.kind === 'readSecret' && error.code === 'missing') return failed;
  if (saysLost(error, isPastWindow(record, now), tries)) return { kind: 'lost', error };
  // The result stays unreadable, however often it is fetched.
  const isUnreadable =
    record.state.name === 'receiving' && error.code === 'unexpectedAnswer' && error.status === 200;
  const disagrees =
    isUnreadable ||
    error.code === 'downloadLengthDiffers' ||
    error.code === 'digestDiffers' ||
    error.code === 'tooLarge';
  const isOtherThanTold = error.code === 'claimedDigestDiffers' || error.code === 'claimedLengthDiffers';
  if ((disagrees && tries >= 3) || isOtherThanTold) return failed;
  const isOfToken = error.code === 'missing' || error.code === 'badRequest';
  return { kind: 'retry', tries, delayMs: tokenDelayMs(tries, isOfToken) };
}
