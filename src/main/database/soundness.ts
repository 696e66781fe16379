import { DatabaseSync } from 'node:sqlite';
import { AppFailure } from '../../shared/app-failure.ts';
import { closeSync, openSync, readSync } from '../local-files/fs.ts';
import { applicationId } from './schema.ts';
import { schemaVersion } from './migrations.ts';

/** A database that fails its check. */
export class DamagedFile extends Error {}

/** Larger than any schema version so far: a greater number means damage. */
const versionMax = 255;

/** SQLITE_CORRUPT and SQLITE_NOTADB: the content is bad, not the disk or the permissions. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedFile || [11, 26].includes(sqliteCode(error));
}

/**
 * Whether the data to be written is to blame: SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, or a bug of ours. Any other error of
 * SQLite, and any expected failure, is about the file or its disk.
 */
export function isOfData(error: unknown): boolean {
  if (error instanceof AppFailure) return false;
  const code = sqliteCode(error);
  return code === 0 || [18, 19, 20].includes(code);
}

function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/**
 * Inspects the file through a connection that cannot write. `quick_check` reads every page: half a second of CPU for
 * a million objects, plus the disk; `integrity_check` compares the indexes too and takes ten times as long; null:
 * neither. Version 0 is an empty database, which a kill during the very first start leaves. Throws DamagedFile, or
 * the disk's error.
 */
export function inspect(
  path: string,
  check: 'quick_check' | 'integrity_check' | null,
): { version: number; objects: number } {
  requireWritableFormat(path);
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const result = check && db.prepare(`PRAGMA ${check}(1)`).get()?.[check];
    if (check && result !== 'ok') throw new DamagedFile(String(result));
    const count = (what: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.['n']);
    const application = Number(db.prepare('PRAGMA application_id').get()?.['application_id']);
    const version = schemaVersion(db);
    if (application === 0 && version === 0 && count('sqlite_master') === 0) return { version, objects: 0 };
    if (application !== applicationId) throw new DamagedFile('Not a catalogue');
    if (version < 1 || version > versionMax) throw new DamagedFile('Not a version of the catalogue');
    return { version, objects: count('object') };
  } catch (error) {
    // SQLITE_ERROR: the statements are right, so the file has an unknown format, or a table is missing.
    if (sqliteCode(error) === 1) throw new DamagedFile(String(error));
    throw error;
  } finally {
    db.close();
  }
}

/** SQLite opens a file whose header (byte 18) names a later format than its own, but never writes to it. */
function requireWritableFormat(path: string): void {
  const header = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  if (header.readUInt8(18) > 2) throw new DamagedFile('Not a format that is written');
}
