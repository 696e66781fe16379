import { untilAborted } from '../lib/async.ts';
import { openDigest } from './digest.ts';
import { borrowPiece, pieceBytes, returnPiece, type SharedPiece } from './buffer-pool.ts';
import type { FileIdentity } from './file-state.ts';

export interface PiecesOptions {
  readonly sizeBytes: number;
  /** Reads from `startBytes` until the memory is full. */
  readonly fill: (memory: Uint8Array, startBytes: number) => Promise<void>;
  /** Awaited before the last piece. */
  readonly beforeLast: () => Promise<void>;
  /** Called before the last piece, with the digest of all of them. */
  readonly onDigest: (sha256: Promise<string>) => void;
  readonly take?: ((bytes: number) => Promise<void> | undefined) | undefined;
  readonly onProgress: (doneBytes: number) => void;
  readonly signal: AbortSignal;
}

/** One piece is being sent, one has just been sent, one is being read. */
const ringPieces = 3;

interface Place {
  readonly memory: SharedPiece;
  hashed: Promise<void>;
}

/**
 * Yields pieces of 1 MiB, read ahead while the previous one is sent, and hashed by another thread in the same memory.
 * That memory is reused only after the next piece was requested: by then a piece must have been sent.
 */
export async function* readPieces(options: PiecesOptions): AsyncGenerator<Uint8Array> {
  const { sizeBytes, fill, beforeLast, onDigest, take, onProgress, signal } = options;
  const digest = openDigest();
  const lastIndex = Math.ceil(sizeBytes / pieceBytes) - 1;
  const ring = Array.from({ length: Math.min(ringPieces, lastIndex + 1) }, (): Place => ({
    memory: borrowPiece(),
    hashed: Promise.resolve(),
  }));
  const placeOf = (index: number) => ring[index % ring.length] as Place;

  async function read(index: number): Promise<Uint8Array> {
    const place = placeOf(index);
    await place.hashed;
    const startBytes = index * pieceBytes;
    const piece = place.memory.subarray(0, Math.min(pieceBytes, sizeBytes - startBytes));
    await fill(piece, startBytes);
    place.hashed = digest.add(piece);
    return piece;
  }

  let reading = read(0);
  let out: Place | null = null;
  try {
    for (let index = 0; index < lastIndex; index += 1) {
      const piece = await untilAborted(reading, signal);
      reading = read(index + 1);
      // Awaited in the next round, which may never come.
      reading.catch(() => undefined);
      await untilAborted(take?.(piece.length), signal);
      out = placeOf(index);
      yield piece;
      out = null;
      onProgress((index + 1) * pieceBytes);
    }
    // There is no sign that the last piece has been sent, so it gets memory of its own.
    const last = Buffer.from(await untilAborted(reading, signal));
    await untilAborted(take?.(last.length), signal);
    await untilAborted(beforeLast(), signal);
    onDigest(digest.end());
    yield last;
    onProgress(sizeBytes);
  } finally {
    digest.drop();
    const unsent = ring.filter((place) => place !== out);
    void reading
      .catch(() => undefined)
      .then(() => {
        for (const { memory, hashed } of unsent)
          void hashed.finally(() => returnPiece(memory)).catch(() => undefined);
      });
  }
}

export interface BodyOptions {
  /** Called before each piece, and awaited when it returns a promise (bandwidth). */
  readonly take?: ((bytes: number) => Promise<void> | undefined) | undefined;
  /** Bytes that have been sent: all before the requested piece. A single buffer counts when it is returned. */
  readonly onProgress: (doneBytes: number) => void;
  /** Ends the body with its reason. */
  readonly signal: AbortSignal;
}

/** A file, or a slice of one, to be sent; opened once. */
export interface SourceFile {
  /** Of the file, or of the slice. */
  readonly sizeBytes: number;
  readonly identity: FileIdentity;
  /**
   * The bytes, hashed as they are read: one buffer up to 1 MiB, else pieces of 1 MiB as fast as they are consumed. A
   * piece's memory is reused after the next one was requested, so it must have been sent by then. @throws AppFailure
   * fileChanged before the last piece when the file has changed (a service that never gets a whole body stores
   * nothing), fileUnreadable
   */
  body(options: BodyOptions): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
  /** In hex, of exactly what the last body yielded; null until it has yielded everything. */
  sha256(): Promise<string | null>;
  /** Whether the size, modification time, or file under this name differ from when it was opened. */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}
