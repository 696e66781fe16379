import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { safeFileName, taggedPartName } from '../../../shared/domain/file-name.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { mkdir, open, type FileHandle } from '../../files/fs.ts';
import { codeOf, knowsNoSync, targetFailureOf } from './failures.ts';
import { createPartWriter } from './part-writer.ts';
import { makeSubfolders } from './subfolders.ts';
import {
  inodeAt,
  isSame,
  placeOver,
  placeUnderFreeName,
  unlinkIfSame,
  type Inode,
  type Placed,
} from './place.ts';

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
export interface PartFile {
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

/** What is chosen in a dialog, as a target. */
export function targetOfPath(path: string): Target {
  return { folder: dirname(path), makesFolder: false, fileName: basename(path), replaces: true };
}

/** The same for the same owner, so that what a kill leaves is found again without having been written down. */
export function partNameOf(fileName: string, owner: string): string {
  const tag = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  return taggedPartName(safeFileName(fileName), tag);
}

/** A name that no other download has: two of one name in one folder must never meet. */
export function newPartName(fileName: string): string {
  return taggedPartName(safeFileName(fileName), randomBytes(4).toString('hex'));
}

/** @param partName from `newPartName`; noted before this, so that what a kill leaves is found */
export async function createPart(target: Target, partName: string): Promise<PartFile> {
  const { fileName, replaces, isPrivate } = target;

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw targetFailureOf(cause, basename(target.folder));
    }
  }

  if (target.makesFolder) await guard(() => makeFolder(target.folder));
  const folder = await guard(() => makeSubfolders(target.folder, target.subfolders ?? []));
  const path = join(folder, partName);
  // It is not there yet: who made one of that name is somebody else.
  const { handle, inode } = await guard(() => openNew(path, isPrivate ? 0o600 : 0o666));
  const writer = createPartWriter(handle);
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
    if (!isSame(await inodeAt(path), inode)) {
      if ((await inodeAt(folder)) === null)
        throw new AppFailure({ code: 'folderGone', folderName: basename(folder) });
      throw new AppFailure({ code: 'partGone', fileName });
    }
    const placed = replaces
      ? await placeOver(path, folder, fileName)
      : await placeUnderFreeName(path, inode, folder, fileName);
    isPlaced = true;
    await handle.close().catch(() => undefined);
    return { ...placed, isDurable: placed.isDurable && isOnDisk };
  }

  async function discard(): Promise<void> {
    if (isPlaced) return;
    await writer.stop();
    await unlinkIfSame(path, inode);
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

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    // A file has its name, or the name of what leads to it.
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new AppFailure({ code: 'folderGone', folderName: basename(folder) }, { cause });
  }
}

async function openNew(path: string, mode: number): Promise<{ handle: FileHandle; inode: Inode }> {
  const handle = await open(path, 'wx', mode);
  try {
    return { handle, inode: await handle.stat({ bigint: true }) };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}
