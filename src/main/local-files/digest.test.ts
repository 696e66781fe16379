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

test('hashes many streams at once, with their pieces in any order', async () => {
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

test('a piece may be overwritten once it was added', async () => {
  const digest = openDigest();
  const memory = shared(Buffer.alloc(pieceBytes, 1));
  await digest.add(memory);
  memory.fill(2);
  await digest.add(memory);
  const expected = Buffer.concat([Buffer.alloc(pieceBytes, 1), Buffer.alloc(pieceBytes, 2)]);
  expect(await digest.end()).toBe(sha256Of(expected));
});

test('fails its digests when the thread dies, and starts another for the next ones', async () => {
  const lost = openDigest();
  await lost.add(shared(Buffer.from('a')));
  // A value that cannot be hashed ends the thread, as any unexpected error there would.
  const broken = openDigest().add(5 as never);
  await expect(broken).rejects.toThrow('digest thread');
  await expect(lost.add(shared(Buffer.from('b')))).rejects.toThrow('digest thread');
  await expect(lost.end()).rejects.toThrow('digest thread');
  lost.drop();

  const next = openDigest();
  await next.add(shared(Buffer.from('abc')));
  expect(await next.end()).toBe(sha256Of('abc'));
});

test('ending the thread fails running work; a dropped digest asks for nothing more', async () => {
  const digest = openDigest();
  const dropped = openDigest();
  dropped.drop();
  await dropped.add(shared(Buffer.from('a')));
  const ending = digest.end();
  const closing = closeDigests();
  await expect(ending).rejects.toThrow('digest thread');
  await closing;
});

test('a failure that nobody awaits is no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (cause: unknown) => void unhandled.push(cause);
  process.on('unhandledRejection', note);
  const digest = openDigest();
  const added = digest.add(shared(Buffer.alloc(pieceBytes)));
  const ended = digest.end();
  await closeDigests();
  // Node reports an unhandled rejection only after the turn in which it happened.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await expect(added).rejects.toThrow('digest thread');
  await expect(ended).rejects.toThrow('digest thread');
});
