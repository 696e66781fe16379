import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { readChanged } from './read-changed.ts';

test('leaves out an empty file only if a download of its name is beside it', async () => {
  const folder = await makeTestFolder();
  const leftOut = ['a.pdf.part', 'sub/b.x7Yk.pdf.part', 'c.d/c.part', 'build.log'];
  const waiting = ['a', 'a.pdf', 'a.txt', 'sub/b.pdf'];
  const finished = ['b.pdf', 'build', 'c', 'sub/a.pdf', 'sub/bb.pdf', '.pdf'];
  for (const path of [...leftOut, ...waiting, ...finished]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), '');
  }
  const { changed } = await readChanged({
    folder,
    ignores: (path) => leftOut.includes(path),
    isKnown: () => false,
    signal: new AbortController().signal,
  });
  expect([...changed.keys()].toSorted()).toEqual(finished.toSorted());
});
