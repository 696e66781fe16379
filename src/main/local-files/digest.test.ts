import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { closeDigests, openDigest } from './digest.ts';
import { pieceBytes } from './buffer-pool.ts';
import { distinctBytes, sha256Of } from '../../../test-support/main/local-files/testing.ts';

afterAll(() => closeDigests());

function shared(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const memory = new Uint8Array(new SharedArrayBuffer(pieceBytes)).subarray(0, bytes.length);
  memory.set(bytes);
  return memory;
}

test('many streams at once, in any order of pieces, each its own digest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 40 }), async (order) => {
      const streams = Array.from({ length: 5 }, () => ({ digest: openDigest(), bytes: [] as Buffer[] }));
      for (const index of order) {
        const piece = distinctBytes(1 + index * 100);
        const stream = streams[index];
        stream?.bytes.push(piece);
        void stream?.digest.add(shared(piece));
      }
      for (const { digest, bytes } of streams)
        expect(await digest.end()).toBe(sha256Of(Buffer.concat(bytes)));
    }),
    { numRuns: 20 },
  );
});

test('a piece may be written over when it was added', async () => {
  const digest = openDigest();
  const memory = shared(Buffer.alloc(pieceBytes, 1));
  await digest.add(memory);
  memory.fill(2);
  await digest.add(memory);
  const expected = Buffer.concat([Buffer.alloc(pieceBytes, 1), Buffer.alloc(pieceBytes, 2)]);
  expect(await digest.end()).toBe(sha256Of(expected));
});

test('when the thread dies its digests fail, and the next ones work', async () => {
  const lost = openDigest();
  await lost.add(shared(Buffer.from('a')));
  // What cannot be hashed ends the thread, as anything unforeseen there would.
  const broken = openDigest().add(5 as never);
  await expect(broken).rejects.toThrow('digest thread');
  await expect(lost.add(shared(Buffer.from('b')))).rejects.toThrow('digest thread');
  await expect(lost.end()).rejects.toThrow('digest thread');
  lost.drop();

  const next = openDigest();
  await next.add(shared(Buffer.from('abc')));
  expect(await next.end()).toBe(sha256Of('abc'));
});

test('ending the thread fails what is under way; a dropped digest asks for nothing more', async () => {
  const digest = openDigest();
  const dropped = openDigest();
  dropped.drop();
  await dropped.add(shared(Buffer.from('a')));
  const ending = digest.end();
  const closing = closeDigests();
  await expect(ending).rejects.toThrow('digest thread');
  await closing;
});

test('what nobody waits for fails without being an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (cause: unknown) => void unhandled.push(cause);
  process.on('unhandledRejection', note);
  const digest = openDigest();
  const added = digest.add(shared(Buffer.alloc(pieceBytes)));
  const ended = digest.end();
  await closeDigests();
  // Node tells of it when the turn in which it was rejected is over.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await expect(added).rejects.toThrow('digest thread');
  await expect(ended).rejects.toThrow('digest thread');
});
