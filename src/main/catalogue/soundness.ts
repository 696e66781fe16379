import { DatabaseSync } from 'node:sqlite';
import { applicationId, schemaVersion } from './migrations.ts';

/** A database that fails its check. */
export class DamagedFile extends Error {}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the content is bad, not the disk or the rights. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return error instanceof DamagedFile || code === 11 || code === 26;
}

/**
 * Looks through a connection that cannot write. `quick_check` takes a seventh of a second for a million objects;
 * `integrity_check` compares the indexes too and takes ten times as long. Throws DamagedFile, or what the disk throws.
 */
export function inspect(
  path: string,
  check: 'quick_check' | 'integrity_check',
): { version: number; objects: number } {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const application = Number(db.prepare('PRAGMA application_id').get()?.['application_id']);
    if (application !== applicationId) throw new DamagedFile('Not a catalogue');
    const result = db.prepare(`PRAGMA ${check}(1)`).get()?.[check];
    if (result !== 'ok') throw new DamagedFile(String(result));
    const objects = Number(db.prepare('SELECT count(*) AS objects FROM object').get()?.['objects']);
    return { version: schemaVersion(db), objects };
  } finally {
    db.close();
  }
}
