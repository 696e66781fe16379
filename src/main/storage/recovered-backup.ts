import type { DatabaseSync } from 'node:sqlite';
import { runTransaction } from '../database/migrations.ts';
import { stateCode } from '../objects/rows.ts';

/**
 * Prepares a restored copy. Its unfinished transfers may since have been done, undone or repeated, so none of them
 * continues: their records are deleted, and rows that were being uploaded or deleted become unknown.
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
