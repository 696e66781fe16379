import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { constants, open, type BigIntStats } from './fs.ts';
import { codeOf, targetFailureOf } from './file-system.ts';
import { pieceBytes } from './buffer-pool.ts';
import {
  inodeAt,
  isSame,
  namesLike,
  placeOver,
  placeUnderFreeName,
  syncFolder,
  unlinkIfSame,
  type Placed,
} from './publish-file.ts';

/** A verified download that does not have its name yet. */
export interface WholeTemporaryFile {
  /** Absolute. */
  readonly temporaryPath: string;
  /** The final name. */
  readonly fileName: string;
  readonly lengthBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Finishes a download that was whole when the process ended: gives the temporary file its name, or finds the file
 * under the name it got. Replaces nothing, unless a person agreed to it. @returns null when neither exists; then
 * nothing of the temporary file is left
 * @throws AppFailure diskFull, folderGone, folderReadOnly; then the temporary file is left as it is
 */
export async function finishTemporaryFile(
  whole: WholeTemporaryFile,
  replaces = false,
): Promise<Placed | null> {
  try {
    return await finish(whole, replaces);
  } catch (cause) {
    throw targetFailureOf(cause, basename(dirname(whole.temporaryPath)));
  }
}

async function finish(whole: WholeTemporaryFile, replaces: boolean): Promise<Placed | null> {
  const { temporaryPath, fileName } = whole;
  const folder = dirname(temporaryPath);
  const temporaryFile = await wholeFileAt(temporaryPath, whole);
  if (temporaryFile && replaces) return placeOver(temporaryPath, folder, fileName);
  // A file with a single name needs no search.
  const candidates = temporaryFile?.nlink === 1n ? [] : await namesLike(folder, fileName).catch(() => []);
  for (const name of candidates) {
    const path = join(folder, name);
    // While the temporary file exists only another name of the same inode matches, else any file with these bytes.
    const isIt = temporaryFile ? isSame(await inodeAt(path), temporaryFile) : await holdsIt(path, whole);
    if (!isIt) continue;
    if (temporaryFile) await unlinkIfSame(temporaryPath, temporaryFile);
    return { path, isDurable: await syncFolder(folder) };
  }
  if (temporaryFile) return placeUnderFreeName(temporaryPath, temporaryFile, folder, fileName);
  await removeTemporaryFile(temporaryPath);
  return null;
}

/** Removes the temporary file that a kill has left. Ignores other names and failures. */
export async function removeTemporaryFile(temporaryPath: string): Promise<void> {
  if (!/.\.[0-9a-f]{8}\.part$/.test(basename(temporaryPath))) return;
  const found = await inodeAt(temporaryPath);
  if (found?.isFile()) await unlinkIfSame(temporaryPath, found);
}

/** false also for a file that cannot be read; it may belong to another user. */
async function holdsIt(path: string, whole: WholeTemporaryFile): Promise<boolean> {
  return (await wholeFileAt(path, whole).catch(() => null)) !== null;
}

/** The file of this name, if it holds exactly these bytes. @throws when it cannot be read */
async function wholeFileAt(
  path: string,
  { lengthBytes, sha256 }: WholeTemporaryFile,
): Promise<BigIntStats | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(codeOf(cause) ?? '')) return null;
    throw cause;
  });
  if (handle === null) return null;
  try {
    const found = await handle.stat({ bigint: true });
    if (!found.isFile() || Number(found.size) !== lengthBytes) return null;
    const hash = createHash('sha256');
    const memory = Buffer.allocUnsafe(Math.min(pieceBytes, lengthBytes));
    for (let doneBytes = 0; doneBytes < lengthBytes;) {
      const { bytesRead } = await handle.read(memory, 0, memory.length, doneBytes);
      if (bytesRead === 0) return null;
      hash.update(memory.subarray(0, bytesRead));
      doneBytes += bytesRead;
    }
    return hash.digest('hex') === sha256 ? found : null;
  } finally {
    await handle.close();
  }
}
