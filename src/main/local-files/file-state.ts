import type { BigIntStats } from './fs.ts';

/** The stats that distinguish two states of a file. */
export type FileStats = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'dev'>;

/** The identity of a file when it was examined: the whole file, even where only a slice is used. */
export interface FileIdentity {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly inode: string;
}

/** The file as the person saw it; not every source has the inode. */
export type Expected = Omit<FileIdentity, 'inode'> & { readonly inode?: string | undefined };

export function isSameState(one: FileStats, other: FileStats): boolean {
  return (
    one.size === other.size && one.mtimeNs === other.mtimeNs && one.ino === other.ino && one.dev === other.dev
  );
}

/**
 * Like `isSameState`, and also that nobody wrote in between and then set the modification time back, as `touch -r`,
 * `rsync --times --inplace` and VeraCrypt do. This relies on ctime, which programs cannot set: Node has it from
 * `stat` on POSIX systems, and on Windows from NTFS (ChangeTime). It also changes when the file is renamed or gets
 * other permissions, so a difference only means that the bytes must be read. FAT and exFAT have no such time, and a
 * network drive may have none or report an old one: there, true is only probable.
 */
export function isUntouched(
  one: FileStats & Pick<BigIntStats, 'ctimeNs'>,
  other: FileStats & Pick<BigIntStats, 'ctimeNs'>,
): boolean {
  return isSameState(one, other) && one.ctimeNs === other.ctimeNs;
}

/** What reading a folder shows of a file. Numbers, so only equality of `ino` says something. */
export interface SeenState {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** undefined: not read, as for files of a saved draft. */
  readonly ino?: number | undefined;
  readonly ctimeMs?: number | undefined;
}

/**
 * Like `isUntouched`, for what reading a folder shows. A difference only means that the bytes must be read: a network drive may give a
 * file another inode at each connection.
 */
export function isSeenUntouched(one: SeenState, other: SeenState): boolean {
  return (
    one.sizeBytes === other.sizeBytes &&
    one.mtimeMs === other.mtimeMs &&
    one.ino === other.ino &&
    one.ctimeMs === other.ctimeMs
  );
}

export function identityOf(stats: FileStats): FileIdentity {
  return {
    sizeBytes: Number(stats.size),
    // Equal to what `stat` without bigint reports, to the last digit.
    mtimeMs: Number(stats.mtimeNs / 1_000_000_000n) * 1000 + Number(stats.mtimeNs % 1_000_000_000n) / 1e6,
    inode: String(stats.ino),
  };
}

/** Times are compared to the millisecond: not every source of them is more precise. */
export function isAsExpected(now: FileIdentity, expected: Expected): boolean {
  return (
    now.sizeBytes === expected.sizeBytes &&
    Math.abs(now.mtimeMs - expected.mtimeMs) < 1.001 &&
    (expected.inode === undefined || now.inode === expected.inode)
  );
}
