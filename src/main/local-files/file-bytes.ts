import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { codeOf, targetFailureOf } from './file-system.ts';
import { isUntouched } from './file-state.ts';
import { syncFolder } from './publish-file.ts';
import { markFile, webMarkOf } from './web-mark.ts';
import { constants, lstat, open, unlink, type BigIntStats, type FileHandle } from './fs.ts';

const pieceBytes = 1024 * 1024;

interface ReadBytes {
  readonly lengthBytes: number;
  readonly sha256: string;
  readonly stats: BigIntStats;
}

/** The file's current state; null: missing or unreadable. Does not follow links. */
export async function statOf(path: string): Promise<BigIntStats | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats?.isFile() ? stats : null;
}

/** Does nothing if the file does not exist. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    if (codeOf(cause) !== 'ENOENT') throw cause;
  });
}

/** Length and digest of a file that does not change while it is read; null: it changed, or cannot be read now. */
export async function digestOf(path: string): Promise<ReadBytes | null> {
  return readWhole(path, () => Promise.resolve());
}

/**
 * Copies a file whose content is still `expected` to a new file that only its owner can read, durably; null: the
 * content changed, and no copy remains.
 * @param goesOut another program gets it, so it is marked as a file from elsewhere
 * @throws AppFailure diskFull, folderGone, folderReadOnly
 */
export async function copyBytes(
  path: string,
  expected: Pick<ReadBytes, 'sha256'>,
  target: string,
  goesOut = false,
): Promise<BigIntStats | null> {
  return makeFile(target, goesOut, async (write) => {
    const read = await readWhole(path, write);
    return read?.sha256 === expected.sha256 ? read.stats : null;
  });
}

/** Writes a new file that only its owner can read, durably, for another program: marked as in `copyBytes`. @throws AppFailure diskFull, folderGone, folderReadOnly */
export async function writeBytes(target: string, bytes: Uint8Array): Promise<void> {
  await makeFile(target, true, async (write) => {
    await write(bytes);
    return bytes;
  });
}

/** @param fill writes the content; null: discard it, so that no file remains */
async function makeFile<T extends object>(
  target: string,
  goesOut: boolean,
  fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<T | null>,
): Promise<T | null> {
  // Left by an earlier attempt or a kill.
  await removeFile(target);
  const failed = (cause: unknown) => {
    throw targetFailureOf(cause, basename(dirname(target)));
  };
  const out = await open(target, 'wx', 0o600).catch(failed);
  let isWhole = false;
  try {
    const mark = goesOut ? webMarkOf() : undefined;
    if (mark) await markFile(target, mark);
    const filled = await fill((piece) => out.appendFile(piece).catch(failed));
    isWhole = filled !== null;
    if (isWhole) await out.sync().catch(failed);
    return filled;
  } finally {
    await out.close();
    if (isWhole) await syncFolder(dirname(target));
    else await removeFile(target);
  }
}

async function readWhole(
  path: string,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<ReadBytes | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => null);
  if (handle === null) return null;
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) return null;
    const hash = createHash('sha256');
    let lengthBytes = 0;
    for await (const piece of piecesOf(handle)) {
      hash.update(piece);
      lengthBytes += piece.length;
      await take(piece);
    }
    const [after, now] = [await handle.stat({ bigint: true }), await statOf(path)];
    const isStill = isUntouched(before, after) && now !== null && isUntouched(before, now);
    return isStill && BigInt(lengthBytes) === before.size
      ? { sha256: hash.digest('hex'), lengthBytes, stats: before }
      : null;
  } finally {
    await handle.close();
  }
}

/** Each piece is valid until the next one is requested. Stops where the file cannot be read. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes).catch((cause: unknown) => {
      // Locked by a program, or its disk is missing: read again later.
      if (codeOf(cause) === undefined) throw cause;
      return { bytesRead: 0 };
    });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
