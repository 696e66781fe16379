import { link as linkFile, mkdir, open, rename, rm, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { numberedFileName, partFileName, safeFileName } from '../../shared/domain/file-name.ts';
import { AppFailure } from '../../shared/errors.ts';

/** Where a download goes. */
export interface Target {
  /** Absolute. */
  readonly folder: string;
  /** The folder is made when it is not there. */
  readonly makesFolder: boolean;
  readonly fileName: string;
  /** The person chose this very name and agreed to replace what is there. */
  readonly replaces: boolean;
}

/** A file that is not whole yet, under a name that says so. Failures are AppFailure diskFull, folderGone, folderReadOnly. */
export interface PartFile {
  write(piece: Uint8Array): Promise<void>;
  /** Makes it durable and gives it its name; answers the path. What has that name stays unless it is to be replaced. */
  publish(): Promise<string>;
  /** Takes it away, whatever has become of it; after `publish` there is nothing left to take away. */
  discard(): Promise<void>;
}

/** Pieces come small from the network, and each write is a way to another thread and back. */
const gatherBytes = 1024 * 1024;
/** A number that nobody reaches by chance. */
const maxNumber = 10_000;

/** @param link replaced in tests by one of a file system that has no links */
export async function createPart(target: Target, link = linkFile): Promise<PartFile> {
  const { folder, makesFolder, fileName, replaces } = target;
  const folderName = basename(folder);

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw failureOf(cause, folderName);
    }
  }

  if (makesFolder) await guard(() => mkdir(folder, { recursive: true }));
  // A part that is there already, of a crash or of another transfer, is not ours to touch.
  const part = await guard(() =>
    takeFirstFree((number) => openNew(join(folder, partFileName(safeFileName(fileName), number)))),
  );
  let discarded: Promise<void> | null = null;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;

  /** Unlike `write`, `writeFile` of a handle goes on until all is written, from where it stands. */
  async function flush(): Promise<void> {
    const bytes = Buffer.concat(gathered, gatheredBytes);
    gathered = [];
    gatheredBytes = 0;
    await part.handle.writeFile(bytes);
  }

  return {
    async write(piece) {
      gathered.push(piece);
      gatheredBytes += piece.length;
      if (gatheredBytes >= gatherBytes) await guard(flush);
    },
    publish: () =>
      guard(async () => {
        await flush();
        await part.handle.sync();
        await part.handle.close();
        const path = replaces
          ? await replaceWith(part.path, join(folder, fileName))
          : await takeFirstFree((number) =>
              moveInto(
                part.path,
                join(folder, number === 0 ? fileName : numberedFileName(fileName, number)),
                link,
              ),
            );
        await syncFolder(folder);
        return path;
      }),
    discard: () =>
      (discarded ??= (async () => {
        await part.handle.close().catch(() => undefined);
        await rm(part.path, { force: true }).catch(() => undefined);
      })()),
  };
}

async function openNew(path: string): Promise<{ path: string; handle: FileHandle }> {
  return { path, handle: await open(path, 'wx') };
}

async function takeFirstFree<T>(take: (number: number) => Promise<T>): Promise<T> {
  for (let number = 0; ; number += 1) {
    try {
      return await take(number);
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST' || number >= maxNumber) throw cause;
    }
  }
}

async function replaceWith(from: string, to: string): Promise<string> {
  await rename(from, to);
  return to;
}

/** Renames without replacing: `rename` would. @throws EEXIST */
async function moveInto(from: string, to: string, link: typeof linkFile): Promise<string> {
  try {
    await link(from, to);
  } catch (cause) {
    if (
      !['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR', 'EINVAL'].includes(
        codeOf(cause) ?? '',
      )
    )
      throw cause;
    // No links here (FAT, some network folders): the name is taken by an empty file of ours, which the whole one replaces.
    await (await open(to, 'wx')).close();
    await rename(from, to).catch(async (failure: unknown) => {
      await rm(to, { force: true });
      throw failure;
    });
    return to;
  }
  await unlink(from);
  return to;
}

/** The new name is durable only then. Windows knows no such thing and refuses to open a folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What was chosen in a dialog, as a target. */
export function targetOfPath(path: string): Target {
  return { folder: dirname(path), makesFolder: false, fileName: basename(path), replaces: true };
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

const failures: Record<string, 'diskFull' | 'folderGone' | 'folderReadOnly'> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EFBIG: 'diskFull',
  ENOENT: 'folderGone',
  ENOTDIR: 'folderGone',
  EACCES: 'folderReadOnly',
  EPERM: 'folderReadOnly',
  EROFS: 'folderReadOnly',
};

function failureOf(cause: unknown, folderName: string): unknown {
  const code = failures[codeOf(cause) ?? ''];
  return code ? new AppFailure({ code, folderName }, { cause }) : cause;
}
