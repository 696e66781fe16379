import { isUntouched } from '../local-files/file-state.ts';
import { constants, open } from '../local-files/fs.ts';
import type { FoundFile } from '../local-files/local-copies.ts';

/** Bytes read at a time, when the player wants more. */
const pieceBytes = 256 * 1024;

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

/** Opens the file anew for each piece, so that an answer that nobody reads to its end keeps nothing open. */
async function* readPieces(file: FoundFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const piece = await readPiece(file, at, Math.min(pieceBytes, end - at));
    if (piece === null || piece.length === 0) throw new Error('the file has changed since it was found');
    yield piece;
    at += piece.length;
  }
}

/**
 * Answers a player with everything from where it asks. Outside http Chromium ignores status and `content-range`: for it a file ends
 * `content-length` bytes after the start of the range (`ResourceMultiBufferDataProvider::DidReceiveResponse`), so a shorter answer would end
 * the file. It stops reading when it has enough, and seeks by another request. Electron's `net.fetch` answers no ranges of a file
 * (electron/electron#38749).
 * @param range the request's header: `bytes=0-`, which is what no header means here, or `bytes=100-200`
 */
export async function answerRange(file: PlayedFile, range: string | null): Promise<Response> {
  const sizeBytes = Number(file.stats.size);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? 'bytes=0-') ?? [];
  const start = Number(from);
  const end = Math.min(to ? Number(to) + 1 : sizeBytes, sizeBytes);
  if (from === undefined || start >= end)
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${String(sizeBytes)}` } });
  if ((await readPiece(file, start, 1)) === null) return new Response(null, { status: 404 });
  // Reads nothing ahead: its `highWaterMark` is 0.
  return new Response(ReadableStream.from(readPieces(file, start, end)), {
    status: 206,
    headers: {
      'accept-ranges': 'bytes',
      'content-length': String(end - start),
      'content-range': `bytes ${String(start)}-${String(end - 1)}/${String(sizeBytes)}`,
      'content-type': file.mediaType,
    },
  });
}
