import type { DatabaseSync } from 'node:sqlite';
import { runTransaction } from '../database/migrations.ts';
import { stateCode } from '../objects/rows.ts';
import { stateCodes } from '../transfers/store/codes.ts';

/**
 * Prepares a restored copy. Its unfinished transfers may since have been done, undone or repeated, so none of them
 * continues: deletes their records, and sets rows that were being uploaded or deleted to unknown. Watched folders may since
 * have been removed or changed, so switches them all off; once switched on again, a folder uploads the files that had
 * not been uploaded.
 */
export function forgetWork(db: DatabaseSync): void {
  runTransaction(db, () => {
    db.exec('PRAGMA defer_foreign_keys = ON');
    db.prepare('UPDATE object SET state = ? WHERE state IN (?, ?)').run(
      stateCode('unknown'),
      stateCode('uploading'),
      stateCode('deleting'),
    );
    // Copies of early versions lack some tables.
    const has = (table: string) =>
      db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
    if (has('watched_file')) {
      db.prepare('DELETE FROM watched_file WHERE transfer IN (SELECT id FROM transfer WHERE state <> ?)').run(
        stateCodes.code('done'),
      );
    }
    db.exec(
      `UPDATE document SET value = json_set(value, '$.isOn', json('false')) WHERE collection = 'watchedFolders'`,
    );
    db.exec('UPDATE object SET writer = NULL; DELETE FROM transfer; DELETE FROM sweep');
    if (has('batch')) db.exec('DELETE FROM batch');
  });
}
