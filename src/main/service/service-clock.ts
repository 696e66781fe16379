import type { Headers } from './responses.ts';

/** Beyond this, one of the two clocks is wrong, and which one is unknown: trust the own one. */
const maxOffsetMs = 24 * 60 * 60 * 1000;

/**
 * Estimates the service's clock from its answers. Lists of several computers compare their moments by this one clock, however wrong each
 * computer's own is.
 */
export interface ServiceClock {
  /**
   * Learns from an answer's `Date` header: a moment between request and answer, without its milliseconds. A date that fits the present
   * offset changes nothing.
   * @param answeredMs by the own clock. @param elapsedMs since the request
   */
  readonly learn: (headers: Headers, answeredMs: number, elapsedMs: number) => void;
  /** Converts a moment of the own clock to the service's; both in ms since 1970. */
  readonly momentOf: (ownMs: number) => number;
}

export function createServiceClock(): ServiceClock {
  let offsetMs = 0;
  return {
    learn(headers, answeredMs, elapsedMs) {
      const dateMs = dateOf(headers);
      if (dateMs === null || Math.abs(dateMs - answeredMs) > maxOffsetMs) return;
      const leastMs = dateMs - answeredMs;
      // The database stores whole milliseconds.
      const maxMs = dateMs + 999 - (answeredMs - Math.ceil(elapsedMs));
      offsetMs = Math.min(Math.max(offsetMs, leastMs), maxMs);
    },
    momentOf: (ownMs) => ownMs + offsetMs,
  };
}

/** null: missing, not a date, or with `Age`: an answer from a cache. */
function dateOf({ date, age }: Headers): number | null {
  if (typeof date !== 'string' || age !== undefined || !/^[A-Z][a-z]{2}, /.test(date)) return null;
  const dateMs = Date.parse(date);
  return Number.isNaN(dateMs) ? null : dateMs;
}
