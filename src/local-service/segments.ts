import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/**
 * The file format of objects: segments of 64 KiB, each followed by a 16-byte tag over its bytes, its number and
 * whether it is the last. With a single GCM tag at the end, 50 MB would be sent before they are verified; this way
 * each segment is verified before it is sent, and missing, moved or truncated ones are detected.
 */
const segmentBytes = 64 * 1024;
const tagBytes = 16;

/** The content differs from what was stored. */
export class CorruptObject extends Error {
  override readonly name = 'CorruptObject';
}

/** A way to protect segments. The position has 12 bytes and is unique within an object. */
export type Protection = {
  protect(position: Uint8Array, plain: Uint8Array): { bytes: Uint8Array; tag: Uint8Array };
  /** Throws if bytes, tag and position do not match. */
  recover(position: Uint8Array, bytes: Uint8Array, tag: Uint8Array): Uint8Array;
};

/** AES-256-GCM with the position as nonce: use each key for one object only. */
export function encryption(objectKey: Uint8Array): Protection {
  return {
    protect(position, plain) {
      const cipher = createCipheriv('aes-256-gcm', objectKey, position);
      const bytes = cipher.update(plain);
      cipher.final();
      return { bytes, tag: cipher.getAuthTag() };
    },
    recover(position, bytes, tag) {
      const decipher = createDecipheriv('aes-256-gcm', objectKey, position, { authTagLength: tagBytes });
      decipher.setAuthTag(tag);
      const plain = decipher.update(bytes);
      decipher.final();
      return plain;
    },
  };
}

/** Plain bytes with a truncated SHA-256: detects accidents, not attacks. */
export const checksums: Protection = {
  protect: (position, plain) => ({ bytes: plain, tag: checksum(position, plain) }),
  recover(position, bytes, tag) {
    if (!timingSafeEqual(checksum(position, bytes), tag)) throw new CorruptObject();
    return bytes;
  },
};

function checksum(position: Uint8Array, plain: Uint8Array): Uint8Array {
  return createHash('sha256').update(position).update(plain).digest().subarray(0, tagBytes);
}

function positionOf(index: number, isLast: boolean): Uint8Array {
  const position = Buffer.alloc(12);
  position.writeUInt32BE(index, 7);
  position[11] = isLast ? 1 : 0;
  return position;
}

function countSegments(lengthBytes: number): number {
  return Math.max(1, Math.ceil(lengthBytes / segmentBytes));
}

/** The file content of an object, from its bytes in pieces of any size. An empty object is one empty segment. */
export async function* writeSegments(
  source: AsyncIterable<Uint8Array>,
  protection: Protection,
): AsyncGenerator<Uint8Array> {
  const segment = Buffer.allocUnsafe(segmentBytes);
  let filledBytes = 0;
  let index = 0;

  function* finishSegment(isLast: boolean): Generator<Uint8Array> {
    const { bytes, tag } = protection.protect(positionOf(index, isLast), segment.subarray(0, filledBytes));
    yield bytes;
    yield tag;
    index += 1;
    filledBytes = 0;
  }

  for await (const chunk of source) {
    for (let takenBytes = 0; takenBytes < chunk.length;) {
      // Only if more bytes follow is a full segment known not to be the last.
      if (filledBytes === segmentBytes) yield* finishSegment(false);
      const piece = chunk.subarray(takenBytes, takenBytes + segmentBytes - filledBytes);
      segment.set(piece, filledBytes);
      filledBytes += piece.length;
      takenBytes += piece.length;
    }
  }
  yield* finishSegment(true);
}

/** The object's bytes from its file, segment by segment. Throws at the first one that differs from what was written. */
export async function* readSegments(
  file: FileHandle,
  lengthBytes: number,
  protection: Protection,
): AsyncGenerator<Uint8Array> {
  const count = countSegments(lengthBytes);
  if ((await file.stat()).size !== lengthBytes + count * tagBytes) throw new CorruptObject();

  for (let index = 0; index < count; index += 1) {
    const plainBytes = Math.min(segmentBytes, lengthBytes - index * segmentBytes);
    const stored = Buffer.allocUnsafe(plainBytes + tagBytes);
    const { bytesRead } = await file.read(stored, 0, stored.length, index * (segmentBytes + tagBytes));
    if (bytesRead !== stored.length) throw new CorruptObject();
    const position = positionOf(index, index === count - 1);
    const plain = protection.recover(position, stored.subarray(0, plainBytes), stored.subarray(plainBytes));
    if (plain.length > 0) yield plain;
  }
}
