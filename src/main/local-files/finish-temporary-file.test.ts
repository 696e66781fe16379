import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import * as fs from './fs.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import {
  finishTemporaryFile,
  removeTemporaryFile,
  type WholeTemporaryFile,
} from './finish-temporary-file.ts';
import { openFilesIn, sha256Of } from '../../../test-support/main/local-files/testing.ts';

vi.mock('./fs.ts', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, open: vi.fn<typeof fs.open>(real.open) };
});

const bytes = 'the whole of it';
let folder: string;
let whole: WholeTemporaryFile;
beforeEach(async () => {
  folder = await makeTestFolder();
  const temporaryPath = join(folder, 'a.txt.0123abcd.part');
  whole = { temporaryPath, fileName: 'a.txt', lengthBytes: bytes.length, sha256: sha256Of(bytes) };
});
const names = async () => (await readdir(folder)).toSorted();
const inFolder = (name: string) => ({ path: join(folder, name), isDurable: true });

test('gives an unnamed temporary file the first free name', async () => {
  await writeFile(whole.temporaryPath, bytes);
  await writeFile(join(folder, 'a.txt'), bytes);
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (1).txt'));
  expect(await readFile(join(folder, 'a (1).txt'), 'utf8')).toBe(bytes);
  expect(await names()).toEqual(['a (1).txt', 'a.txt']);
  expect(await openFilesIn(folder)).toEqual([]);
});

test('removes only the temporary name of a file that has its name already', async () => {
  await writeFile(whole.temporaryPath, bytes);
  await writeFile(join(folder, 'a.txt'), bytes);
  await link(whole.temporaryPath, join(folder, 'a (1).txt'));
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (1).txt'));
  expect(await names()).toEqual(['a (1).txt', 'a.txt']);
});

test('finds a named file under its name', async () => {
  await writeFile(join(folder, 'a.txt'), 'something else');
  await writeFile(join(folder, 'a (1).txt'), bytes);
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (1).txt'));
});

test('finds a named file behind a number that is free again', async () => {
  await writeFile(join(folder, 'a.txt'), 'something else');
  await writeFile(join(folder, 'a (7).txt'), bytes);
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (7).txt'));
  expect(await names()).toEqual(['a (7).txt', 'a.txt']);
});

test('does not take a named file that has changed since', async () => {
  await writeFile(join(folder, 'a.txt'), bytes.toUpperCase());
  expect(await finishTemporaryFile(whole)).toBeNull();
  expect(await names()).toEqual(['a.txt']);
});

test('finishes an empty file', async () => {
  await writeFile(whole.temporaryPath, '');
  expect(await finishTemporaryFile({ ...whole, lengthBytes: 0, sha256: sha256Of('') })).toEqual(
    inFolder('a.txt'),
  );
});

test.each([bytes.slice(1), bytes.toUpperCase()])('one that is not whole is taken away', async (text) => {
  await writeFile(whole.temporaryPath, text);
  expect(await finishTemporaryFile(whole)).toBeNull();
  expect(await names()).toEqual([]);
});

test('does not follow a link under the temporary name', async () => {
  await writeFile(join(folder, 'theirs'), bytes);
  await symlink(join(folder, 'theirs'), whole.temporaryPath);
  expect(await finishTemporaryFile(whole)).toBeNull();
  expect(await names()).toEqual(['a.txt.0123abcd.part', 'theirs']);
});

test('removes only files with a temporary name', async () => {
  const kept = [
    'a.part',
    'a.txt.0123abc.part',
    '.0123abcd.part',
    'a.txt.0123abcd.part.txt',
    'a.0123ABCD.part',
  ];
  for (const name of kept) await writeFile(join(folder, name), 'x');
  await mkdir(join(folder, 'b.0123abcd.part'));
  for (const name of [...kept, 'b.0123abcd.part', 'none.0123abcd.part'])
    await removeTemporaryFile(join(folder, name));
  await writeFile(whole.temporaryPath, 'x');
  await removeTemporaryFile(whole.temporaryPath);
  expect(await names()).toEqual([...kept, 'b.0123abcd.part'].toSorted());
});

test('does not discard a whole file that cannot be read now', async () => {
  await writeFile(whole.temporaryPath, bytes);
  const real = await vi.importActual<typeof fs>('./fs.ts');
  vi.mocked(fs.open).mockImplementationOnce(async (...args) => {
    const handle = await real.open(...args);
    handle.read = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    return handle;
  });
  await expect(finishTemporaryFile(whole)).rejects.toThrow('EIO');
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a.txt'));
});
