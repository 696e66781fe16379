import { basename, join } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { codeOf, knowsNoSync, targetFailureOf } from './failures.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
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

/** Where a download goes. */
export interface Target {
  /** Absolute. */
  readonly folder: string;
  /** The folder, and what leads to it, is made when it is not there. */
  readonly makesFolder: boolean;
  /** Folders below it, each in the one before, made when they are not there. */
  readonly subfolders?: readonly string[] | undefined;
  readonly fileName: string;
  /** The person chose this very name and agreed to replace what is there. */
  readonly replaces: boolean;
  /** Readable by its owner only, where the file system knows that. */
  readonly isPrivate?: boolean | undefined;
}

/** A file that is not whole yet. Failures are AppFailure diskFull, folderGone, folderReadOnly, partGone. */
export interface TemporaryFile {
  /** Absolute. */
  readonly path: string;
  /** The piece may be used again when it resolves. */
  write(piece: Uint8Array): Promise<void>;
  /** SHA-256 in hex of everything that was written; nothing is written after it. */
  digest(): Promise<string>;
  /** Everything that was written is on the disk; nothing is written after it. */
  sync(): Promise<void>;
  /** Makes it durable and gives it its name. What has that name stays unless it is to be replaced. */
  publish(): Promise<Placed>;
  /** Takes it away if it has not got its name; never anything that somebody else put under the part's. */
  discard(): Promise<void>;
}

/** As `createTemporaryFile`. @param files and `createWriter`: what suits the thread that this runs on */
export async function makeTemporaryFile(
  target: Target,
  partName: string,
  files: FileSystem,
  createWriter: (file: OpenFile) => TemporaryFileWriter,
): Promise<TemporaryFile> {
  const { makesFolder, fileName, replaces, isPrivate } = target;

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw targetFailureOf(cause, basename(target.folder));
    }
  }

  if (makesFolder) await guard(() => makeFolder(target.folder, files));
  const folder = await guard(() => makeSubfolders(target.folder, target.subfolders ?? []));
  const path = join(folder, partName);
  // It is not there yet: who made one of that name is somebody else.
  const { handle, inode } = await guard(() => openNew(path, isPrivate ? 0o600 : 0o666, files));
  const writer = createWriter(handle);
  let isPlaced = false;
  let isSynced: Promise<boolean> | null = null;
  let discarded: Promise<void> | null = null;

  /** false: this file system cannot. */
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

  /** The file stays open, and its inode its own, until it has its name. */
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
    // A file has its name, or the name of what leads to it.
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
