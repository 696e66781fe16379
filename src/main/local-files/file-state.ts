import type { BigIntStats } from './fs.ts';

/** What tells one state of a file from another. */
export type FileStats = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'dev'>;

/** What a file was when somebody looked: all of it, also where only a slice of it is meant. */
export interface FileIdentity {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly inode: string;
}

/** What a person saw; not everything that carries it knows the inode. */
export type Expected = Omit<FileIdentity, 'inode'> & { readonly inode?: string | undefined };

export function isSameState(one: FileStats, other: FileStats): boolean {
  return (
    one.size === other.size && one.mtimeNs === other.mtimeNs && one.ino === other.ino && one.dev === other.dev
  );
}

/**
 * As `isSameState`, and nobody wrote in between and then set the time of change back, as `touch -r`, `rsync --times --inplace` and
 * VeraCrypt do. That relies on ctime, which programs cannot set: Node has it from `stat` on POSIX systems, and on Windows from NTFS
 * (ChangeTime). It also moves when the file is given another name or other permissions, so a difference means no more than that the
 * bytes are to be read. FAT and exFAT keep no such time, and a network drive may keep none or answer with an old one: there, true
 * is only probable.
 */
export function isUntouched(
  one: FileStats & Pick<BigIntStats, 'ctimeNs'>,
  other: FileStats & Pick<BigIntStats, 'ctimeNs'>,
): boolean {
  return isSameState(one, other) && one.ctimeNs === other.ctimeNs;
}

export function identityOf(stats: FileStats): FileIdentity {
  return {
    sizeBytes: Number(stats.size),
    // As `stat` without bigint says it, to the last digit.
    mtimeMs: Number(stats.mtimeNs / 1_000_000_000n) * 1000 + Number(stats.mtimeNs % 1_000_000_000n) / 1e6,
    inode: String(stats.ino),
  };
}

/** Times are compared to the millisecond: not everything that carries them keeps more. */
export function isAsExpected(now: FileIdentity, expected: Expected): boolean {
  return (
    now.sizeBytes === expected.sizeBytes &&
    Math.abs(now.mtimeMs - expected.mtimeMs) < 1.001 &&
    (expected.inode === undefined || now.inode === expected.inode)
  );
}
