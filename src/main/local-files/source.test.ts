import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { openSource } from './source.ts';
import type { BodyOptions, SourceFile } from './source-file.ts';
import {
  distinctBytes,
  errorOf,
  openFilesIn,
  sha256Of,
} from '../../../test-support/main/local-files/testing.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { listOpenFilesBelow } from '../../../test-support/main/transfers/open-files.ts';
import { runs } from '../../../test-support/runs.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeTestFolder();
  path = join(folder, 'a.bin');
});

const quiet = (): BodyOptions => ({ onProgress: () => undefined, signal: new AbortController().signal });

/** Examines each piece only just before it requests the next one, as a connection may. */
async function collect(
  source: SourceFile,
  options = quiet(),
  pace: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Buffer> {
  const body = await source.body(options);
  if (body instanceof Uint8Array) return Buffer.from(body);
  const pieces: Buffer[] = [];
  for await (const piece of body) {
    await pace();
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

async function withSource<T>(
  work: (source: SourceFile) => Promise<T>,
  ...rest: [expected?: Parameters<typeof openSource>[2], slice?: Parameters<typeof openSource>[3]]
): Promise<T> {
  const source = await openSource(path, 'a.bin', rest[0] ?? null, rest[1]);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

const nearPieces = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 5), fc.constantFrom(-1, 0, 1, 777))
  .map(([pieces, more]) => Math.max(0, pieces * mebibyte + more));

test('the worlds see which sources are open: they close those of a killed process', async () => {
  await writeFile(path, 'a');
  const source = await openSource(path, 'a.bin', null);
  expect(listOpenFilesBelow(folder)).toEqual([path]);
  await source.close();
  expect(listOpenFilesBelow(folder)).toEqual([]);
});

describe('the body', () => {
  test('yields every size whole with its digest, at any pace', async () => {
    await fc.assert(
      fc.asyncProperty(nearPieces, fc.array(fc.nat(3), { maxLength: 6 }), async (sizeBytes, pauses) => {
        const bytes = distinctBytes(sizeBytes);
        await writeFile(path, bytes);
        await withSource(async (source) => {
          const progress: number[] = [];
          let turn = 0;
          const taken: number[] = [];
          expect(await source.sha256()).toBeNull();
          const options: BodyOptions = {
            ...quiet(),
            onProgress: (doneBytes) => progress.push(doneBytes),
            take: (takenBytes) => {
              taken.push(takenBytes);
              return taken.length % 2 === 0 ? setImmediate() : undefined;
            },
          };
          const got = await collect(source, options, () => setTimeout(pauses[turn++ % 6] ?? 0));
          expect(got.equals(bytes)).toBe(true);
          expect(await source.sha256()).toBe(sha256Of(bytes));
          expect(source.sizeBytes).toBe(sizeBytes);
          expect(progress.at(-1)).toBe(sizeBytes);
          expect(progress).toEqual(progress.toSorted((one, other) => one - other));
          expect(taken.reduce((sum, each) => sum + each, 0)).toBe(sizeBytes);
        });
      }),
      { numRuns: runs(25) },
    );
  });

  test('yields one buffer up to 1 MiB, and pieces above', async () => {
    await writeFile(path, distinctBytes(mebibyte + 1));
    await withSource(async (source) => expect(await source.body(quiet())).not.toBeInstanceOf(Uint8Array));
    await truncate(path, mebibyte);
    await withSource(async (source) => expect(await source.body(quiet())).toBeInstanceOf(Uint8Array));
  });

  test('slices add up to the file', async () => {
    const bytes = distinctBytes(3 * mebibyte);
    await writeFile(path, bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(3 * mebibyte), fc.nat(3 * mebibyte), async (one, other) => {
        const [startBytes, endBytes] = [Math.min(one, other), Math.max(one, other)];
        const slice = { offsetBytes: startBytes, lengthBytes: endBytes - startBytes };
        const part = bytes.subarray(startBytes, endBytes);
        await withSource(
          async (source) => {
            expect((await collect(source)).equals(part)).toBe(true);
            expect(await source.sha256()).toBe(sha256Of(part));
            expect(source.sizeBytes).toBe(part.length);
            expect(source.identity.sizeBytes).toBe(bytes.length);
          },
          null,
          slice,
        );
      }),
      { numRuns: runs(15) },
    );
    expect(await errorOf(withSource(collect, null, { offsetBytes: bytes.length, lengthBytes: 1 }))).toEqual({
      code: 'fileChanged',
      fileName: 'a.bin',
    });
  });

  test('many at once share the memory and not the bytes', { tags: 'all' }, async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const bytes = distinctBytes(3 * mebibyte + index);
        const each = join(folder, `${index}`);
        await writeFile(each, bytes);
        return { each, bytes };
      }),
    );
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        files.map(async ({ each, bytes }, index) => {
          const source = await openSource(each, 'x', null);
          const got = await collect(source, quiet(), () => setTimeout(index % 4));
          expect(got.equals(bytes)).toBe(true);
          expect(await source.sha256()).toBe(sha256Of(bytes));
          await source.close();
        }),
      );
    }
  });

  test('never overwrites a piece that may not have been sent', async () => {
    const bytes = distinctBytes(3 * mebibyte);
    await writeFile(path, bytes);
    let stillOut: Uint8Array = new Uint8Array(0);
    await withSource(async (source) => {
      for await (const piece of (await source.body(quiet())) as AsyncIterable<Uint8Array>) {
        // The request ended here; its connection may still hold the piece.
        stillOut = piece;
        break;
      }
    });
    await setTimeout(20);
    await writeFile(path, distinctBytes(8 * mebibyte));
    await withSource(collect);
    expect(bytes.subarray(0, mebibyte).equals(stillOut)).toBe(true);
  });
});

describe('what cannot be sent', () => {
  test('gone, a folder, a link', async () => {
    const open = () => errorOf(openSource(path, 'a.bin', null));
    expect(await open()).toEqual({ code: 'fileGone', fileName: 'a.bin' });
    await mkdir(path);
    expect(await open()).toEqual({ code: 'fileSpecial', fileName: 'a.bin' });
    await rm(path, { recursive: true });
    await writeFile(join(folder, 'real'), 'x');
    await symlink(join(folder, 'real'), path);
    expect(await open()).toEqual({ code: 'fileSpecial', fileName: 'a.bin' });
    expect(await openFilesIn(folder)).toEqual([]);
  });

  // Windows has none among its files.
  test.skipIf(process.platform === 'win32')('a pipe', async () => {
    execFileSync('mkfifo', [path]);
    expect(await errorOf(openSource(path, 'a.bin', null))).toEqual({
      code: 'fileSpecial',
      fileName: 'a.bin',
    });
    expect(await openFilesIn(folder)).toEqual([]);
  });

  test('an empty file is one, and yields nothing', async () => {
    await writeFile(path, '');
    expect(await withSource(collect)).toEqual(Buffer.alloc(0));
  });

  test.runIf(process.platform === 'linux')('a file that reports 0 bytes and yields some', async () => {
    expect(await errorOf(openSource('/proc/self/status', 'status', null))).toEqual({
      code: 'fileSpecial',
      fileName: 'status',
    });
  });
});

describe('a file that has changed', () => {
  const changed = { code: 'fileChanged', fileName: 'a.bin' };

  test('since a person saw it', async () => {
    await writeFile(path, 'abc');
    const { mtimeMs, ino } = await stat(path);
    const seen = { sizeBytes: 3, mtimeMs, inode: String(ino) };
    await withSource(async (source) => expect(source.identity).toEqual(seen), seen);
    await withSource(() => Promise.resolve(), { sizeBytes: 3, mtimeMs: Math.round(mtimeMs) });
    for (const other of [
      { ...seen, sizeBytes: 4 },
      { ...seen, mtimeMs: mtimeMs - 2 },
      { ...seen, inode: '1' },
    ])
      expect(await errorOf(openSource(path, 'a.bin', other))).toEqual(changed);
  });

  test.each([
    ['cut short', (at: string) => truncate(at, 1000)],
    ['longer', (at: string) => appendFile(at, 'x')],
    ['written to', (at: string) => utimes(at, 1, 1)],
    [
      'replaced',
      async (at: string) => {
        await writeFile(`${at}.new`, distinctBytes(4 * mebibyte));
        await rename(`${at}.new`, at);
      },
    ],
  ])('%s while it is sent, it stops before the last piece', async (_name, change) => {
    await writeFile(path, distinctBytes(4 * mebibyte));
    await withSource(async (source) => {
      let gotBytes = 0;
      let isChanged = false;
      const reading = (async () => {
        for await (const piece of (await source.body(quiet())) as AsyncIterable<Uint8Array>) {
          gotBytes += piece.length;
          if (!isChanged) await change(path);
          isChanged = true;
        }
      })();
      expect(await errorOf(reading)).toEqual(changed);
      expect(gotBytes).toBeLessThan(4 * mebibyte);
      expect(await source.sha256()).toBeNull();
      expect(await source.hasChanged()).toBe(true);
    });
  });

  test('yields nothing of a small one', async () => {
    await writeFile(path, 'abc');
    await withSource(async (source) => {
      await truncate(path, 1);
      expect(await errorOf(source.body(quiet()))).toEqual(changed);
      expect(await source.sha256()).toBeNull();
    });
  });

  test('does not count a deleted name as a change', async () => {
    await writeFile(path, distinctBytes(2 * mebibyte));
    await withSource(async (source) => {
      await rm(path);
      expect(await collect(source)).toHaveLength(2 * mebibyte);
      expect(await source.hasChanged()).toBe(false);
    });
  });
});

test('an abort ends the body with its reason, whatever else fails', async () => {
  for (const sizeBytes of [10, 2 * mebibyte]) {
    await writeFile(path, distinctBytes(sizeBytes));
    const abort = new AbortController();
    const reason = new Error('stopped');
    const { signal } = abort;
    const take = () => setTimeout(60_000, undefined, { signal });
    setImmediate().then(() => abort.abort(reason), expect.unreachable);
    await expect(withSource((source) => collect(source, { ...quiet(), take, signal }))).rejects.toBe(reason);
  }
});

test('an abort at any moment leaves nothing open', async () => {
  await writeFile(path, distinctBytes(6 * mebibyte + 5));
  await fc.assert(
    fc.asyncProperty(fc.nat(8), fc.nat(40), fc.boolean(), async (pieceCount, turns, isTaking) => {
      const abort = new AbortController();
      const reason = new Error('stopped');
      const source = await openSource(path, 'a.bin', null);
      let count = 0;
      const stop = async () => {
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        abort.abort(reason);
      };
      const options: BodyOptions = {
        signal: abort.signal,
        onProgress: () => undefined,
        // A limit that is never lifted.
        take: () => (isTaking && count === pieceCount ? new Promise<void>(() => void stop()) : undefined),
      };
      const reading = (async () => {
        for await (const piece of (await source.body(options)) as AsyncIterable<Uint8Array>) {
          count += 1;
          if (!isTaking && count === pieceCount) void stop();
          expect(piece.length).toBeGreaterThan(0);
        }
      })();
      const outcome = await reading.catch((cause: unknown) => cause);
      expect(outcome === undefined ? count : outcome).toBe(outcome === undefined ? 7 : reason);
      await source.close();
    }),
    { numRuns: runs(60) },
  );
  await eventually(async () => expect(await openFilesIn(folder)).toEqual([]));
});
