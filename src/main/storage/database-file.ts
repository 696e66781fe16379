import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { migrate, type MigrationStep, runTransaction } from '../database/migrations.ts';
import { stateCode } from '../objects/rows.ts';
import { stateCodes } from '../transfers/store/codes.ts';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from '../local-files/fs.ts';
import { copyPath, listCopies, makeCopy } from '../database/backups.ts';
import { noteOrderlyClose, takeOrderlyClose } from '../database/orderly-close.ts';
import { createPrivate, makePrivate } from '../database/private-file.ts';
import { inspect, isDamage } from '../database/soundness.ts';

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

const databaseName = 'coffer.db';

export type FileOpening =
  | { readonly state: 'ready'; readonly db: DatabaseSync }
  | { readonly state: 'broken'; readonly setAsideName: string };

/**
 * Opens or creates the database. Checks the format before writing, and every page unless the file was closed in order:
 * with a million objects that takes a second. Renames a broken file; one that was set aside and not replaced yet is
 * reported as broken again.
 * @throws AppFailure catalogueTooNew, leaving the file as it is
 */
export async function openFile(
  folder: string,
  steps: readonly MigrationStep[],
  nowMs: number,
): Promise<FileOpening> {
  const path = join(folder, databaseName);
  for (const file of listFiles(folder)) makePrivate(file);
  removePart(folder);
  try {
    // SQLite creates the file before it writes to it, so an empty file counts as missing.
    if (existsSync(path) && statSync(path).size > 0) {
      const { version } = inspect(path, takeOrderlyClose(folder, path) ? null : 'quick_check');
      if (version > steps.length) throw new AppFailure({ code: 'catalogueTooNew' });
    } else {
      const setAsideName = findSetAside(folder);
      if (setAsideName !== null) return { state: 'broken', setAsideName };
    }
    return { state: 'ready', db: await openSound(folder, steps, nowMs) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { state: 'broken', setAsideName: setAside(folder, nowMs) };
  }
}

/** Closes the last connection. */
export function closeFile(folder: string, db: DatabaseSync): void {
  db.close();
  noteOrderlyClose(folder, join(folder, databaseName));
}

/** Replaces the file that was set aside by a copy without unfinished work; null: by an empty database. */
export async function replaceFile(
  folder: string,
  copyId: string | null,
  steps: readonly MigrationStep[],
  nowMs: number,
): Promise<DatabaseSync> {
  if (copyId !== null) {
    if (!listCopies(folder).some(({ id }) => id === copyId)) {
      throw new AppFailure({ code: 'invalidInput', field: 'copyId', problem: 'unknown' });
    }
    try {
      placeCopy(folder, copyId);
    } finally {
      removePart(folder);
    }
  }
  return openSound(folder, steps, nowMs);
}

function placeCopy(folder: string, copyId: string): void {
  const path = join(folder, databaseName);
  const part = temporaryPath(folder);
  createPrivate(part);
  copyFileSync(copyPath(folder, copyId), part);
  makePrivate(part);
  const db = new DatabaseSync(part);
  try {
    forgetWork(db);
  } finally {
    db.close();
  }
  const file = openSync(part, 'r+');
  fsyncSync(file);
  closeSync(file);
  for (const companion of ['-wal', '-shm']) rmSync(path + companion, { force: true });
  renameSync(part, path);
}

function temporaryPath(folder: string): string {
  return join(folder, `${databaseName}.part`);
}

function removePart(folder: string): void {
  for (const companion of ['', '-journal']) rmSync(temporaryPath(folder) + companion, { force: true });
}

/** Uses a separate read-only connection. @returns the size of the copy in bytes @throws DamagedFile */
export async function copyDatabase(folder: string, nowMs: number): Promise<number> {
  const db = new DatabaseSync(join(folder, databaseName), { readOnly: true, timeout: 5000 });
  try {
    return await makeCopy(db, folder, nowMs);
  } finally {
    db.close();
  }
}

/** Copies the file before each migration. */
async function openSound(
  folder: string,
  steps: readonly MigrationStep[],
  nowMs: number,
): Promise<DatabaseSync> {
  const path = join(folder, databaseName);
  createPrivate(path);
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA foreign_keys = ON',
    );
    // A checkpoint every 16 MB of WAL writes pages that many transactions change only once. Statement journals are kept in
    // memory: in a file they take a third of the time of many writes.
    db.exec('PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY');
    await migrate(db, steps, async () => {
      await makeCopy(db, folder, nowMs);
    });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The database, SQLite's companion files, files set aside, and copies. */
function listFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(databaseName));
  return [
    ...names.map((name) => join(folder, name)),
    ...listCopies(folder).map(({ id }) => copyPath(folder, id)),
  ];
}

/** The newest file set aside. */
function findSetAside(folder: string): string | null {
  const prefix = `${databaseName}.broken-`;
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name));
  return names.sort().at(-1) ?? null;
}

function setAside(folder: string, nowMs: number): string {
  const name = `${databaseName}.broken-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
  for (const companion of ['-wal', '-shm', '']) {
    const [from, to] = [join(folder, databaseName + companion), join(folder, name + companion)];
    if (existsSync(to)) throw new Error('A file of this name was set aside before');
    if (existsSync(from)) renameSync(from, to);
  }
  return name;
}
