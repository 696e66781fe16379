import { isUntouched } from '../local-files/file-state.ts';
import { constants, open } from '../local-files/fs.ts';
import type { FoundFile } from './local-copies.ts';

/** Maximum size of one answer. Chromium requests the rest when it needs it (`ResourceMultiBufferDataProvider`). */
const pieceBytes = 2 * 1024 * 1024;

/** A file that a player reads piece by piece. */
export interface PlayedFile extends FoundFile {
  readonly mediaType: string;
}

/** Bytes of a file; null: it has changed since it was found, or is a link. */
export async function readPiece(
  { path, stats }: FoundFile,
  startBytes: number,
  lengthBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => null);
  if (handle === null) return null;
  try {
    const piece = new Uint8Array(lengthBytes);
    const { bytesRead } = await handle.read(piece, 0, lengthBytes, startBytes);
    // Checked after reading, because the file may change meanwhile.
    return isUntouched(stats, await handle.stat({ bigint: true })) ? piece.subarray(0, bytesRead) : null;
  } catch {
    return null; // its drive is gone
  } finally {
    await handle.close();
  }
}

/**
 * Answers a player. Electron's `net.fetch` does not support ranges of a file (electron/electron#38749), which Chromium needs to seek.
 * @param range the request's header: `bytes=0-`, which is what no header means here, or `bytes=100-200`
 */
export async function answerRange(file: PlayedFile, range: string | null): Promise<Response> {
  const sizeBytes = Number(file.stats.size);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? 'bytes=0-') ?? [];
  const start = Number(from);
  const end = Math.min(to ? Number(to) + 1 : sizeBytes, sizeBytes, start + pieceBytes);
  if (from === undefined || start >= end)
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${String(sizeBytes)}` } });
  const piece = await readPiece(file, start, end - start);
  if (piece === null || piece.length === 0) return new Response(null, { status: 404 });
  return new Response(piece, {
    status: 206,
    headers: {
      'accept-ranges': 'bytes',
      'content-length': String(piece.length),
      'content-range': `bytes ${String(start)}-${String(start + piece.length - 1)}/${String(sizeBytes)}`,
      'content-type': file.mediaType,
    },
  });
}
