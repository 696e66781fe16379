import { hash } from 'node:crypto';
import { threadFromBytes, type SharedPiece } from './buffer-pool.ts';
import { codeOf } from './file-system.ts';
import { isSameState, type FileStats } from './file-state.ts';
import {
  closeSync,
  constants,
  fstatSync,
  open as openWaiting,
  openSync,
  readSync,
  stat as statWaiting,
  statSync,
  type BigIntStats,
} from './fs.ts';

export interface ReadFile {
  readonly stats: FileStats;
  /** A link, a folder, a pipe, or a file that is generated when it is read. */
  readonly isSpecial: boolean;
  /** null: it is special, larger, or was changed while it was read. */
  readonly whole: { readonly bytes: Uint8Array; readonly sha256: string } | null;
}

interface OpenFile {
  stat(options: { bigint: true }): Promise<BigIntStats>;
  read(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** The operations that reading a file needs. */
export interface ReadSystem {
  open(path: string, flags: number): Promise<OpenFile>;
  /** null: there is no file of this name. */
  stat(path: string): Promise<BigIntStats | null>;
}

/** For a thread of its own, where a call that waits blocks nothing else. */
export const blockingReads: ReadSystem = {
  async open(path, flags) {
    const file = openSync(path, flags);
    return {
      stat: async (options) => fstatSync(file, options),
      read: async (...where) => ({ bytesRead: readSync(file, ...where) }),
      close: async () => closeSync(file),
    };
  },
  stat: async (path) => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null,
};

/** Each call runs on a thread of the system and blocks nothing else. */
export const waitingReads: ReadSystem = {
  open: openWaiting,
  stat: (path) =>
    statWaiting(path, { bigint: true }).catch((cause: unknown) => {
      if (codeOf(cause) === 'ENOENT') return null;
      throw cause;
    }),
};

/**
 * Opens, reads, hashes and closes a file.
 * @param memory destination of a file larger than `threadFromBytes`; one that does not fit is not read
 */
export async function readWhole(
  path: string,
  memory: SharedPiece | null,
  files: ReadSystem,
): Promise<ReadFile> {
  // Do not follow a link put in the file's place, or wait for a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await files.open(path, flags);
  try {
    const before = await file.stat({ bigint: true });
    const stats = statsOf(before);
    if (!before.isFile() || (await isGenerated(file, before))) return { stats, isSpecial: true, whole: null };
    if (before.size > (memory?.length ?? threadFromBytes)) return { stats, isSpecial: false, whole: null };
    const sizeBytes = Number(before.size);
    const bytes =
      memory && sizeBytes > threadFromBytes ? memory.subarray(0, sizeBytes) : new Uint8Array(sizeBytes);
    const readBytes = await fill(file, bytes);
    // Deleting the file changes nothing that was read; another file under its name counts as a change.
    const after = (await files.stat(path)) ?? (await file.stat({ bigint: true }));
    const isWhole = readBytes === bytes.length && isSameState(stats, after);
    return { stats, isSpecial: false, whole: isWhole ? { bytes, sha256: hash('sha256', bytes) } : null };
  } finally {
    await file.close();
  }
}

/**
 * Whether this regular file (in /proc, and on some file systems) is made as it is read: it says that it has 0 bytes and yields some.
 * It must still say so afterwards: otherwise a program has just filled it.
 */
export async function isGenerated(
  file: Pick<OpenFile, 'stat' | 'read'>,
  { size }: Pick<BigIntStats, 'size'>,
): Promise<boolean> {
  if (size > 0n || (await file.read(new Uint8Array(1), 0, 1, 0)).bytesRead === 0) return false;
  return (await file.stat({ bigint: true })).size === 0n;
}

async function fill(file: OpenFile, bytes: Uint8Array): Promise<number> {
  let filledBytes = 0;
  while (filledBytes < bytes.length) {
    const { bytesRead } = await file.read(bytes, filledBytes, bytes.length - filledBytes, filledBytes);
    if (bytesRead === 0) break;
    filledBytes += bytesRead;
  }
  return filledBytes;
}

export function statsOf({ size, mtimeNs, ino, dev }: BigIntStats): FileStats {
  return { size, mtimeNs, ino, dev };
}
