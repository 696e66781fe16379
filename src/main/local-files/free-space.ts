import { basename, dirname } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { statfs } from './fs.ts';

/** Bytes that this user may still write there; null: the folder or its file system cannot tell. */
export async function freeBytesIn(folder: string): Promise<number | null> {
  return statfs(folder).then(
    // A file system in memory without a limit counts no blocks at all.
    ({ blocks, bavail, bsize }) => (blocks === 0 ? null : bavail * bsize),
    () => null,
  );
}

/** Bytes for a folder that may still have to be made: those of its nearest parent that exists. null: as `freeBytesIn`. */
export async function freeBytesForNew(folder: string): Promise<number | null> {
  for (let at = folder; ; at = dirname(at)) {
    const free = await freeBytesIn(at);
    if (free !== null || at === dirname(at)) return free;
  }
}

/** A file of unknown length leaves this much to other programs. */
const reserveBytes = 64 * 1024 * 1024;
const checkEachBytes = 16 * 1024 * 1024;

/** Checks now and then, as a file grows, that its disk keeps a reserve. @throws AppFailure diskFull */
export function createSpaceGuard(
  folder: string,
  freeBytes: typeof freeBytesIn = freeBytesIn,
): (writtenBytes: number) => Promise<void> {
  let nextBytes = checkEachBytes;
  return async (writtenBytes) => {
    if (writtenBytes < nextBytes) return;
    nextBytes = writtenBytes + checkEachBytes;
    const free = await freeBytes(folder);
    if (free !== null && free < reserveBytes)
      throw new AppFailure({ code: 'diskFull', folderName: basename(folder) });
  };
}

/** Adds free and needed space to diskFull; returns any other cause unchanged. @param neededBytes null: unknown */
export async function withSpace(
  cause: unknown,
  folder: string,
  neededBytes: number | null,
): Promise<unknown> {
  if (!(cause instanceof AppFailure) || cause.error.code !== 'diskFull' || neededBytes === null) return cause;
  const freeBytes = await freeBytesIn(folder);
  return freeBytes === null ? cause : new AppFailure({ ...cause.error, freeBytes, neededBytes }, { cause });
}
