import { AppFailure } from '../../shared/app-failure.ts';
import { statfs } from './fs.ts';

/** Bytes that this person may still write there; null: the folder or its file system cannot say. */
export async function freeBytesIn(folder: string): Promise<number | null> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}

/** diskFull with how much is free now and how much the file needs; any other cause as it is. @param neededBytes null: unknown */
export async function withSpace(
  cause: unknown,
  folder: string,
  neededBytes: number | null,
): Promise<unknown> {
  if (!(cause instanceof AppFailure) || cause.error.code !== 'diskFull' || neededBytes === null) return cause;
  const freeBytes = await freeBytesIn(folder);
  return freeBytes === null ? cause : new AppFailure({ ...cause.error, freeBytes, neededBytes }, { cause });
}
