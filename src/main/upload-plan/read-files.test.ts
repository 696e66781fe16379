import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { readFiles, type FoundFile } from './read-files.ts';

/** Root can read everything. */
async function withoutRoot<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

async function read(paths: string[], signal = new AbortController().signal) {
  const found: FoundFile[] = [];
  const refused: unknown[] = [];
  await readFiles(paths, {
    signal,
    onFound: (files) => found.push(...files),
    onRefused: (name, error) => refused.push([name, error]),
  });
  const files = found.map(({ place, fileName, trouble }) => [`${place.below}/${fileName}`, trouble] as const);
  return { files, refused };
}

it.skipIf(process.platform === 'win32')('reports what cannot be read, and goes on', async () => {
  const folder = await makeTestFolder();
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'top/closed'), { recursive: true });
  await mkdir(join(folder, 'top/open'));
  await writeFile(join(folder, 'top/closed/x'), '');
  await writeFile(join(folder, 'top/open/y'), '');
  await writeFile(join(folder, 'top/empty'), '', { mode: 0o000 });
  await writeFile(join(folder, 'top/mine'), 'x', { mode: 0o000 });
  await chmod(join(folder, 'top/closed'), 0o000);
  const { files, refused } = await withoutRoot(() => read([join(folder, 'top')]));
  await chmod(join(folder, 'top/closed'), 0o755);
  expect(files).toEqual([
    ['top/empty', 'unreadable'],
    // access(2) checks the real user, which a process cannot change temporarily.
    ['top/mine', process.getuid?.() === 0 ? null : 'unreadable'],
    ['top/open/y', null],
  ]);
  expect(refused).toEqual([['closed', { code: 'fileUnreadable', fileName: 'closed' }]]);
});

it('reads folders of any depth', async () => {
  const folder = await makeTestFolder();
  const below = Array.from({ length: 300 }, () => 'd').join('/');
  await mkdir(join(folder, below), { recursive: true });
  await writeFile(join(folder, below, 'x'), '');
  expect((await read([join(folder, 'd')])).files).toEqual([[`${below}/x`, null]]);
});

it('stops on request', async () => {
  const folder = await makeTestFolder();
  await writeFile(join(folder, 'x'), '');
  expect((await read([folder], AbortSignal.abort())).files).toEqual([]);
});

describe.skipIf(process.platform !== 'linux')('names that are not UTF-8', () => {
  const caf = Buffer.from('caf\xe9', 'latin1');
  const below = (folder: string, ...names: Buffer[]) =>
    Buffer.concat([Buffer.from(folder), ...names.flatMap((name) => [Buffer.from('/'), name])]);

  it('reports them, for files and folders, and reads their siblings', async () => {
    const folder = await makeTestFolder();
    await mkdir(join(folder, 'top/café'), { recursive: true });
    await writeFile(join(folder, 'top/café/日本'), '');
    await writeFile(below(`${folder}/top`, Buffer.concat([caf, Buffer.from('.txt')])), '');
    await mkdir(below(`${folder}/top`, caf));
    const { files, refused } = await read([join(folder, 'top')]);
    expect(new Map(files)).toEqual(
      new Map([
        ['top/caf\uFFFD', 'unreadableName'],
        ['top/caf\uFFFD.txt', 'unreadableName'],
        ['top/café/日本', null],
      ]),
    );
    expect(refused).toEqual([]);
  });

  it('does not report them as gone when such a file, or one in such a folder, is dropped', async () => {
    const folder = await makeTestFolder();
    await mkdir(below(folder, caf));
    await writeFile(below(folder, caf, Buffer.from('x')), '');
    const { files } = await read([
      join(folder, 'caf\uFFFD'),
      join(folder, 'caf\uFFFD/x'),
      join(folder, 'other\uFFFD'),
    ]);
    expect(files).toEqual([
      ['/caf\uFFFD', 'unreadableName'],
      ['/x', 'unreadableName'],
      ['/other\uFFFD', 'gone'],
    ]);
  });
});

it.skipIf(process.platform !== 'linux')(
  'accepts an empty file, but not one with content that reports length 0',
  async () => {
    const folder = await makeTestFolder();
    await writeFile(join(folder, 'empty'), '');
    const paths = [join(folder, 'empty'), '/proc/self/status', '/dev/null', '/dev/zero'];
    expect((await read(paths)).files).toEqual([
      ['/empty', null],
      ['/status', 'unsized'],
      ['/null', 'special'],
      ['/zero', 'special'],
    ]);
  },
);
