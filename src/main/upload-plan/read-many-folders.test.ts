import type { PathLike } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { readFiles, type FoundFile } from './read-files.ts';

const folderCount = 130_000;

/** A simulated disk: `/x/top` contains only empty folders. Creating them for real takes a minute. */
vi.mock('../local-files/fs.ts', async (original) => ({
  ...(await original<object>()),
  access: async () => undefined,
  async lstat(path: PathLike) {
    const isFile = String(path).endsWith('.txt');
    return {
      isFile: () => isFile,
      isDirectory: () => !isFile,
      isSymbolicLink: () => false,
      size: 1,
      mtimeMs: 1,
    };
  },
  async opendir(path: PathLike) {
    async function* entries() {
      if (path !== '/x/top') return;
      for (let number = 0; number < folderCount; number += 1) yield { name: `${number}` };
      yield { name: 'last.txt' };
    }
    return entries();
  },
}));

it('reads a folder with more folders than a call takes arguments, and what comes after it', async () => {
  const found: FoundFile[] = [];
  await readFiles(['/x/top', '/x/beside.txt'], {
    signal: new AbortController().signal,
    onFound(files) {
      for (const file of files) found.push(file);
    },
    onRefused: (name) => expect.unreachable(name),
  });
  expect(found.map(({ fileName }) => fileName)).toEqual(['last.txt', 'beside.txt']);
});
