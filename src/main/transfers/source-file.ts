import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { AppFailure } from '../../shared/errors.ts';

/** A file on its way out, opened once. */
export interface SourceFile {
  readonly sizeBytes: number;
  /**
   * The file's bytes, once, hashed on the way, as fast as they are taken. @throws AppFailure fileChanged before the last piece
   * when it is not the same any more: a service that never gets a whole body stores nothing. fileUnreadable.
   */
  read(onRead: (doneBytes: number) => void): AsyncGenerator<Uint8Array>;
  /** SHA-256 in hex; null until everything was read. */
  sha256(): string | null;
  /** Size, time of change, or the file under this name are not what they were when it was opened. */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}

const pieceBytes = 256 * 1024;

/**
 * @param expected what it was when the person saw it; null: no matter
 * @throws AppFailure fileGone, fileUnreadable, fileSpecial, fileChanged
 */
export async function openSource(
  path: string,
  fileName: string,
  expected: { sizeBytes: number; mtimeMs: number } | null,
): Promise<SourceFile> {
  // Neither a link put in the file's place is followed, nor is a pipe waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((cause: unknown) => {
    throw failureOf(cause, fileName);
  });
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new AppFailure({ code: 'fileSpecial', fileName });
    if (expected && !isAsExpected(before, expected)) throw new AppFailure({ code: 'fileChanged', fileName });
    return createSource(handle, before, path, fileName);
  } catch (cause) {
    await handle.close();
    throw cause instanceof AppFailure ? cause : failureOf(cause, fileName);
  }
}

function createSource(handle: FileHandle, before: BigIntStats, path: string, fileName: string): SourceFile {
  const sizeBytes = Number(before.size);
  const hash = createHash('sha256');
  let sha256 = sizeBytes === 0 ? hash.digest('hex') : null;

  async function hasChanged(): Promise<boolean> {
    const now = await handle.stat({ bigint: true });
    if (now.size !== before.size || now.mtimeNs !== before.mtimeNs) return true;
    // A name that is gone is no change of what was read; another file under it is.
    const named = await stat(path, { bigint: true }).catch(() => null);
    return named !== null && (named.ino !== before.ino || named.dev !== before.dev);
  }

  return {
    sizeBytes,
    hasChanged,
    sha256: () => sha256,
    close: () => handle.close(),
    async *read(onRead) {
      try {
        for (let doneBytes = 0; doneBytes < sizeBytes;) {
          const wantedBytes = Math.min(pieceBytes, sizeBytes - doneBytes);
          const { bytesRead, buffer } = await handle.read(
            Buffer.allocUnsafe(wantedBytes),
            0,
            wantedBytes,
            doneBytes,
          );
          doneBytes += bytesRead;
          const isLast = doneBytes === sizeBytes;
          if (bytesRead === 0 || (isLast && (await hasChanged())))
            throw new AppFailure({ code: 'fileChanged', fileName });
          const piece = buffer.subarray(0, bytesRead);
          hash.update(piece);
          if (isLast) sha256 = hash.digest('hex');
          yield piece;
          onRead(doneBytes);
        }
      } catch (cause) {
        throw cause instanceof AppFailure ? cause : failureOf(cause, fileName);
      }
    },
  };
}

/** Times are compared to the millisecond: not everything that carries them keeps more. */
function isAsExpected(now: BigIntStats, expected: { sizeBytes: number; mtimeMs: number }): boolean {
  return (
    Number(now.size) === expected.sizeBytes && Math.abs(Number(now.mtimeNs) / 1e6 - expected.mtimeMs) < 1.001
  );
}

function failureOf(cause: unknown, fileName: string): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
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
