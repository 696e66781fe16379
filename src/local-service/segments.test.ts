import { randomBytes } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checksums, encryption, readSegments, writeSegments } from './segments.ts';
import type { Protection } from './segments.ts';
import { makeFolder } from '../../test-support/local-service/test-service.ts';
import { runs } from '../../test-support/runs.ts';

async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes);
}

async function readBack(path: string, lengthBytes: number, protection: Protection): Promise<Buffer> {
  const file = await open(path);
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of readSegments(file, lengthBytes, protection)) pieces.push(piece);
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
}

const lengths = fc.oneof(
  fc.integer({ min: 0, max: 200_000 }),
  fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, 196_608),
);

describe.each([
  ['encryption', encryption(randomBytes(32))],
  ['checksums', checksums],
])('%s', (_name, protection) => {
  test('restores any bytes from pieces of any size', async () => {
    const path = join(await makeFolder(), 'object');
    const property = fc.asyncProperty(
      lengths,
      fc.integer({ min: 1, max: 150_000 }),
      async (length, piece) => {
        const bytes = randomBytes(length);
        await writeFile(path, writeSegments(inPieces(bytes, piece), protection));
        expect((await readBack(path, length, protection)).equals(bytes)).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: runs(60) });
  });

  test('notices a changed byte, a cut, an addition and exchanged segments', async () => {
    const path = join(await makeFolder(), 'object');
    const bytes = randomBytes(3 * 65_536);
    await writeFile(path, writeSegments(inPieces(bytes, 10_000), protection));
    const stored = await readFile(path);
    const segment = 65_536 + 16;

    const expectNoticed = async (changed: Uint8Array, lengthBytes = bytes.length): Promise<void> => {
      await writeFile(path, changed);
      await expect(readBack(path, lengthBytes, protection)).rejects.toBeInstanceOf(Error);
    };
    const property = fc.asyncProperty(fc.integer({ min: 0, max: stored.length - 1 }), async (at) => {
      const changed = Buffer.from(stored);
      changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
      await expectNoticed(changed);
    });
    await fc.assert(property, { numRuns: runs(30) });
    await expectNoticed(stored.subarray(0, -1));
    await expectNoticed(stored.subarray(0, 2 * segment));
    await expectNoticed(stored.subarray(0, 2 * segment), 2 * 65_536);
    await expectNoticed(Buffer.concat([stored, Buffer.alloc(1)]));
    await expectNoticed(
      Buffer.concat([
        stored.subarray(segment, 2 * segment),
        stored.subarray(0, segment),
        stored.subarray(2 * segment),
      ]),
    );
  });
});
