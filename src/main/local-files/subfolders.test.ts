import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { findSubfolders, makeSubfolders, subfoldersOf } from './subfolders.ts';

test.each([
  ['tree/reports/2024/a.csv', 'tree', '/', ['reports', '2024']],
  ['tree/reports/a.csv', '', '/', ['tree', 'reports']],
  ['tree/a.csv', 'tree', '/', []],
  ['trees/b/a.csv', 'tree', '/', []],
  ['a.b:c/d:e', 'a.b', ':', ['c_d']],
  ['../../etc/./a', '', '/', ['unnamed', 'unnamed', 'etc', 'unnamed']],
  ['//a////b/', '', '/', ['a', 'b']],
  ['nul/com1.txt/x. /a', '', '/', ['nul_', 'com1_.txt', 'x']],
])('of %s below "%s" by %s', (identifier, below, separator, names) => {
  expect(subfoldersOf(identifier, below, separator)).toEqual(names);
});

test('limits names and paths to what every system accepts', () => {
  const [name = ''] = subfoldersOf(`${'ä'.repeat(500)}/a`, '', '/');
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  const deep = subfoldersOf(`${'abc/'.repeat(2000)}a`, '', '/');
  expect(deep).toHaveLength(150);
});

test('creates one folder for many concurrent calls, and finds it', async () => {
  const folder = await makeTestFolder();
  const names = ['a', 'b', 'c'];
  expect(await findSubfolders(folder, names)).toBeNull();
  const made = await Promise.all(Array.from({ length: 20 }, () => makeSubfolders(folder, names)));
  expect(new Set(made)).toEqual(new Set([join(folder, 'a/b/c')]));
  expect(await findSubfolders(folder, names)).toBe(join(folder, 'a/b/c'));
  expect(await readdir(folder, { recursive: true })).toHaveLength(3);
});

test('leaves a file or a link of the name, and does not follow it', async () => {
  const folder = await makeTestFolder();
  const outside = await makeTestFolder();
  await writeFile(join(folder, 'a'), '');
  await symlink(outside, join(folder, 'a (1)'));
  await mkdir(join(folder, 'a (3)'));
  expect(await makeSubfolders(folder, ['a', 'b'])).toBe(join(folder, 'a (2)/b'));
  expect(await readdir(outside)).toEqual([]);
});
