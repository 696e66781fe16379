import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import type { Expected } from './file-state.ts';
import { closeReaders, readSmallFile } from './small-files.ts';
import { openSource, type BodyOptions } from './source.ts';
import {
  distinctBytes,
  errorOf,
  openFilesIn,
  sha256Of,
} from '../../../../test-support/main/transfers/files/testing.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeTestFolder();
  path = join(folder, 'a.bin');
});
afterAll(() => closeReaders());

const quiet = (): BodyOptions => ({ onProgress: () => undefined, signal: new AbortController().signal });
const changed = { code: 'fileChanged', fileName: 'a.bin' };

async function make(sizeBytes: number): Promise<{ bytes: Buffer; seen: Expected }> {
  const bytes = distinctBytes(sizeBytes);
  await writeFile(path, bytes);
  const { size, mtimeMs } = await stat(path);
  return { bytes, seen: { sizeBytes: size, mtimeMs } };
}

describe('a small file that a person saw', () => {
  test.each([0, 1, 10_000, mebibyte])('of %i bytes comes whole with its digest', async (sizeBytes) => {
    const { bytes, seen } = await make(sizeBytes);
    const source = await openSource(path, 'a.bin', seen);
    expect(await source.sha256()).toBeNull();
    const progress: number[] = [];
    const body = await source.body({ ...quiet(), onProgress: (doneBytes) => progress.push(doneBytes) });
    expect(Buffer.from(body as Uint8Array).equals(bytes)).toBe(true);
    expect(progress).toEqual([sizeBytes]);
    expect(await source.sha256()).toBe(sha256Of(bytes));
    expect(await source.hasChanged()).toBe(false);
    expect(await openFilesIn(folder)).toEqual([]);
  });

  test('gives nothing when it is another by now, gone or no file', async () => {
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

  test('that is replaced while it waits for its turn is not sent', async () => {
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

  test('whose name is gone has not changed', async () => {
    const { seen } = await make(100);
    const source = await openSource(path, 'a.bin', seen);
    await rm(path);
    expect(await source.body(quiet())).toHaveLength(100);
    expect(await source.hasChanged()).toBe(false);
  });

  test('that is cancelled while it waits ends with the reason', async () => {
    const { seen } = await make(100);
    const source = await openSource(path, 'a.bin', seen);
    const abort = new AbortController();
    const reason = new Error('stopped');
    const body = source.body({ ...quiet(), signal: abort.signal, take: () => new Promise(() => undefined) });
    abort.abort(reason);
    await expect(body).rejects.toBe(reason);
  });
});

test('what says 0 bytes and gives some is special', async () => {
  expect(await readSmallFile('/proc/self/status', mebibyte)).toMatchObject({ isSpecial: true, whole: null });
});

test('when the threads end, what is under way rejects, and the next file is read', async () => {
  const { bytes } = await make(100);
  const reading = readSmallFile(path, mebibyte);
  await Promise.all([expect(reading).rejects.toThrow('read thread was ended'), closeReaders()]);
  expect((await readSmallFile(path, mebibyte)).whole?.sha256).toBe(sha256Of(bytes));
});
