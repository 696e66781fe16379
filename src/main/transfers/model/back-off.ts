/** Every wait before something that failed is tried again, or somebody who is busy is asked again. Milliseconds. */

const firstDelayMs = 1000;
/** No transfer waits longer than this for its own next try. */
export const maxDelayMs = 60_000;
/** The longest Retry-After that is believed. */
const maxRetryAfterMs = 60 * 60 * 1000;
/** The longest between two polls of a deferred request. */
export const maxPollDelayMs = 15_000;
/** The longest between two looks at another upload of ours that has the same name. */
const maxOtherUploadDelayMs = 30_000;
/** An answer that speaks of the token may be the service's passing trouble: three of them, so far apart, mean that it is gone. */
const tokenRefusedDelayMs = 30_000;

/** The database cannot be read or written (a full disk): it is tried again at this pace until it can. */
export const databaseRetryMs = 1000;
/** The service has another address than a record: whether it is back is looked at this often. */
export const otherOriginMs = 60_000;
/** Somebody else of ours is at the object. */
export const busyObjectMs = 1000;

function doubled(times: number, maxMs: number): number {
  return Math.min(firstDelayMs * 2 ** times, maxMs);
}

/** Doubles each time up to a minute, half of it by chance so that not all come back at once; never before Retry-After. */
export function delayFor(times: number, retryAfterMs: number | null, random: number): number {
  const fullMs = doubled(times - 1, maxDelayMs);
  const delayMs = fullMs / 2 + (fullMs / 2) * random;
  if (retryAfterMs === null) return delayMs;
  return Math.min(retryAfterMs, maxRetryAfterMs) + firstDelayMs * random;
}

/** A check or a fetch by a token failed. @param tries failures in a row, this one included */
export function tokenDelayMs(tries: number, isOfToken: boolean): number {
  return isOfToken ? tokenRefusedDelayMs : doubled(tries, maxPollDelayMs);
}

/** @param looks how often the other upload was looked at before */
export function otherUploadDelayMs(looks: number): number {
  return doubled(looks, maxOtherUploadDelayMs);
}
