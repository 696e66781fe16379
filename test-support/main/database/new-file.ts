import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSchema } from './local-database.ts';

const bytes = await makeBytes();

async function makeBytes(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-new-'));
  const path = join(folder, 'coffer.db');
  const db = new DatabaseSync(path);
  await createSchema(db);
  db.close();
  const made = readFileSync(path);
  rmSync(folder, { recursive: true });
  return made;
}

/** Puts a new database where there is none: creating one on a thread by migrations takes longer than all else in opening it. */
export function placeNewFile(folder: string): void {
  try {
    if (readdirSync(folder).some((name) => name.startsWith('coffer.db'))) return;
    writeFileSync(join(folder, 'coffer.db'), bytes, { flag: 'wx', mode: 0o600 });
  } catch {
    // The thread will report what is wrong with the folder.
  }
}
