import type { Readable } from 'node:stream';
import { manifestBeginning, maxManifestBytes, mayBeginLikeManifest } from './manifest.ts';
import { readManifest, type Reading } from './read-manifest.ts';

/** This many bytes tell whether it may be a manifest. */
const sureBytes = manifestBeginning.length;

/** A body whose beginning was read to see what it is. */
export interface Sniffed {
  readonly reading: Reading;
  /** The bytes that were read: all of the body, unless `reading` is `none`. */
  readonly bytes: Uint8Array;
  /** The whole body: what was read, then the rest. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Reads only as much of a body as shows whether it is a manifest, and destroys the rest. */
export async function peekManifest(body: Readable, identifier: string): Promise<Omit<Sniffed, 'pieces'>> {
  const { reading, bytes } = await sniffManifest(body, identifier);
  body.destroy();
  return { reading, bytes };
}

/**
 * Examines the beginning of a body. A body that begins like a manifest is read whole and parsed; of any other, only
 * the first piece is held. Rejects with the body's own error.
 */
export async function sniffManifest(body: Readable, identifier: string): Promise<Sniffed> {
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let isOver = false;

  async function hold(): Promise<void> {
    const next = await source.next();
    if (next.done === true) isOver = true;
    else {
      held.push(next.value);
      heldBytes += next.value.length;
    }
  }
  const start = () => (held.length === 1 ? (held[0] ?? new Uint8Array(0)) : Buffer.concat(held));
  while (!isOver && heldBytes < sureBytes && mayBeginLikeManifest(start())) await hold();
  const isLike = heldBytes >= sureBytes && mayBeginLikeManifest(start().subarray(0, sureBytes));
  while (isLike && !isOver && heldBytes <= maxManifestBytes) await hold();

  const bytes = isOver ? start() : new Uint8Array(0);
  return {
    reading: isLike && isOver ? await readManifest(bytes, identifier) : { kind: 'none' },
    bytes,
    pieces: (async function* () {
      try {
        for (let piece = held.shift(); piece; piece = held.shift()) yield piece;
        while (!isOver) {
          const next = await source.next();
          if (next.done === true) isOver = true;
          else yield next.value;
        }
      } finally {
        // A reader that leaves early frees the connection.
        if (!isOver) body.destroy();
      }
    })(),
  };
}
