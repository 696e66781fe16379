import type { Headers } from './responses.ts';

/** Further apart, one of the two clocks is broken, and nobody can tell which: then the own one counts. */
const maxOffsetMs = 24 * 60 * 60 * 1000;

/**
 * The service's clock, as far as its answers tell: lists of several computers are compared by the moments of one clock, whatever each
 * computer's own says.
 */
export interface ServiceClock {
  /**
   * Learns from the header `Date` of an answer, which is some moment between the request and the answer, without its milliseconds. Whatever
   * agrees with the clock as it is known changes nothing.
   * @param answeredMs by the own clock. @param elapsedMs since the request
   */
  readonly learn: (headers: Headers, answeredMs: number, elapsedMs: number) => void;
  /** The moment by the service's clock that is `ownMs` by the own one; both in ms since 1970. */
  readonly momentOf: (ownMs: number) => number;
}

export function createServiceClock(): ServiceClock {
  let offsetMs = 0;
  return {
    learn(headers, answeredMs, elapsedMs) {
      const dateMs = dateOf(headers);
      if (dateMs === null || Math.abs(dateMs - answeredMs) > maxOffsetMs) return;
      const leastMs = dateMs - answeredMs;
      // Whole, as the database takes moments.
      const maxMs = dateMs + 999 - (answeredMs - Math.ceil(elapsedMs));
      offsetMs = Math.min(Math.max(offsetMs, leastMs), maxMs);
    },
    momentOf: (ownMs) => ownMs + offsetMs,
  };
}

/** null: there is none, it is no date, or it is that of an earlier answer, which something on the way has kept. */
function dateOf({ date, age }: Headers): number | null {
  if (typeof date !== 'string' || age !== undefined || !/^[A-Z][a-z]{2}, /.test(date)) return null;
  const dateMs = Date.parse(date);
  return Number.isNaN(dateMs) ? null : dateMs;
}
