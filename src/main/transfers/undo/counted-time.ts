import type { Statements } from '../../database/statements.ts';

/** No look counts more than this, and what is kept stays this much longer than its days: a wrong clock takes nothing away. */
export const longestStepMs = 24 * 3_600_000;

/**
 * The time that the days of kept bytes are counted by: the wall clock's, but of each gap between two looks a day at the most,
 * forwards and backwards. A clock that is a month ahead for an hour moves it by a day, and back by a day when it is set right.
 */
export interface CountedTime {
  nowMs(): number;
  /** As `nowMs`, and the next look counts from here. */
  look(): number;
}

export function createCountedTime(rows: Statements['rows'], wallMs: () => number): CountedTime {
  function nowMs(): number {
    const [last] = rows<[number, number]>(
      `SELECT json_extract(value, '$.wallMs'), json_extract(value, '$.countedMs') FROM document
       WHERE collection = 'kept' AND key = 'countedTime'`,
    );
    if (!last) return wallMs();
    const [lastWallMs, countedMs] = last;
    return countedMs + Math.min(Math.max(wallMs() - lastWallMs, -longestStepMs), longestStepMs);
  }
  return {
    nowMs,
    look() {
      const countedMs = nowMs();
      rows(
        `INSERT INTO document VALUES ('kept', 'countedTime', json_object('wallMs', ?, 'countedMs', ?))
         ON CONFLICT DO UPDATE SET value = excluded.value`,
        wallMs(),
        countedMs,
      );
      return countedMs;
    },
  };
}
