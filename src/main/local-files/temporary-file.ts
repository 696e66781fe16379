import { basename, join } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { codeOf, type FileSystem, knowsNoSync, type OpenFile, targetFailureOf } from './file-system.ts';
import type { TemporaryFileWriter } from './temporary-file-writer.ts';
import {
  inodeAt,
  isSame,
  placeOver,
  placeUnderFreeName,
  unlinkIfSame,
  type Inode,
  type Placed,
} from './publish-file.ts';
import { makeSubfolders } from './subfolders.ts';
import { markFile, type WebMark } from './web-mark.ts';

/** Where a download is saved. */
export interface Target {
  /** Absolute. */
  readonly folder: string;
  /** Creates the folder and its parents when missing. */
  readonly makesFolder: boolean;
  /** Nested folders below it, created when missing. */
  readonly subfolders?: readonly string[] | undefined;
  readonly fileName: string;
  /** The person chose this exact name and agreed to replace what is there. */
  readonly replaces: boolean;
  /** Readable by its owner only, where the file system supports that. */
  readonly isPrivate?: boolean | undefined;
  /** Says that the file came from elsewhere; set before it has a byte. Without: the system has none, or the file stays unmarked. */
  readonly mark?: WebMark | undefined;
}

/** A file that is not whole yet. Failures are AppFailure diskFull, folderGone, folderReadOnly, partGone. */
export interface TemporaryFile {
  /** Absolute. */
  readonly path: string;
  /** The piece may be reused when it resolves. */
  write(piece: Uint8Array): Promise<void>;
  /** SHA-256 in hex of all written bytes; ends writing. */
  digest(): Promise<string>;
  /** Flushes all written bytes to the disk; ends writing. */
  sync(): Promise<void>;
  /** Makes it durable and gives it its name. Replaces a file of that name only if the target says so. */
  publish(): Promise<Placed>;
  /** Removes it unless it has its name; never another's file under the temporary name. */
  discard(): Promise<void>;
}

/** Like `createTemporaryFile`. @param files and `createWriter`: suitable for the calling thread */
export async function makeTemporaryFile(
  target: Target,
  temporaryName: string,
  files: FileSystem,
  createWriter: (file: OpenFile) => TemporaryFileWriter,
): Promise<TemporaryFile> {
  const { makesFolder, fileName, replaces, isPrivate, mark } = target;

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw targetFailureOf(cause, basename(target.folder));
    }
  }

  if (makesFolder) await guard(() => makeFolder(target.folder, files));
  const folder = await guard(() => makeSubfolders(target.folder, target.subfolders ?? []));
  const path = join(folder, temporaryName);
  // Must create the file: one that exists under this name is not ours.
  const { handle, inode } = await guard(() => openNew(path, isPrivate ? 0o600 : 0o666, files));
  if (mark) await markFile(path, mark);
  const writer = createWriter(handle);
  let isPlaced = false;
  let isSynced: Promise<boolean> | null = null;
  let discarded: Promise<void> | null = null;

  /** false: unsupported by this file system. */
  async function syncOnce(): Promise<boolean> {
    await writer.finish();
    try {
      await handle.sync();
      return true;
    } catch (cause) {
      if (knowsNoSync(cause)) return false;
      throw cause;
    }
  }
  const sync = () => (isSynced ??= syncOnce());

  /** The file stays open until it has its name, so that its inode is not reused. */
  async function publish(): Promise<Placed> {
    const isOnDisk = await sync();
    if (!isSame(await inodeAt(path, files), inode)) {
      if ((await inodeAt(folder, files)) === null)
        throw new AppFailure({ code: 'folderGone', folderName: basename(folder) });
      throw new AppFailure({ code: 'partGone', fileName });
    }
    const placed = replaces
      ? await placeOver(path, folder, fileName, files)
      : await placeUnderFreeName(path, inode, folder, fileName, files);
    isPlaced = true;
    await handle.close().catch(() => undefined);
    return { ...placed, isDurable: placed.isDurable && isOnDisk };
  }

  async function discard(): Promise<void> {
    if (isPlaced) return;
    await writer.stop();
    await unlinkIfSame(path, inode, files);
    await handle.close().catch(() => undefined);
  }

  return {
    path,
    write: (piece) => guard(() => writer.write(piece)),
    digest: () => guard(() => writer.finish()),
    sync: () =>
      guard(async () => {
        await sync();
      }),
    publish: () => guard(publish),
    discard: () => (discarded ??= discard()),
  };
}

async function makeFolder(folder: string, files: FileSystem): Promise<void> {
  try {
    await files.mkdir(folder, { recursive: true });
  } catch (cause) {
    // A file has this name, or that of a parent folder.
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new AppFailure({ code: 'folderGone', folderName: basename(folder) }, { cause });
  }
}

async function openNew(
  path: string,
  mode: number,
  files: FileSystem,
): Promise<{ handle: OpenFile; inode: Inode }> {
  const handle = await files.open(path, 'wx', mode);
  try {
    return { handle, inode: await handle.stat({ bigint: true }) };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}
