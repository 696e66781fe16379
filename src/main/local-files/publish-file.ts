import { join } from 'node:path';
import { numberedFileName } from '../../shared/domain/file-name.ts';
import { readdir, type BigIntStats } from './fs.ts';
import { KeyedMutex } from '../lib/async.ts';
import { codeOf, type FileSystem, waitingFiles } from './file-system.ts';

/** Identifies a file whatever its name: unique as long as the file is open or has a name. */
export type Inode = Pick<BigIntStats, 'dev' | 'ino'>;

/** A file under its final name. */
export interface Placed {
  /** Absolute. */
  readonly path: string;
  /** false: the folder could not be synced, as on many network drives; a power cut may remove the name. */
  readonly isDurable: boolean;
}

/** Larger than any number reached in practice. */
export const maxNumber = 10_000;

/** The file under this name, without following links; null: none. */
export async function inodeAt(path: string, files: FileSystem = waitingFiles): Promise<BigIntStats | null> {
  return files.lstat(path, { bigint: true }).catch(() => null);
}

export function isSame(one: Inode | null, other: Inode | null): boolean {
  return one !== null && other !== null && one.ino === other.ino && one.dev === other.dev;
}

/** Removes the name if it is still this file's. */
export async function unlinkIfSame(
  path: string,
  inode: Inode,
  files: FileSystem = waitingFiles,
): Promise<void> {
  // On failure the file keeps a second name, which is harmless.
  if (isSame(await inodeAt(path, files), inode)) await files.unlink(path).catch(() => undefined);
}

/** Gives a whole temporary file a free name: its own, or a numbered one. Never replaces a file. */
export async function placeUnderFreeName(
  temporaryPath: string,
  inode: Inode,
  folder: string,
  fileName: string,
  files: FileSystem = waitingFiles,
): Promise<Placed> {
  for (let number = 0; ; number = number === 0 ? await freeNumber(folder, fileName, files) : number + 1) {
    const path = join(folder, nameOf(fileName, number));
    try {
      await moveInto(temporaryPath, inode, path, files);
      return { path, isDurable: await syncFolder(folder, files) };
    } catch (cause) {
      // The name may have been taken since it was found free.
      if (codeOf(cause) !== 'EEXIST' || number >= maxNumber) throw cause;
    }
  }
}

/** The existing names that may have been given to a file of this name: itself and numbered ones. */
export async function namesLike(folder: string, fileName: string): Promise<string[]> {
  const present = new Set((await readdir(folder)).map((name) => name.normalize()));
  const all = Array.from({ length: maxNumber + 1 }, (_, number) => nameOf(fileName, number));
  return all.filter((name) => present.has(name.normalize()));
}

/** 0: the name itself. */
export function nameOf(fileName: string, number: number): string {
  return number === 0 ? fileName : numberedFileName(fileName, number);
}

/** A free number, normally the lowest. Few names are checked, however many are taken. */
async function freeNumber(folder: string, fileName: string, files: FileSystem): Promise<number> {
  const isTaken = async (number: number) =>
    (await inodeAt(join(folder, nameOf(fileName, number)), files)) !== null;
  let taken = 0;
  let free = 1;
  while (free < maxNumber && (await isTaken(free))) {
    taken = free;
    free = Math.min(free * 2, maxNumber);
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

/** Gives a whole temporary file this name, and replaces any file that has it. */
export async function placeOver(
  temporaryPath: string,
  folder: string,
  fileName: string,
  files: FileSystem = waitingFiles,
): Promise<Placed> {
  const path = join(folder, fileName);
  await files.rename(temporaryPath, path);
  return { path, isDurable: await syncFolder(folder, files) };
}

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR', 'EINVAL']);

/** Renames without replacing, unlike `rename`. @throws EEXIST */
async function moveInto(from: string, inode: Inode, to: string, files: FileSystem): Promise<void> {
  try {
    await files.link(from, to);
  } catch (cause) {
    if (!noLinks.has(codeOf(cause) ?? '')) throw cause;
    await moveWithoutLinks(from, to, files);
    return;
  }
  await unlinkIfSame(from, inode, files);
}

/** For FAT and some network folders: reserves the name with an empty file, which the whole one replaces. */
async function moveWithoutLinks(from: string, to: string, files: FileSystem): Promise<void> {
  const taken = await files.open(to, 'wx');
  try {
    await files.rename(from, to);
  } catch (cause) {
    await unlinkIfSame(to, await taken.stat({ bigint: true }), files);
    throw cause;
  } finally {
    await taken.close();
  }
}

const syncs = new KeyedMutex<string>();
/** By folder: the sync that has not started yet. */
const comingSyncs = new Map<string, Promise<boolean>>();

/**
 * Makes a new name durable. Windows has no such operation, and a network drive may refuse to open a folder or to sync
 * it: the file has its name by now, so failures are not thrown. One sync serves all callers that ask before it
 * starts, which is when the previous one has ended.
 */
export function syncFolder(folder: string, files: FileSystem = waitingFiles): Promise<boolean> {
  if (process.platform === 'win32') return Promise.resolve(true);
  const coming = comingSyncs.get(folder);
  if (coming) return coming;
  const sync = syncs.runExclusive(folder, () => {
    comingSyncs.delete(folder);
    return syncNow(folder, files);
  });
  comingSyncs.set(folder, sync);
  return sync;
}

async function syncNow(folder: string, files: FileSystem): Promise<boolean> {
  try {
    const handle = await files.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    return false;
  }
}
