import type { BigIntStats } from 'node:fs';
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import type { Expected } from './file-state.ts';
import { closeReaders, readSmallFile, withoutThreadMax } from './small-files.ts';
import { isGenerated } from './read-whole.ts';
import { openSource } from './source.ts';
import type { BodyOptions, SourceFile } from './source-file.ts';
import {
  distinctBytes,
  errorOf,
  openFilesIn,
  sha256Of,
} from '../../../test-support/main/local-files/testing.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeTestFolder();
  path = join(folder, 'a.bin');
});
afterEach(() => closeReaders());

/** From the next file on a thread reads. */
async function readMany(): Promise<void> {
  await writeFile(path, '');
  for (let count = 0; count < withoutThreadMax; count += 1) await readSmallFile(path, null);
}

const quiet = (): BodyOptions => ({ onProgress: () => undefined, signal: new AbortController().signal });
const changed = { code: 'fileChanged', fileName: 'a.bin' };

async function wholeOf(body: Awaited<ReturnType<SourceFile['body']>>): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function make(sizeBytes: number): Promise<{ bytes: Buffer; seen: Expected }> {
  const bytes = distinctBytes(sizeBytes);
  await writeFile(path, bytes);
  return { bytes, seen: await seenNow() };
}

async function seenNow(): Promise<Expected> {
  const { size, mtimeMs } = await stat(path);
  return { sizeBytes: size, mtimeMs };
}

describe.each([
  ['without a thread', async () => undefined],
  ['by a thread', readMany],
])('a small file that a person saw, read %s', (_, prepare) => {
  beforeEach(prepare);

  test.each([0, 1, 10_000, 65_536, 65_537, 200_000, mebibyte])(
    'of %i bytes comes whole with its digest',
    async (sizeBytes) => {
      const { bytes, seen } = await make(sizeBytes);
      const source = await openSource(path, 'a.bin', seen);
      expect(await source.sha256()).toBeNull();
      const progress: number[] = [];
      const body = await source.body({ ...quiet(), onProgress: (doneBytes) => progress.push(doneBytes) });
      expect((await wholeOf(body)).equals(bytes)).toBe(true);
      expect(progress).toEqual([sizeBytes]);
      expect(await source.sha256()).toBe(sha256Of(bytes));
      expect(await source.hasChanged()).toBe(false);
      expect(await openFilesIn(folder)).toEqual([]);
    },
  );

  test('keeps its memory from the next file while pieces have not all been sent', async () => {
    const { bytes, seen } = await make(mebibyte);
    const source = await openSource(path, 'a.bin', seen);
    const pieces = (await source.body(quiet())) as AsyncIterable<Uint8Array>;
    const { value: first } = (await pieces[Symbol.asyncIterator]().next()) as { value: Uint8Array };
    await source.close();
    await writeFile(path, distinctBytes(mebibyte));
    const other = await openSource(path, 'a.bin', await seenNow());
    expect(bytes.subarray(0, first.length).equals(first)).toBe(true);
    await other.close();
  });

  test('yields nothing when it has changed, is gone or is no file', async () => {
    const { seen } = await make(100);
    const open = () => errorOf(openSource(path, 'a.bin', seen));
    await writeFile(path, distinctBytes(101));
    expect(await open()).toEqual(changed);
    await writeFile(path, distinctBytes(2 * mebibyte));
    expect(await open()).toEqual(changed);
    await rm(path);
    expect(await open()).toEqual({ code: 'fileGone', fileName: 'a.bin' });
    await writeFile(join(folder, 'real'), 'x');
    await symlink(join(folder, 'real'), path);
    expect(await open()).toEqual({ code: 'fileSpecial', fileName: 'a.bin' });
    await rm(path);
    await mkdir(path);
    expect(await open()).toEqual({ code: 'fileSpecial', fileName: 'a.bin' });
    expect(await openFilesIn(folder)).toEqual([]);
  });

  test('does not send it when it is replaced while it waits', async () => {
    const { seen } = await make(100);
    const source = await openSource(path, 'a.bin', seen);
    const replace = async () => {
      await writeFile(`${path}.new`, distinctBytes(100));
      await rename(`${path}.new`, path);
    };
    expect(await errorOf(source.body({ ...quiet(), take: replace }))).toEqual(changed);
    expect(await source.sha256()).toBeNull();
    expect(await source.hasChanged()).toBe(true);
  });

  test('takes a file for unchanged when its name is gone', async () => {
    const { seen } = await make(100);
    const source = await openSource(path, 'a.bin', seen);
    await rm(path);
    expect(await source.body(quiet())).toHaveLength(100);
    expect(await source.hasChanged()).toBe(false);
  });

  test('ends with the reason when it is cancelled while it waits', async () => {
    const { seen } = await make(100);
    const source = await openSource(path, 'a.bin', seen);
    const abort = new AbortController();
    const reason = new Error('stopped');
    const body = source.body({ ...quiet(), signal: abort.signal, take: () => new Promise(() => undefined) });
    abort.abort(reason);
    await expect(body).rejects.toBe(reason);
  });
});

test.runIf(process.platform === 'linux')(
  'treats a file as special if it reports 0 bytes and reading yields some',
  async () => {
    const special = { isSpecial: true, whole: null };
    expect(await readSmallFile('/proc/self/status', null)).toMatchObject(special);
    await readMany();
    expect(await readSmallFile('/proc/self/status', null)).toMatchObject(special);
  },
);

test('reads a few files without a thread, which takes long to start', async () => {
  const asked = vi.spyOn(Worker.prototype, 'postMessage');
  await readMany();
  expect(asked).not.toHaveBeenCalled();
  await readSmallFile(path, null);
  expect(asked).toHaveBeenCalledOnce();
});

test('rejects running reads when the threads end, and reads the next file', async () => {
  await readMany();
  const { bytes } = await make(100);
  const reading = readSmallFile(path, null);
  await Promise.all([expect(reading).rejects.toThrow('read thread was ended'), closeReaders()]);
  expect((await readSmallFile(path, null)).whole?.sha256).toBe(sha256Of(bytes));
});

test.each([
  ['still says that it is empty', 0n, true],
  ['was filled meanwhile', 5n, false],
])('tells a generated file from one that is being filled: it %s', async (_what, sizeNow, expected) => {
  const file = {
    read: async () => ({ bytesRead: 1 }),
    stat: async () => ({ size: sizeNow }) as BigIntStats,
  };
  expect(await isGenerated(file, { size: 0n })).toBe(expected);
});
