import { hash } from 'node:crypto';
import { codeOf } from './failures.ts';
import { isSameState, type FileStats } from './file-state.ts';
import { threadFromBytes, type SharedPiece } from './buffer-pool.ts';
import { hostWorker } from './worker-host.ts';
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from './fs.ts';

/** `path` is absolute. */
export type ReadOrder = { readonly id: number; readonly path: string } & (
  | {
      readonly kind: 'read';
      /** Destination of a file larger than `threadFromBytes`; one that does not fit is not read. */
      readonly memory: SharedPiece | null;
    }
  | { readonly kind: 'stat' }
);

export interface ReadFile {
  readonly stats: FileStats;
  /** A link, a folder, a pipe, or a file that is generated when it is read. */
  readonly isSpecial: boolean;
  /** null: it is special, larger, or was changed while it was read. */
  readonly whole: { readonly bytes: Uint8Array; readonly sha256: string } | null;
}

/** `code` is that of the file system. */
export type ReadAnswer = { readonly id: number } & (
  | { readonly file: ReadFile }
  | { readonly stats: FileStats | null }
  | { readonly code: string | undefined; readonly message: string }
);

function read(path: string, memory: SharedPiece | null): ReadFile {
  // Do not follow a link put in the file's place, or wait for a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = openSync(path, flags);
  try {
    const before = fstatSync(file, { bigint: true });
    const stats = statsOf(before);
    const isMadeUp = before.isFile() && before.size === 0n && readSync(file, new Uint8Array(1)) > 0;
    if (!before.isFile() || isMadeUp) return { stats, isSpecial: true, whole: null };
    if (before.size > (memory?.length ?? threadFromBytes)) return { stats, isSpecial: false, whole: null };
    const sizeBytes = Number(before.size);
    const bytes =
      memory && sizeBytes > threadFromBytes ? memory.subarray(0, sizeBytes) : new Uint8Array(sizeBytes);
    const readBytes = fill(file, bytes);
    // Deleting the file changes nothing that was read; another file under its name counts as a change.
    const after =
      statSync(path, { bigint: true, throwIfNoEntry: false }) ?? fstatSync(file, { bigint: true });
    const isWhole = readBytes === bytes.length && isSameState(stats, after);
    return { stats, isSpecial: false, whole: isWhole ? { bytes, sha256: hash('sha256', bytes) } : null };
  } finally {
    closeSync(file);
  }
}

function fill(file: number, bytes: Uint8Array): number {
  let filledBytes = 0;
  while (filledBytes < bytes.length) {
    const count = readSync(file, bytes, filledBytes, bytes.length - filledBytes, filledBytes);
    if (count === 0) break;
    filledBytes += count;
  }
  return filledBytes;
}

function statsOf({ size, mtimeNs, ino, dev }: BigIntStats): FileStats {
  return { size, mtimeNs, ino, dev };
}

hostWorker<ReadOrder, ReadAnswer>((order, answer) => {
  const { id, path } = order;
  try {
    if (order.kind === 'stat') {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      return answer({ id, stats: stats ? statsOf(stats) : null });
    }
    const file = read(path, order.memory);
    const buffer = file.whole?.bytes.buffer;
    answer({ id, file }, buffer instanceof ArrayBuffer ? [buffer] : []);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    answer({ id, code: codeOf(cause), message });
  }
});
