import { basename, dirname, join, relative } from 'node:path';
import type { UnknownFile } from '../../../shared/contract.ts';
import { lstat, readdir, rmdir, unlink } from '../../local-files/fs.ts';
import type { Log } from '../../ports.ts';
import { codeOf } from '../../local-files/file-system.ts';

/** A folder in the user data folder where Coffer keeps files of its own. */
export interface OwnFolder {
  readonly folder: string;
  /** Which of these names the database does not know. */
  unknownOf(names: readonly string[]): Promise<readonly string[]>;
  /** Only Coffer can read its content. */
  readonly isSealed: boolean;
}

/** With its absolute path, which does not leave main. */
export type LocalUnknownFile = UnknownFile & { readonly path: string };

/**
 * Files in Coffer's own folders that the database does not know. They are newer than the database if an older copy of
 * it, or that of another data folder, took its place: they may be the only copy of something, so only a person
 * removes them.
 */
export interface UnknownFiles {
  /** Oldest first. */
  list(): Promise<LocalUnknownFile[]>;
  /** Those of these names that are still unknown. */
  find(names: readonly string[]): Promise<LocalUnknownFile[]>;
  remove(names: readonly string[]): Promise<void>;
}

export function createUnknownFiles(folders: readonly OwnFolder[], log: Log): UnknownFiles {
  async function listOne(own: OwnFolder): Promise<LocalUnknownFile[]> {
    const { folder, isSealed } = own;
    try {
      const names = await own.unknownOf(await namesIn(folder));
      const files = await Promise.all(names.map((name) => filesAt(join(folder, name))));
      return files.flat().map((file) => {
        const name = join(basename(folder), relative(folder, file.path));
        return { ...file, name, isSealed };
      });
    } catch (cause) {
      // The other folders are listed all the same.
      log.warn('a folder could not be looked through for unknown files', { folder, cause });
      return [];
    }
  }

  async function list(): Promise<LocalUnknownFile[]> {
    const found = await Promise.all(folders.map(listOne));
    return found.flat().toSorted((one, other) => one.changedAtMs - other.changedAtMs);
  }

  async function find(names: readonly string[]): Promise<LocalUnknownFile[]> {
    const wanted = new Set(names);
    return (await list()).filter(({ name }) => wanted.has(name));
  }

  return {
    list,
    find,
    async remove(names) {
      const tops = new Set(folders.map(({ folder }) => folder));
      for (const { path } of await find(names)) {
        await unlink(path);
        // Removes the parent folders that are now empty.
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

/** Removes empty folders that the database does not know. */
export async function removeEmptyFolders(own: OwnFolder): Promise<void> {
  const names = await namesIn(own.folder).catch(() => []);
  for (const name of await own.unknownOf(names)) await rmdir(join(own.folder, name)).catch(() => undefined);
}

/** Empty when the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw cause;
  });
}

/** A file, or all files below a folder. */
async function filesAt(path: string): Promise<Omit<LocalUnknownFile, 'name' | 'isSealed'>[]> {
  const stats = await lstat(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw cause;
  });
  if (stats === null) return [];
  if (!stats.isDirectory()) return [{ path, bytes: stats.size, changedAtMs: Math.trunc(stats.mtimeMs) }];
  const names = await readdir(path);
  return (await Promise.all(names.map((name) => filesAt(join(path, name))))).flat();
}
