import type { DatabaseSync } from 'node:sqlite';
import { runTransaction } from '../database/migrations.ts';
import { stateCode } from '../objects/rows.ts';

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
    db.exec('UPDATE object SET writer = NULL; DELETE FROM transfer; DELETE FROM sweep');
  });
}
