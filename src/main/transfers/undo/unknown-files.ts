import { dirname, join } from 'node:path';
import type { UnknownFile } from '../../../shared/contract.ts';
import { lstat, readdir, rmdir, unlink } from '../../local-files/fs.ts';
import type { Log } from '../../ports.ts';
import { codeOf } from '../../local-files/failures.ts';

/** A folder of the user data folder in which Coffer keeps files of its own. */
export interface OwnFolder {
  readonly folder: string;
  /** Which of the names in it nothing in the database speaks of. */
  unknownOf(names: readonly string[]): Promise<readonly string[]>;
  /** Only Coffer can read what is in it. */
  readonly isSealed: boolean;
}

/**
 * Files in Coffer's own folders that the database does not know. They are newer than the database, when an older copy of it was put in
 * its place, or of another data folder: they may be all there is of something, so nothing but a person removes them.
 */
export interface UnknownFiles {
  /** The oldest first. */
  list(): Promise<UnknownFile[]>;
  /** Those that are still unknown. */
  find(paths: readonly string[]): Promise<UnknownFile[]>;
  remove(paths: readonly string[]): Promise<void>;
}

export function createUnknownFiles(folders: readonly OwnFolder[], log: Log): UnknownFiles {
  async function listOne(own: OwnFolder): Promise<UnknownFile[]> {
    const { folder, isSealed } = own;
    try {
      const names = await own.unknownOf(await namesIn(folder));
      const files = await Promise.all(names.map((name) => filesAt(join(folder, name))));
      return files.flat().map((file) => ({ ...file, isSealed }));
    } catch (cause) {
      // Those of the other folders are listed all the same.
      log.warn('a folder could not be looked through for unknown files', { folder, cause });
      return [];
    }
  }

  async function list(): Promise<UnknownFile[]> {
    const found = await Promise.all(folders.map(listOne));
    return found.flat().toSorted((one, other) => one.changedAtMs - other.changedAtMs);
  }

  async function find(paths: readonly string[]): Promise<UnknownFile[]> {
    const wanted = new Set(paths);
    return (await list()).filter(({ path }) => wanted.has(path));
  }

  return {
    list,
    find,
    async remove(paths) {
      const tops = new Set(folders.map(({ folder }) => folder));
      for (const { path } of await find(paths)) {
        await unlink(path);
        // The folders it was in, as far as nothing else is in them.
        for (let at = dirname(path); !tops.has(at); at = dirname(at))
          if (
            !(await rmdir(at).then(
              () => true,
              () => false,
            ))
          )
            break;
      }
    },
  };
}

/** Those that nothing in the database speaks of. */
export async function removeEmptyFolders(own: OwnFolder): Promise<void> {
  const names = await namesIn(own.folder).catch(() => []);
  for (const name of await own.unknownOf(names)) await rmdir(join(own.folder, name)).catch(() => undefined);
}

/** None when the folder is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  });
}

/** A file, or all files below a folder. */
async function filesAt(path: string): Promise<Omit<UnknownFile, 'isSealed'>[]> {
  const stats = await lstat(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw cause;
  });
  if (stats === null) return [];
  if (!stats.isDirectory()) return [{ path, bytes: stats.size, changedAtMs: Math.trunc(stats.mtimeMs) }];
  const names = await readdir(path);
  return (await Promise.all(names.map((name) => filesAt(join(path, name))))).flat();
}
