import type { Statements } from '../../database/statements.ts';

/**
 * Of a gap between two looks at most this much is counted, and undo copies are kept this much longer than set, so
 * that a wrong clock removes nothing.
 */
export const longestStepMs = 24 * 3_600_000;

/**
 * The clock for the age of undo copies: the wall clock, but between two looks it moves by at most a day, forwards or
 * backwards. A clock that is a month ahead for an hour moves it by a day, and back by a day when it is corrected.
 */
export interface CountedTime {
  nowMs(): number;
  /** Like `nowMs`; the next gap starts here. */
  read(): number;
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
    read() {
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
