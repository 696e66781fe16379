import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import * as fs from './fs.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { finishTemporaryFile, removeLeftover, type WholeTemporaryFile } from './finish-temporary-file.ts';
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

test('a part without its name gets the first free one', async () => {
  await writeFile(whole.temporaryPath, bytes);
  await writeFile(join(folder, 'a.txt'), bytes);
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (1).txt'));
  expect(await readFile(join(folder, 'a (1).txt'), 'utf8')).toBe(bytes);
  expect(await names()).toEqual(['a (1).txt', 'a.txt']);
  expect(await openFilesIn(folder)).toEqual([]);
});

test('one that has its name already only loses the other', async () => {
  await writeFile(whole.temporaryPath, bytes);
  await writeFile(join(folder, 'a.txt'), bytes);
  await link(whole.temporaryPath, join(folder, 'a (1).txt'));
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (1).txt'));
  expect(await names()).toEqual(['a (1).txt', 'a.txt']);
});

test('one that was named is found under its name', async () => {
  await writeFile(join(folder, 'a.txt'), 'something else');
  await writeFile(join(folder, 'a (1).txt'), bytes);
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (1).txt'));
});

test('one that was named is found behind a number that is free again', async () => {
  await writeFile(join(folder, 'a.txt'), 'something else');
  await writeFile(join(folder, 'a (7).txt'), bytes);
  expect(await finishTemporaryFile(whole)).toEqual(inFolder('a (7).txt'));
  expect(await names()).toEqual(['a (7).txt', 'a.txt']);
});

test('one that was named and changed since is not it', async () => {
  await writeFile(join(folder, 'a.txt'), bytes.toUpperCase());
  expect(await finishTemporaryFile(whole)).toBeNull();
  expect(await names()).toEqual(['a.txt']);
});

test('an empty one', async () => {
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

test('a link under the name of the part is not followed', async () => {
  await writeFile(join(folder, 'theirs'), bytes);
  await symlink(join(folder, 'theirs'), whole.temporaryPath);
  expect(await finishTemporaryFile(whole)).toBeNull();
  expect(await names()).toEqual(['a.txt.0123abcd.part', 'theirs']);
});

test('only what has the name of a part is left over', async () => {
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
    await removeLeftover(join(folder, name));
  await writeFile(whole.temporaryPath, 'x');
  await removeLeftover(whole.temporaryPath);
  expect(await names()).toEqual([...kept, 'b.0123abcd.part'].toSorted());
});

test('a whole part that cannot be read now is not thrown away', async () => {
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
