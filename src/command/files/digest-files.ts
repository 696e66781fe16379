import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sourceFailureOf } from '../../main/local-files/file-system.ts';
import { closeSync, constants, fstatSync, open, openSync, readSync } from '../../main/local-files/fs.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { AppError } from '../../shared/errors.ts';
import type { LocalFile } from './find-files.ts';

/** Smaller files are read synchronously, which is much faster for many of them. */
const smallBytes = 256 * 1024;
const pieceBytes = 1024 * 1024;
/** Yields to other work after this many bytes. */
const turnBytes = 4 * 1024 * 1024;
// Do not follow a link put in the file's place, or wait for a pipe.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type Digested<T extends LocalFile> = { readonly file: T } & (
  | { readonly sha256: string }
  | { readonly error: AppError }
);

/** The SHA-256 of each file in hex, in order; a file that changed since it was found has an error. @throws the signal's reason */
export async function* digestFiles<T extends LocalFile>(
  files: Iterable<T>,
  signal: AbortSignal,
): AsyncGenerator<Digested<T>> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let untilTurn = turnBytes;
  for (const file of files) {
    untilTurn -= file.sizeBytes + 4096;
    if (untilTurn < 0) {
      await setImmediate();
      untilTurn = turnBytes;
    }
    signal.throwIfAborted();
    let digested: Digested<T>;
    try {
      const sha256 =
        file.sizeBytes < smallBytes ? digestSmall(file, buffer) : await digestLarge(file, buffer, signal);
      digested = { file, sha256 };
    } catch (cause) {
      signal.throwIfAborted();
      const error = toAppError(sourceFailureOf(cause, file.relative));
      if (!error) throw cause;
      digested = { file, error };
    }
    yield digested;
  }
}

function digestSmall({ path, relative, sizeBytes }: LocalFile, buffer: Buffer): string {
  const file = openSync(path, flags);
  try {
    if (!fstatSync(file).isFile()) throw new AppFailure({ code: 'fileSpecial', fileName: relative });
    let length = 0;
    // Read one byte more, to detect that the file has grown.
    for (let read = -1; read !== 0 && length <= sizeBytes; length += read)
      read = readSync(file, buffer, length, sizeBytes + 1 - length, null);
    if (length !== sizeBytes) throw new AppFailure({ code: 'fileChanged', fileName: relative });
    return hash('sha256', buffer.subarray(0, length), 'hex');
  } finally {
    closeSync(file);
  }
}

async function digestLarge(
  { path, relative, sizeBytes }: LocalFile,
  buffer: Buffer,
  signal: AbortSignal,
): Promise<string> {
  const sum = createHash('sha256');
  const file = await open(path, flags);
  try {
    if (!(await file.stat()).isFile()) throw new AppFailure({ code: 'fileSpecial', fileName: relative });
    let length = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
      sum.update(buffer.subarray(0, bytesRead));
    }
    if (length !== sizeBytes) throw new AppFailure({ code: 'fileChanged', fileName: relative });
    return sum.digest('hex');
  } finally {
    await file.close();
  }
}
