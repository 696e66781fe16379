import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { insertion, Statements } from './statements.ts';

test('tells of a statement that takes long, by its text without values', () => {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  let nowMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => now.mockRestore());
  const slow: [sql: string, elapsedMs: number][] = [];
  const statements = new Statements(db, (...told) => slow.push(told));
  db.function('wait', (ms) => {
    nowMs += Number(ms);
    return null;
  });
  expect(statements.rows('SELECT wait(?)', 50)).toEqual([[null]]);
  statements.rows('SELECT wait(?)', 60);
  expect(slow).toEqual([['SELECT wait(?)', 60]]);
  statements.rows(`SELECT wait(?)${', NULL'.repeat(1000)}`, 60);
  expect(slow[1]?.[0]).toHaveLength(500);
});

test('hides limits from the planner, so that SQLite keeps what it prepared', () => {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  const prepare = vi.spyOn(db, 'prepare');
  const statements = new Statements(db);
  const sql = 'SELECT value FROM (SELECT value FROM json_each(?) LIMIT ?) LIMIT ? OFFSET ?';
  expect(statements.rows(sql, '[1,2,3,4]', 3, 2, 1)).toEqual([[2], [3]]);
  expect(statements.rows(sql, '[1,2,3,4]', 4, 1, 3)).toEqual([[4]]);
  expect(prepare.mock.calls).toEqual([
    ['SELECT value FROM (SELECT value FROM json_each(?) LIMIT +?) LIMIT +? OFFSET ?'],
  ]);
});

test('inserts any number of rows by two statements, and answers what each of them returns', () => {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT UNIQUE)');
  const prepare = vi.spyOn(db, 'prepare');
  const statements = new Statements(db);
  const insert = (texts: readonly string[]) =>
    statements.insertRows(
      insertion('INSERT INTO word (text)', 1, 'ON CONFLICT DO NOTHING RETURNING text'),
      texts.map((text) => [text]),
    );
  const words = Array.from({ length: 123 }, (_, index) => `${String(index)}\0`);
  expect(insert([])).toEqual([]);
  expect(insert(words)).toEqual(words.map((word) => [word]));
  expect(insert([...words, 'new', 'new'])).toEqual([['new']]);
  expect(prepare).toHaveBeenCalledTimes(2);
});
