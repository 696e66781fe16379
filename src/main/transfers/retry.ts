import type { AppError } from '../../shared/errors.ts';

/** What is done about a failure, without asking anybody. */
export type Remedy =
  | { readonly kind: 'fail' }
  /** Everything of the profile waits for a new token. */
  | { readonly kind: 'awaitToken' }
  /** everyone: the whole profile holds back, as the service asked for it or is not there; else only this transfer. */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly everyone: boolean };

export interface Past {
  /** Failures of this transfer so far, this one included, since it last succeeded or a person asked for it. */
  readonly tries: number;
  /** Times in a row that the whole profile had to hold back, this one included. */
  readonly troubles: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** How often a transfer whose connection broke, or that met a server's error, is tried in all. */
export const maxTries = 6;
const firstDelayMs = 1000;
const maxDelayMs = 60_000;
/** The longest Retry-After that is believed. */
const maxRetryAfterMs = 60 * 60 * 1000;

/**
 * Too many requests and a service that is not there pass: they are tried without end. What the service refuses for good
 * (400, 403, 404, 413) and what is wrong with a file here fails at once. Everything between gets a handful of tries.
 */
export function remedyFor(error: AppError, { tries, troubles, random }: Past): Remedy {
  const { code } = error;
  if (code === 'tokenRefused' || code === 'tokenMissing') return { kind: 'awaitToken' };
  if (code === 'tooManyRequests') return forEveryone(error.retryAfterMs);
  // A person may trust the certificate meanwhile, or the network's sign-in page goes away.
  if (code === 'unreachable' || code === 'certificateNotTrusted') return forEveryone(null);
  if (code === 'serverError') return handful(error.retryAfterMs);
  // Cancelled by nobody here: the profile was changed, and its connections made anew.
  if (code === 'connectionLost' || code === 'answerTimeout' || code === 'cancelled') return handful(null);
  // A success that cannot be read leaves it open what happened; another look tells.
  if (code === 'unexpectedAnswer' && error.status >= 200 && error.status < 300) return handful(null);
  return { kind: 'fail' };

  function forEveryone(retryAfterMs: number | null): Remedy {
    return { kind: 'retry', delayMs: delayOf(retryAfterMs, troubles, random), everyone: true };
  }

  function handful(retryAfterMs: number | null): Remedy {
    if (tries >= maxTries) return { kind: 'fail' };
    return { kind: 'retry', delayMs: delayOf(retryAfterMs, tries, random), everyone: false };
  }
}

/** Doubles each time up to a minute, half of it by chance so that not all come back at once; never before Retry-After. */
function delayOf(retryAfterMs: number | null, times: number, random: number): number {
  const fullMs = Math.min(firstDelayMs * 2 ** Math.min(times - 1, 10), maxDelayMs);
  const delayMs = fullMs / 2 + (fullMs / 2) * random;
  if (retryAfterMs === null) return delayMs;
  return Math.min(retryAfterMs, maxRetryAfterMs) + firstDelayMs * random;
}
