import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { Statements } from './statements.ts';

test('tells of a statement that takes long, by its text without values', () => {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  const slow: [sql: string, elapsedMs: number][] = [];
  const statements = new Statements(db, (...told) => slow.push(told));
  expect(statements.rows('SELECT 1')).toEqual([[1]]);
  db.function('wait', (ms) => {
    for (const endMs = performance.now() + Number(ms); performance.now() < endMs;);
    return null;
  });
  statements.rows('SELECT wait(?)', 60);
  expect(slow).toEqual([['SELECT wait(?)', expect.any(Number)]]);
  expect(slow[0]?.[1]).toBeGreaterThanOrEqual(60);
});
