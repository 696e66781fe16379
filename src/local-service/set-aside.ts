import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { openDatabase } from './database.ts';

const metadataFiles = ['metadata.sqlite', 'metadata.sqlite-wal', 'metadata.sqlite-shm'];

export type OpenedMetadata = {
  database: DatabaseSync;
  /** The folder below the data folder for everything that the metadata does not reference; null: none. */
  setAside: string | null;
};

/**
 * Opens the metadata of a data folder. If it is missing or damaged while there are blobs, they are set aside in a
 * dated folder, because the start would remove them as leftovers. Throws like `openDatabase`, except for damage.
 */
export async function openMetadata(
  dataFolder: string,
  masterKey: Uint8Array,
  nowMs: number,
): Promise<OpenedMetadata> {
  const file = join(dataFolder, 'metadata.sqlite');
  try {
    const { database, isNew } = openDatabase(file, masterKey);
    try {
      return { database, setAside: isNew ? await setBlobsAside(dataFolder, nowMs, []) : null };
    } catch (cause) {
      database.close();
      throw cause;
    }
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    const setAside = await setBlobsAside(dataFolder, nowMs, metadataFiles);
    // Without blobs there is no reason to replace the file: a person may look at it.
    if (setAside === null) throw cause;
    return { database: openDatabase(file, masterKey).database, setAside };
  }
}

async function setBlobsAside(
  dataFolder: string,
  nowMs: number,
  others: readonly string[],
): Promise<string | null> {
  const found = await readdir(dataFolder);
  const blobs = found.includes('blobs') ? await readdir(join(dataFolder, 'blobs')) : [];
  if (blobs.length === 0) return null;
  const name = await makeDatedFolder(dataFolder, nowMs);
  for (const entry of ['blobs', ...others]) {
    if (found.includes(entry)) await rename(join(dataFolder, entry), join(dataFolder, name, entry));
  }
  return name;
}

async function makeDatedFolder(dataFolder: string, nowMs: number): Promise<string> {
  const date = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  for (let number = 1; ; number += 1) {
    const name = `set-aside-${date}${number === 1 ? '' : `-${number}`}`;
    try {
      await mkdir(join(dataFolder, name), { mode: 0o700 });
      return name;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    }
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file is not a database. Disk errors have other codes. */
function isDamage(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && (cause.errcode === 11 || cause.errcode === 26);
}
