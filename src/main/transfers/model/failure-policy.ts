import type { AppError, AppErrorCode } from '../../../shared/errors.ts';
import { neverArrived } from '../../../shared/failed-requests.ts';
import { delayFor } from './back-off.ts';

/** How to handle a failed request or file without asking the user. */
export type Remedy =
  | { readonly kind: 'fail' }
  /** All transfers of the service wait for a new token. */
  | { readonly kind: 'awaitToken' }
  /** All transfers of the service wait; the circuit breaker decides how long. */
  | { readonly kind: 'hold'; readonly retryAfterMs: number | null; readonly isUnreachable: boolean }
  /** Only this transfer waits for its retry. `mayBeAll`: if other transfers fail the same way, blame the service. */
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      readonly mayBeAll: boolean;
    };

/** Attempts in all after a lost connection or a server error. */
export const maxTries = 6;
/** Attempts in all when the bytes or the length of a download are wrong. */
export const maxDisagreements = 3;

/** A DELETE with one of these was refused for good: nothing was deleted. */
export const refusedDeletions = new Set<AppErrorCode>(['forbidden', 'badRequest', 'badIdentifier']);

/** Whether the answer to a DELETE says so. */
export function refusesDeletion(error: AppError): boolean {
  const isRefusal = error.code === 'unexpectedAnswer' && error.status >= 300 && error.status < 500;
  return isRefusal || refusedDeletions.has(error.code);
}

const disagreements = new Set<AppErrorCode>(['downloadLengthDiffers', 'digestDiffers']);
/**
 * Section 7 of the interface, and local failures. Conditions of the whole service (429, 502 to 504, any 5xx with
 * Retry-After, unreachable, a sign-in page in its place) are retried without limit. Other 5xx, lost connections, wrong bytes, unreadable
 * successes and requests of a closed client get a few attempts. 401 waits for a new token. Everything else (400, 403, 404, 413, local
 * files) fails at once.
 * @param tries failures of this transfer in a row, this one included
 * @param random from 0 to 1
 */
export function remedyFor(error: AppError, tries: number, random: number): Remedy {
  const { code } = error;
  if (code === 'tokenRefused' || code === 'tokenMissing') return { kind: 'awaitToken' };
  if (code === 'tooManyRequests') return hold(error.retryAfterMs, false);
  if (neverArrived.has(code)) return hold(null, true);
  if (code === 'serverError') {
    const isOutage = error.retryAfterMs !== null || (error.status >= 502 && error.status <= 504);
    return isOutage ? hold(error.retryAfterMs, false) : retry(maxTries, true);
  }
  if (disagreements.has(code)) return retry(maxDisagreements, false);
  if (code === 'connectionLost' || code === 'answerTimeout') return retry(maxTries, true);
  // Not cancelled by the user: the client was closed because the service was edited.
  if (code === 'cancelled') return retry(maxTries, false);
  if (code === 'unexpectedAnswer' && error.notService) return hold(null, true);
  // An unreadable success leaves the outcome open; the next attempt checks it.
  if (code === 'unexpectedAnswer' && error.status >= 200 && error.status < 300) return retry(maxTries, false);
  return { kind: 'fail' };

  function hold(retryAfterMs: number | null, isUnreachable: boolean): Remedy {
    return { kind: 'hold', retryAfterMs, isUnreachable };
  }

  function retry(most: number, mayBeAll: boolean): Remedy {
    if (tries >= most) return { kind: 'fail' };
    return { kind: 'retry', delayMs: delayFor(tries, null, random), mayBeAll };
  }
}

/**
 * Whether an answer to a poll or fetch means that the result is gone. Section 3 does not say which error that is: inside the window
 * 404, 400 or 410, three times in a row; past it also any refusal that persists.
 * @param tries answers of this kind in a row, this one included
 */
export function saysLost(error: AppError, isPastWindow: boolean, tries: number): boolean {
  const status = ('status' in error ? error.status : undefined) ?? 0;
  const isOfToken = status === 404 || status === 400 || status === 410;
  if (isOfToken) return isPastWindow || tries >= 3;
  return isPastWindow && tries >= maxTries && status > 400;
}
