import type { AppError, AppErrorCode } from '../../../shared/errors.ts';
import { neverArrived } from '../../../shared/failed-requests.ts';

/** Retry and polling delays of transfers, in milliseconds. */

const firstDelayMs = 1000;
/** Longest delay before a transfer's own retry, unless Retry-After asks for more. */
export const maxDelayMs = 60_000;
/** Retry-After is capped at this. */
const maxRetryAfterMs = 60 * 60 * 1000;
/** Longest interval between two polls of a deferred request that is polled often, or whose window ends. */
export const maxPollDelayMs = 15_000;
/** Longest interval between two checks for another upload of ours with the same identifier. */
const maxOtherUploadDelayMs = 30_000;
/** A rejected deferred token may be a passing fault of the service, so the checks that prove it lost are this far apart. */
const tokenRefusedDelayMs = 30_000;

/** Retry interval while the database cannot be read or written (a full disk, for instance). */
export const databaseRetryMs = 1000;
/** How often to check whether the service is back at the record's origin. */
export const otherOriginMs = 60_000;
/** Retry interval while another of our transfers is working on the object. */
export const busyObjectMs = 1000;

function doubled(times: number, maxMs: number): number {
  return Math.min(firstDelayMs * 2 ** times, maxMs);
}

/** Exponential back-off up to a minute with 50 % jitter, so that transfers do not retry in step; never earlier than Retry-After. */
export function delayFor(times: number, retryAfterMs: number | null, random: number): number {
  const fullMs = doubled(times - 1, maxDelayMs);
  const delayMs = fullMs / 2 + (fullMs / 2) * random;
  if (retryAfterMs === null) return delayMs;
  return Math.min(retryAfterMs, maxRetryAfterMs) + firstDelayMs * random;
}

/** Delay after a failed poll or fetch of a deferred request. @param tries failures in a row, this one included */
export function tokenDelayMs(tries: number, isOfToken: boolean): number {
  return isOfToken ? tokenRefusedDelayMs : doubled(tries, maxPollDelayMs);
}

/** @param looks how often the other upload was checked before */
export function otherUploadDelayMs(looks: number): number {
  return doubled(looks, maxOtherUploadDelayMs);
}

/**
 * Schedules for outcomes of transfers that may appear late. Section 4.1 of the interface says neither how soon a
 * service shows what it has stored or deleted, nor how long a request may still be carried out after its answer was
 * lost, so these are guesses. A list holds the milliseconds between one HEAD and the next; after the last one, the
 * answer of HEAD is final.
 */

/** The POST succeeded, but HEAD does not show the object yet. */
export const storedLateMs: readonly number[] = [300, 1_000, 2_000];

/** The POST was given up without an answer and may still be carried out. */
export const postLateMs: readonly number[] = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** After this, the POST of a part can no longer be carried out: about the sum of `postLateMs`. */
export const partPostLateMs = 4 * 60_000;

/** The upload was given up and HEAD itself fails: after the last retry its outcome is unknown. */
export const checkFailedMs: readonly number[] = [30_000, 60_000, 90_000, 120_000, 150_000];

/** The service rejects a version's number (409) but does not show it: another upload or a deletion is in progress. */
export const refusedNumberMs: readonly number[] = [1_000, 5_000, 15_000, 30_000, 60_000, 120_000];

/** DELETE only initiates a deletion. About ten minutes in all. */
export const deletedLateMs: readonly number[] = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60].map(
  (seconds) => seconds * 1000,
);

/** As `deletedLateMs`, after an answer to DELETE that was no success: it is carried out all the same, or not at all. */
export const unacceptedLateMs: readonly number[] = deletedLateMs.slice(0, 3);

/** As `deletedLateMs`, for a copy beside an object: nothing waits for it, so a deletion record takes over sooner. */
export const besideDeletedLateMs: readonly number[] = deletedLateMs.slice(0, 5);

/** After this, a DELETE can no longer remove an object that was stored under the identifier later. */
export const lateDeletionMs = 60_000;

/** Between the two 404s that prove an object absent. */
export const absencesApartMs = 1_000;

/** Delay before an object that is still there ten minutes after DELETE is compared and deleted again. */
export const deleteAgainMs = 30_000;

/** The object was proven absent and has reappeared: delay before the deletion starts over. */
export const deletionUndoneMs = 15_000;

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
