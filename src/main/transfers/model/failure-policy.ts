import type { AppError, AppErrorCode } from '../../../shared/errors.ts';
import { neverArrived } from '../../../shared/failed-requests.ts';
import { delayFor } from './back-off.ts';

/** What is done about a failed request or file, without asking anybody. */
export type Remedy =
  | { readonly kind: 'fail' }
  /** Everything of the service waits for a new token. */
  | { readonly kind: 'awaitToken' }
  /** Everything of the service waits; the breaker says how long. */
  | { readonly kind: 'hold'; readonly retryAfterMs: number | null; readonly isUnreachable: boolean }
  /**
   * This transfer alone waits for its next try. `mayBeAll`: when others fail so too, it is the service.
   */
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      readonly mayBeAll: boolean;
    };

/** How often a transfer whose connection broke, or that met a server's error, is tried in all. */
export const maxTries = 6;
/** A download whose bytes or length are wrong is fetched so often in all. */
export const maxDisagreements = 3;

const disagreements = new Set<AppErrorCode>(['downloadLengthDiffers', 'digestDiffers']);
/**
 * Section 7 of the interface, and what lies around it. What holds for the whole service (429, 502, 503, 504, every 5xx with
 * Retry-After, nobody there) is waited for without end; what the service refuses for good (400, 403, 404, 413) and what is
 * wrong with a file here fails at once; everything between gets a handful of tries.
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
  // Cancelled by nobody here: its client was closed because the service was edited.
  if (code === 'cancelled') return retry(maxTries, false);
  // A success that cannot be read leaves it open what happened; another look tells.
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
 * Whether an answer to a check or fetch says that the result is gone. Which error says so is not shown (section 3):
 * inside the window what speaks of the token, asked three times, past it any refusal that stays.
 * @param tries answers of this kind in a row, this one included
 */
export function saysLost(error: AppError, isPastWindow: boolean, tries: number): boolean {
  const status = ('status' in error ? error.status : undefined) ?? 0;
  const isOfToken = status === 404 || status === 400 || status === 410;
  if (isOfToken) return isPastWindow || tries >= 3;
  return isPastWindow && tries >= maxTries && status > 400;
}
