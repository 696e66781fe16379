import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import type * as Fs from '../../main/local-files/fs.ts';
import { findFilesIn } from './find-files.ts';

/** Called with a folder after the first name of its listing, as a drive that fails. */
let afterFirst: (folder: string) => void;

vi.mock('../../main/local-files/fs.ts', async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    opendir: async (folder: string, options: Parameters<typeof fs.opendir>[1]) => {
      const listing = await fs.opendir(folder, options);
      return (async function* () {
        for await (const entry of listing) {
          yield entry;
          afterFirst(folder);
        }
      })();
    },
  };
});

const { signal } = new AbortController();

beforeEach(() => {
  afterFirst = () => undefined;
});

async function makeFiles(): Promise<string> {
  const folder = await makeTestFolder();
  mkdirSync(join(folder, 'in'));
  for (const name of ['top', 'in/a', 'in/b']) writeFileSync(join(folder, name), name);
  return folder;
}

test('tells which folders were listed to their end, and on which disk they are', async () => {
  const folder = await makeFiles();
  const { files, folders, unread } = await findFilesIn({ resolve: () => folder }, '.', {}, signal);
  expect(files.map(({ relative }) => relative).toSorted()).toEqual(['in/a', 'in/b', 'top']);
  expect([...folders.keys()].toSorted()).toEqual(['', 'in']);
  expect(folders.get('in')?.device).toBe(folders.get('')?.device);
  expect(unread.size).toBe(0);
});

test('a folder whose listing fails half-way was not listed', async () => {
  const folder = await makeFiles();
  afterFirst = (listed) => {
    if (listed.endsWith('in')) throw Object.assign(new Error('lost'), { code: 'EIO' });
  };
  const { files, folders, unread, refused } = await findFilesIn({ resolve: () => folder }, '.', {}, signal);
  expect(files).toHaveLength(2);
  expect([...folders.keys()]).toEqual(['']);
  expect([...unread]).toEqual(['in']);
  expect(refused).toHaveLength(1);
});

test('nor was a folder that is gone when its listing ends', async () => {
  const folder = await makeFiles();
  afterFirst = (listed) => {
    if (!listed.endsWith('in')) return;
    renameSync(join(folder, 'in'), join(folder, 'elsewhere'));
    afterFirst = () => undefined;
  };
  const { folders, unread } = await findFilesIn({ resolve: () => folder }, '.', {}, signal);
  expect([...folders.keys()]).toEqual(['']);
  expect([...unread]).toEqual(['in']);
});
