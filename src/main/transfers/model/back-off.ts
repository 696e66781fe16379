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
