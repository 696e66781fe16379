import type { Readable } from 'node:stream';
import { manifestBeginning, maxManifestBytes, mayBeginLikeManifest } from './manifest.ts';
import { readManifest, type Reading } from './read-manifest.ts';

/** So many bytes say whether it may be one. */
const sureBytes = manifestBeginning.length;

/** A body, of which some was read to see what it is. */
export interface Sniffed {
  readonly reading: Reading;
  /** What was read; all of it, unless `reading` is `none`. */
  readonly bytes: Uint8Array;
  /** The whole body for whoever takes it as a file: what was read, then the rest. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** What a body is, as far as it is a list of parts; the rest of it is not read. */
export async function peekManifest(body: Readable, identifier: string): Promise<Omit<Sniffed, 'pieces'>> {
  const { reading, bytes } = await sniffManifest(body, identifier);
  body.destroy();
  return { reading, bytes };
}

/**
 * Looks at the beginning of a body. What begins like a list is gathered and read; of anything else the first piece is held.
 * Rejects with the body's own error.
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
        // Whoever leaves early frees the connection.
        if (!isOver) body.destroy();
      }
    })(),
  };
}
