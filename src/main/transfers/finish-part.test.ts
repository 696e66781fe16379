import { link, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeTestFolder } from '../test-ports.ts';
import type { Whole } from './download.ts';
import { finishPart } from './finish-part.ts';
import { sha256Of } from './testing.ts';

const bytes = 'the whole of it';
let folder: string;
let whole: Whole;
beforeEach(async () => {
  folder = await makeTestFolder();
  const partPath = join(folder, 'a.txt.part');
  whole = { partPath, fileName: 'a.txt', lengthBytes: bytes.length, sha256: sha256Of(bytes) };
});
const names = async () => (await readdir(folder)).toSorted();

test('a part without its name gets the first free one', async () => {
  await writeFile(whole.partPath, bytes);
  await writeFile(join(folder, 'a.txt'), bytes);
  expect(await finishPart(whole)).toBe(join(folder, 'a (1).txt'));
  expect(await readFile(join(folder, 'a (1).txt'), 'utf8')).toBe(bytes);
  expect(await names()).toEqual(['a (1).txt', 'a.txt']);
});

test('one that has its name already only loses the other', async () => {
  await writeFile(whole.partPath, bytes);
  await link(whole.partPath, join(folder, 'a.txt'));
  expect(await finishPart(whole)).toBe(join(folder, 'a.txt'));
  expect(await names()).toEqual(['a.txt']);
});

test('one that was named is found under its name', async () => {
  await writeFile(join(folder, 'a.txt'), 'something else');
  await writeFile(join(folder, 'a (1).txt'), bytes);
  expect(await finishPart(whole)).toBe(join(folder, 'a (1).txt'));
});

test('one that is not whole is taken away', async () => {
  await writeFile(whole.partPath, bytes.slice(1));
  expect(await finishPart(whole)).toBeNull();
  expect(await names()).toEqual([]);
});
