import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { constants, open, type BigIntStats } from './fs.ts';
import { codeOf, targetFailureOf } from './failures.ts';
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

/** A part that only lacked its name. */
export interface WholeTemporaryFile {
  /** Absolute. */
  readonly temporaryPath: string;
  /** The name it is to get. */
  readonly fileName: string;
  readonly lengthBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * A download that was whole when everything ended: gives the part its name, or finds the file under the one it got. Nothing
 * is replaced, unless a person agreed to it. @returns null when neither is there; then nothing of the part is left
 * @throws AppFailure diskFull, folderGone, folderReadOnly; then the part is left as it is
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
  const part = await wholeFileAt(temporaryPath, whole);
  if (part && replaces) return placeOver(temporaryPath, folder, fileName);
  // One that has no other name needs no search.
  const candidates = part?.nlink === 1n ? [] : await namesLike(folder, fileName).catch(() => []);
  for (const name of candidates) {
    const path = join(folder, name);
    // With the part still there only another name of the same file is meant, else any file that holds these bytes.
    const isIt = part ? isSame(await inodeAt(path), part) : await holdsIt(path, whole);
    if (!isIt) continue;
    if (part) await unlinkIfSame(temporaryPath, part);
    return { path, isDurable: await syncFolder(folder) };
  }
  if (part) return placeUnderFreeName(temporaryPath, part, folder, fileName);
  await removeLeftover(temporaryPath);
  return null;
}

/** What a kill has left of a download. Only what has a part's name is taken away; what cannot be is left. */
export async function removeLeftover(temporaryPath: string): Promise<void> {
  if (!/.\.[0-9a-f]{8}\.part$/.test(basename(temporaryPath))) return;
  const found = await inodeAt(temporaryPath);
  if (found?.isFile()) await unlinkIfSame(temporaryPath, found);
}

/** A file that cannot be read, somebody else's perhaps, is not it. */
async function holdsIt(path: string, whole: WholeTemporaryFile): Promise<boolean> {
  return (await wholeFileAt(path, whole).catch(() => null)) !== null;
}

/** The file of this name, when it holds just these bytes. @throws when it cannot be read */
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
