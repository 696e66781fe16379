import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import { createUnknownFiles, type OwnFolder } from './unknown-files.ts';

const ownFolder = (folder: string, known: readonly string[], isSealed = false): OwnFolder => ({
  folder,
  unknownOf: async (names) => names.filter((name) => !known.includes(name)),
  isSealed,
});

async function begin() {
  const top = await makeTestFolder();
  const [kept, edits] = [join(top, 'kept'), join(top, 'edits')];
  await mkdir(kept);
  await mkdir(join(edits, 'one', 'deep'), { recursive: true });
  await mkdir(join(edits, 'empty'));
  await writeFile(join(kept, 'known'), 'k');
  await writeFile(join(kept, 'newer'), 'sealed');
  await writeFile(join(edits, 'one', 'a.txt'), 'text');
  await writeFile(join(edits, 'one', 'deep', 'b.txt'), 'more');
  const log = createTestLog();
  const known = ['known'];
  return { top, kept, edits, known, log };
}

test('lists files that the database does not know, including those in subfolders', async () => {
  const { top, kept, edits, known, log } = await begin();
  const unknown = createUnknownFiles(
    [ownFolder(kept, known, true), ownFolder(edits, []), ownFolder(join(top, 'not there'), [])],
    log,
  );
  const found = (await unknown.list()).toSorted((one, other) => (one.path < other.path ? -1 : 1));
  expect(found).toMatchObject([
    { name: join('edits', 'one', 'a.txt'), path: join(edits, 'one', 'a.txt'), bytes: 4, isSealed: false },
    { path: join(edits, 'one', 'deep', 'b.txt'), bytes: 4, isSealed: false },
    { path: join(kept, 'newer'), bytes: 6, isSealed: true },
  ]);
  expect(log.lines).toEqual([]);
});

test('removes the named files, except those that became known meanwhile', async () => {
  const { kept, edits, known, log } = await begin();
  const unknown = createUnknownFiles([ownFolder(kept, known, true), ownFolder(edits, [])], log);
  const listed = (await unknown.list()).map(({ name }) => name);
  known.push('newer');
  await writeFile(join(edits, 'one', 'later.txt'), 'not listed then');
  await unknown.remove([...listed, join('kept', 'known')]);
  expect((await readdir(kept)).toSorted()).toEqual(['known', 'newer']);
  expect(await readdir(join(edits, 'one'))).toEqual(['later.txt']);
  await unknown.remove([join('edits', 'one', 'later.txt')]);
  expect(await readdir(edits)).toEqual(['empty']);
});

test('a folder that cannot be read hides none of the others', async () => {
  const { kept, edits, known, log } = await begin();
  await rm(edits, { recursive: true });
  await writeFile(edits, 'no folder');
  const unknown = createUnknownFiles([ownFolder(edits, []), ownFolder(kept, known, true)], log);
  expect((await unknown.list()).map(({ path }) => path)).toEqual([join(kept, 'newer')]);
  expect(log.lines).toHaveLength(1);
});
