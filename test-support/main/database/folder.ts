import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/main/storage/database.ts';
import { openDatabase, type OpenOptions } from '../../../src/main/storage/open-database.ts';
import { removeFolder } from '../../remove-folder.ts';

/** A temporary folder with its databases; `await using` closes and deletes everything. */
export async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'coffer-catalogue-'));
  const opened: Database[] = [];
  const keep = (database: Database) => {
    opened.push(database);
    return database;
  };
  return {
    path,
    keep,
    openAny: (options: Partial<OpenOptions> = {}) =>
      openDatabase({ folder: path, nowMs: () => 1_800_000_000_000, firstCopyAfterMs: 3_600_000, ...options }),
    async open(options: Partial<OpenOptions> = {}): Promise<Database> {
      const answer = await this.openAny(options);
      if (answer.state !== 'ready') throw new Error('broken');
      return keep(answer.database);
    },
    async [Symbol.asyncDispose]() {
      for (const database of opened) await database.close().catch(() => undefined);
      await removeFolder(path);
    },
  };
}
