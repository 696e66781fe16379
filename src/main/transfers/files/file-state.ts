import type { BigIntStats } from '../../files/fs.ts';

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
