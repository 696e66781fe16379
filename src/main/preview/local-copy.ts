import type { ObjectRecord } from '../../shared/domain/object.ts';
import { constants, open } from '../local-files/fs.ts';
import { couldBeText, pictureTypeOf, sniffBytes } from './content.ts';

/** Larger files are not read for a thumbnail. */
const maxBytes = 20 * 1024 * 1024;

/**
 * The bytes of an object from the first of these files that still has them, if they could be a picture or text; null: none, or it is too
 * large. Reads only regular files, and follows no link.
 * @param paths absolute
 */
export async function readLocalCopy(
  paths: readonly string[],
  { lengthBytes, sha256 }: Pick<ObjectRecord, 'lengthBytes' | 'sha256'>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (sha256 === null || lengthBytes === null || lengthBytes > maxBytes) return null;
  for (const path of paths) {
    const bytes = await readPreviewable(path, lengthBytes).catch(() => null);
    if (bytes !== null && (await digestOf(bytes)) === sha256) return bytes;
  }
  return null;
}

/** In a thread: 20 MB would hold up the main process. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** @throws an error of the system if it cannot be read */
async function readPreviewable(path: string, sizeBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  // A link may lead anywhere, and a pipe put in the file's place would be waited for.
  const handle = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size !== sizeBytes) return null;
    const bytes = new Uint8Array(sizeBytes);
    const { bytesRead } = await handle.read(bytes, 0, Math.min(sniffBytes, sizeBytes), 0);
    const start = bytes.subarray(0, bytesRead);
    if (pictureTypeOf(start) === null && !couldBeText(start)) return null;
    let readBytes = bytesRead;
    while (readBytes < sizeBytes) {
      const next = await handle.read(bytes, readBytes, sizeBytes - readBytes, readBytes);
      if (next.bytesRead === 0) return null;
      readBytes += next.bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}
