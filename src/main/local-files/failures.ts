import { AppFailure } from '../../shared/app-failure.ts';

/** The code of an error of the file system; undefined for any other. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/** An error of reading a file, as it is told. What the file system did not say stays as it is. */
export function sourceFailureOf(cause: unknown, fileName: string): unknown {
  if (cause instanceof AppFailure) return cause;
  switch (codeOf(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new AppFailure({ code: 'fileGone', fileName }, { cause });
    case 'ELOOP':
    case 'EISDIR':
    case 'ENXIO':
      return new AppFailure({ code: 'fileSpecial', fileName }, { cause });
    case undefined:
      return cause;
    default:
      return new AppFailure({ code: 'fileUnreadable', fileName }, { cause });
  }
}

/** Some file systems cannot say that a file is on the disk, which is no failure of the disk. */
export function knowsNoSync(cause: unknown): boolean {
  return ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(cause) ?? '');
}

const targetCodes: Record<string, 'diskFull' | 'folderGone' | 'folderReadOnly'> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EFBIG: 'diskFull',
  ENOENT: 'folderGone',
  ENOTDIR: 'folderGone',
  EACCES: 'folderReadOnly',
  EPERM: 'folderReadOnly',
  EROFS: 'folderReadOnly',
};

/** An error of writing into a folder, as it is told. */
export function targetFailureOf(cause: unknown, folderName: string): unknown {
  if (cause instanceof AppFailure) return cause;
  const code = targetCodes[codeOf(cause) ?? ''];
  return code ? new AppFailure({ code, folderName }, { cause }) : cause;
}
