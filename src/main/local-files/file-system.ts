import { AppFailure } from '../../shared/app-failure.ts';
import { type BigIntStats, link, lstat, mkdir, open, rename, unlink } from './fs.ts';

/** The code of a file system error; undefined for any other. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/** Translates an error of reading a file. Other errors are returned unchanged. */
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

/** Some file systems do not support sync, which is no failure of the disk. */
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

/** Translates an error of writing into a folder. */
export function targetFailureOf(cause: unknown, folderName: string): unknown {
  if (cause instanceof AppFailure) return cause;
  const code = targetCodes[codeOf(cause) ?? ''];
  return code ? new AppFailure({ code, folderName }, { cause }) : cause;
}

/** The operations on an open file that a temporary file needs. */
export interface OpenFile {
  stat(options: { bigint: true }): Promise<BigIntStats>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The file system operations for writing and naming a temporary file. */
export interface FileSystem {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>;
  link(from: string, to: string): Promise<void>;
  lstat(path: string, options: { bigint: true }): Promise<BigIntStats>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** Asynchronous: each call runs on a thread of the system and blocks nothing else. */
export const waitingFiles: FileSystem = { open, link, lstat, mkdir, rename, unlink };

export async function writeAll(file: OpenFile, bytes: Uint8Array, atBytes: number): Promise<void> {
  for (let doneBytes = 0; doneBytes < bytes.length;) {
    const { bytesWritten } = await file.write(
      bytes,
      doneBytes,
      bytes.length - doneBytes,
      atBytes + doneBytes,
    );
    doneBytes += bytesWritten;
  }
}
