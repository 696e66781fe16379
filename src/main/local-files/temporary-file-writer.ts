import { hash } from 'node:crypto';
import { openDigest, type Digest } from './digest.ts';
import { knowsNoSync, type OpenFile, writeAll } from './file-system.ts';
import { borrowPiece, pieceBytes, returnPiece, threadFromBytes, type SharedPiece } from './buffer-pool.ts';

/** Gathers small pieces into writes of 1 MiB, and hashes the same memory. */
export interface TemporaryFileWriter {
  /** Copies the piece; waits only while 2 MiB are being written. */
  write(piece: Uint8Array): Promise<void>;
  /** Ends writing, with everything passed to the system. Resolves with the SHA-256 of all bytes, in hex. */
  finish(): Promise<string>;
  /** Ends writing, after pending writes. */
  stop(): Promise<void>;
}

/** Sync in the background while more arrives, so that the final sync is short. */
const syncEveryBytes = 8 * pieceBytes;

export function createTemporaryFileWriter(handle: OpenFile): TemporaryFileWriter {
  let filling: SharedPiece | null = null;
  let filledBytes = 0;
  let startBytes = 0;
  let digest: Digest | null = null;
  let leaving: Promise<void> = Promise.resolve();
  let isOver = false;
  let finished: Promise<string> | null = null;
  let syncing: Promise<void> | null = null;
  let syncFailure: { readonly cause: unknown } | null = null;

  /** The system reports a write failure once, to the first sync: keep it for the end. */
  function syncAhead(): void {
    syncing ??= handle
      .datasync()
      .catch((cause: unknown) => {
        if (!knowsNoSync(cause)) syncFailure ??= { cause };
      })
      .finally(() => {
        syncing = null;
      });
  }

  /** Writes the gathered bytes, one buffer at a time; resolves when the next buffer may be filled. */
  async function send(hashPiece: (piece: SharedPiece) => Promise<void>): Promise<void> {
    const memory = filling;
    if (memory === null) return leaving;
    const piece = memory.subarray(0, filledBytes);
    const atBytes = startBytes;
    filling = null;
    startBytes += filledBytes;
    filledBytes = 0;
    const before = leaving;
    leaving = (async () => {
      try {
        await before;
        const results = await Promise.allSettled([writeAll(handle, piece, atBytes), hashPiece(piece)]);
        for (const result of results) if (result.status === 'rejected') throw result.reason;
        if ((atBytes + piece.length) % syncEveryBytes === 0) syncAhead();
      } finally {
        returnPiece(memory);
      }
    })();
    // The next write or the end reports it.
    leaving.catch(() => undefined);
    return before;
  }

  const addToDigest = (piece: SharedPiece) => (digest ??= openDigest()).add(piece);

  async function finish(): Promise<string> {
    isOver = true;
    if (startBytes > 0 || filledBytes > threadFromBytes) {
      await send(addToDigest);
      await leaving;
      await syncing;
      if (syncFailure) throw syncFailure.cause;
      return (digest ??= openDigest()).end();
    }
    // A message to the thread costs more than hashing so little.
    const sha256 = hash('sha256', filling?.subarray(0, filledBytes) ?? new Uint8Array(0), 'hex');
    await send(() => Promise.resolve());
    await leaving;
    return sha256;
  }

  return {
    async write(piece) {
      if (isOver) throw new Error('Nothing is written after the end');
      for (let takenBytes = 0; takenBytes < piece.length;) {
        filling ??= borrowPiece();
        const taken = piece.subarray(takenBytes, takenBytes + pieceBytes - filledBytes);
        filling.set(taken, filledBytes);
        filledBytes += taken.length;
        takenBytes += taken.length;
        if (filledBytes === pieceBytes) await send(addToDigest);
      }
    },
    finish: () => (finished ??= finish()),
    async stop() {
      isOver = true;
      await leaving.catch(() => undefined);
      await syncing;
      if (filling) returnPiece(filling);
      filling = null;
      digest?.drop();
    },
  };
}
