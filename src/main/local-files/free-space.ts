import { AppFailure } from '../../shared/app-failure.ts';
import { statfs } from './fs.ts';

/** Bytes that this user may still write there; null: the folder or its file system cannot tell. */
export async function freeBytesIn(folder: string): Promise<number | null> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
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
