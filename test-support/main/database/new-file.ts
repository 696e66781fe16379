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

/** Puts a new database where there is none: made on a thread by the migrations it takes longer than all else that opening one does. */
export function placeNewFile(folder: string): void {
  try {
    if (readdirSync(folder).some((name) => name.startsWith('coffer.db'))) return;
    writeFileSync(join(folder, 'coffer.db'), bytes, { flag: 'wx', mode: 0o600 });
  } catch {
    // What is wrong with the folder is for the thread to say.
  }
}
