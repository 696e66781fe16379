import type { DatabaseSync } from 'node:sqlite';
import { runTransaction } from './migrations.ts';
import { stateCode } from './rows.ts';

/** Where requests that go on by themselves are kept; not every version has all of them. */
const workTables = ['transfer', 'sweep'];

/**
 * A copy is of yesterday. What was under way then may be done, undone, or done again since, so none of it goes on:
 * requests are forgotten, and a row that was being sent or deleted is not known until somebody looks.
 */
export function forgetWork(db: DatabaseSync): void {
  runTransaction(db, () => {
    db.exec('PRAGMA defer_foreign_keys = ON');
    db.prepare('UPDATE object SET state = ? WHERE state IN (?, ?)').run(
      stateCode('unknown'),
      stateCode('uploading'),
      stateCode('deleting'),
    );
    db.exec(`DELETE FROM document WHERE collection = 'jobs'`);
    const columns = db.prepare('PRAGMA table_info(object)').all();
    if (columns.some(({ name }) => name === 'writer')) db.exec('UPDATE object SET writer = NULL');
    const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
    for (const { name } of tables) {
      if (workTables.includes(String(name))) db.exec(`DELETE FROM ${String(name)}`);
    }
  });
}
