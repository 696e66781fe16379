import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toAppError } from '../../shared/errors.ts';
import { createPart } from './target-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-target-'));
});
afterEach(() => rm(folder, { recursive: true }));

const errno = (code: string) => Object.assign(new Error(code), { code });

test('without links nothing is replaced either', async () => {
  await writeFile(join(folder, 'a.txt'), 'here before');
  const link = () => Promise.reject(errno('EPERM'));
  const part = await createPart({ folder, makesFolder: false, fileName: 'a.txt', replaces: false }, link);
  await part.write(Buffer.from('new'));
  expect(await part.publish()).toBe(join(folder, 'a (1).txt'));
  await part.discard();
  expect((await readdir(folder)).toSorted()).toEqual(['a (1).txt', 'a.txt']);
  expect(await readFile(join(folder, 'a (1).txt'), 'utf8')).toBe('new');
});

test.each([
  ['ENOSPC', 'diskFull'],
  ['ENOENT', 'folderGone'],
  ['EROFS', 'folderReadOnly'],
])('%s is told as %s, and nothing is left', async (errorCode, code) => {
  const link = () => Promise.reject(errno(errorCode));
  const part = await createPart({ folder, makesFolder: false, fileName: 'a.txt', replaces: false }, link);
  const failure = await part.publish().catch(toAppError);
  expect(failure).toEqual({ code, folderName: folder.split('/').at(-1) });
  await part.discard();
  expect(await readdir(folder)).toEqual([]);
});

test('the default folder is made, with what leads to it', async () => {
  const inside = join(folder, 'Downloads', 'Archive');
  const part = await createPart({ folder: inside, makesFolder: true, fileName: 'a.txt', replaces: false });
  expect(await part.publish()).toBe(join(inside, 'a.txt'));
});
