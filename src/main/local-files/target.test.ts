import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import * as fs from './fs.ts';
import { createTemporaryFile, newTemporaryName, targetOfPath } from './target.ts';
import type { Target } from './temporary-file.ts';
import {
  distinctBytes,
  errorOf,
  openFilesIn,
  sha256Of,
} from '../../../test-support/main/local-files/testing.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { anyCharacter } from '../../../test-support/any-character.ts';
import { runs } from '../../../test-support/runs.ts';

vi.mock('./fs.ts', async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    link: vi.fn<typeof fs.link>(real.link),
    lstat: vi.fn<typeof fs.lstat>(real.lstat),
    open: vi.fn<typeof fs.open>(real.open),
    unlink: vi.fn<typeof fs.unlink>(real.unlink),
  };
});

const mebibyte = 1024 * 1024;
let folder: string;
let target: Target;
beforeEach(async () => {
  vi.mocked(fs.link).mockReset();
  vi.mocked(fs.lstat).mockClear();
  vi.mocked(fs.open).mockReset();
  vi.mocked(fs.unlink).mockReset();
  const real = await vi.importActual<typeof fs>('./fs.ts');
  vi.mocked(fs.link).mockImplementation(real.link);
  vi.mocked(fs.open).mockImplementation(real.open);
  vi.mocked(fs.unlink).mockImplementation(real.unlink);
  folder = await makeTestFolder();
  target = { folder, makesFolder: false, fileName: 'a.txt', replaces: false };
});

const errno = (code: string) => Object.assign(new Error(code), { code });
const names = async () => (await readdir(folder)).toSorted();
const create = (change: Partial<Target> = {}) => {
  const changed = { ...target, ...change };
  return createTemporaryFile(changed, newTemporaryName(changed.fileName));
};

/** Makes opening this folder fail, or syncing it. */
function breakFolder(at: 'open' | 'sync', code: string): void {
  const real = vi.mocked(fs.open).getMockImplementation();
  vi.mocked(fs.open).mockImplementation(async (path, ...rest) => {
    if (path === folder && at === 'open') throw errno(code);
    const handle = await (real as typeof fs.open)(path, ...rest);
    if (path === folder) handle.sync = () => Promise.reject(errno(code));
    return handle;
  });
}

test('two hundred downloads of one name, four at a time: each file holds its own bytes', async () => {
  const seed = fc.sample(fc.array(fc.nat(4), { minLength: 2000, maxLength: 2000 }), 1)[0] ?? [];
  let step = 0;
  const anyPause = async () => {
    for (let turns = seed[step++ % seed.length] ?? 0; turns > 0; turns -= 1) await setImmediate();
  };
  const expected = new Map<string, string>();
  let next = 0;
  const slot = async () => {
    while (next < 200) {
      const number = next++;
      const bytes = JSON.stringify({ number, more: 'x'.repeat((number % 7) * 1000) });
      const file = await create({ fileName: 'data.json' });
      try {
        await anyPause();
        await file.write(Buffer.from(bytes));
        await anyPause();
        expect(await file.digest()).toBe(sha256Of(bytes));
        const { path } = await file.publish();
        expected.set(basename(path), bytes);
        await anyPause();
      } finally {
        await file.discard();
      }
    }
  };
  await Promise.all([slot(), slot(), slot(), slot()]);
  expect(expected.size).toBe(200);
  expect(await names()).toEqual([...expected.keys()].toSorted());
  for (const [name, bytes] of expected) expect(await readFile(join(folder, name), 'utf8')).toBe(bytes);
});

test('finds a free name with few lookups when many are taken, also concurrently', async () => {
  const publish = async () => {
    const file = await create();
    await file.write(Buffer.from('x'));
    return basename((await file.publish()).path);
  };
  const found: string[] = [];
  const calls = () => vi.mocked(fs.link).mock.calls.length + vi.mocked(fs.lstat).mock.calls.length;
  for (let number = 0; number < 200; number += 1) found.push(await publish());
  expect(found).toEqual(
    Array.from({ length: 200 }, (_, number) => (number === 0 ? 'a.txt' : `a (${number}).txt`)),
  );
  // Some twenty for each download; a linear search would take a hundred.
  expect(calls()).toBeLessThan(200 * 22);
  const together = await Promise.all(Array.from({ length: 20 }, publish));
  expect(new Set([...found, ...together]).size).toBe(220);
});

describe('a temporary file', () => {
  test('has a name of its own that fits', () => {
    expect(newTemporaryName('report.pdf')).toMatch(/^report\.pdf\.[0-9a-f]{8}\.part$/);
    expect(newTemporaryName('report.pdf')).not.toBe(newTemporaryName('report.pdf'));
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => {
        const temporaryName = newTemporaryName(name);
        expect(Buffer.byteLength(temporaryName)).toBeLessThanOrEqual(255);
        expect(temporaryName).toMatch(/[^/]\.[0-9a-f]{8}\.part$/);
      }),
    );
  });

  test('holds all bytes, in pieces of any size', async () => {
    const sizes = fc.oneof(
      fc.nat(100),
      fc.constantFrom(65_536, mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte + 7),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { maxLength: 8 }), fc.boolean(), async (pieces, isSyncedFirst) => {
        const bytes = pieces.map((sizeBytes) => distinctBytes(sizeBytes));
        const file = await create({ fileName: 'b' });
        for (const piece of bytes) {
          const given = Buffer.from(piece);
          await file.write(given);
          // The memory is reused by its owner.
          given.fill(0);
        }
        if (isSyncedFirst) await file.sync();
        const whole = Buffer.concat(bytes);
        expect(await file.digest()).toBe(sha256Of(whole));
        const { path, isDurable } = await file.publish();
        await file.discard();
        expect(isDurable).toBe(true);
        expect((await readFile(path)).equals(whole)).toBe(true);
        await rm(path);
      }),
      { numRuns: runs(30) },
    );
    expect(await openFilesIn(folder)).toEqual([]);
  });

  test('accepts nothing after its end', async () => {
    const file = await create();
    await file.sync();
    await expect(file.write(Buffer.from('x'))).rejects.toThrow('after the end');
    await file.discard();
  });

  test('is private on request', async () => {
    const file = await create({ isPrivate: true });
    const { path } = await file.publish();
    expect(modeOf(path)).toBe(modeHere(0o600));
  });

  test('never uses a file that exists already', async () => {
    await writeFile(join(folder, 'a.txt.00000000.part'), 'of somebody');
    await expect(createTemporaryFile(target, 'a.txt.00000000.part')).rejects.toThrow('EEXIST');
    expect(await readFile(join(folder, 'a.txt.00000000.part'), 'utf8')).toBe('of somebody');
  });

  test('leaves nothing when it is discarded at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(5), fc.nat(3), async (pieces, turns) => {
        const file = await create();
        const writing = (async () => {
          for (let count = 0; count < pieces; count += 1) await file.write(distinctBytes(700_000));
          await file.sync();
        })().catch((cause: unknown) => cause);
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        await file.discard();
        await writing;
        expect(await names()).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
    await eventually(async () => expect(await openFilesIn(folder)).toEqual([]));
  });
});

describe('its final name', () => {
  test('numbers it when it is taken, and never replaces', async () => {
    await writeFile(join(folder, 'a.txt'), 'here before');
    await writeFile(join(folder, 'a (1).txt'), 'here too');
    const file = await create();
    expect(await file.publish()).toEqual({ path: join(folder, 'a (2).txt'), isDurable: true });
    expect(await names()).toEqual(['a (1).txt', 'a (2).txt', 'a.txt']);
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('here before');
  });

  test('replaces what a person agreed to replace', async () => {
    await writeFile(join(folder, 'a.txt'), 'here before');
    const chosen = targetOfPath(join(folder, 'a.txt'));
    const file = await createTemporaryFile(chosen, newTemporaryName(chosen.fileName));
    await file.write(Buffer.from('new'));
    await file.publish();
    await file.discard();
    expect(await names()).toEqual(['a.txt']);
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new');
  });

  test('replaces nothing without links either', async () => {
    await writeFile(join(folder, 'a.txt'), 'here before');
    vi.mocked(fs.link).mockRejectedValue(errno('EPERM'));
    const file = await create();
    await file.write(Buffer.from('new'));
    expect((await file.publish()).path).toBe(join(folder, 'a (1).txt'));
    await file.discard();
    expect(await names()).toEqual(['a (1).txt', 'a.txt']);
    expect(await readFile(join(folder, 'a (1).txt'), 'utf8')).toBe('new');
  });

  test('creates its folder with the parents', async () => {
    const inside = join(folder, 'Downloads', 'Archive', '2026');
    const file = await create({ folder: inside, makesFolder: true });
    expect((await file.publish()).path).toBe(join(inside, 'a.txt'));
    expect(await errorOf(create({ folder: join(folder, 'none') }))).toEqual({
      code: 'folderGone',
      folderName: 'none',
    });
    await writeFile(join(folder, 'file'), '');
    for (const name of ['file', 'file/below'])
      expect(await errorOf(create({ folder: join(folder, name), makesFolder: true }))).toEqual({
        code: 'folderGone',
        folderName: basename(name),
      });
  });

  test('keeps it when the temporary name cannot be removed', async () => {
    vi.mocked(fs.unlink).mockRejectedValue(errno('EPERM'));
    const file = await create();
    expect((await file.publish()).path).toBe(join(folder, 'a.txt'));
    await file.discard();
    expect(await names()).toContain('a.txt');
  });

  test.each(['EINVAL', 'ENOTSUP', 'EPERM', 'EIO'])(
    'is a fact when the folder cannot be synced: %s',
    async (code) => {
      for (const at of ['open', 'sync'] as const) {
        breakFolder(at, code);
        const file = await create();
        await file.write(Buffer.from('x'));
        expect(await file.publish()).toMatchObject({ isDurable: false });
        await file.discard();
      }
      // Two names, because `publish` was called twice.
      expect(await names()).toEqual(['a (1).txt', 'a.txt']);
      expect(await openFilesIn(folder)).toEqual([]);
    },
  );

  test.each([
    ['EINVAL', ['a.txt']],
    ['EIO', []],
  ])('when it cannot be synced while it is written: %s', async (code, left) => {
    const real = vi.mocked(fs.open).getMockImplementation() as typeof fs.open;
    vi.mocked(fs.open).mockImplementation(async (...args) => {
      const handle = await real(...args);
      handle.datasync = () => Promise.reject(errno(code));
      return handle;
    });
    const file = await create();
    for (let count = 0; count < 9; count += 1) await file.write(distinctBytes(mebibyte));
    const outcome = await file.publish().catch((cause: unknown) => cause);
    expect(outcome).toMatchObject(code === 'EINVAL' ? { isDurable: true } : { code });
    await file.discard();
    expect(await names()).toEqual(left);
  });

  test.each([
    ['EINVAL', ['a.txt']],
    ['EIO', []],
  ])('when the file itself cannot be synced: %s', async (code, left) => {
    const real = vi.mocked(fs.open).getMockImplementation() as typeof fs.open;
    vi.mocked(fs.open).mockImplementation(async (path, ...rest) => {
      const handle = await real(path, ...rest);
      if (path !== folder) handle.sync = () => Promise.reject(errno(code));
      return handle;
    });
    const file = await create();
    const outcome = await file.publish().catch((cause: unknown) => cause);
    // An unsupported sync is accepted, a failing disk is not.
    expect(outcome).toMatchObject(code === 'EINVAL' ? { isDurable: false } : { code });
    await file.discard();
    expect(await names()).toEqual(left);
  });
});

describe('another program', () => {
  test('its file under the temporary name is neither moved nor removed', async () => {
    for (const replaces of [false, true]) {
      const file = await create({ replaces });
      await file.write(Buffer.from('ours'));
      await rm(file.path);
      await writeFile(file.path, 'theirs');
      expect(await errorOf(file.publish())).toEqual({ code: 'partGone', fileName: 'a.txt' });
      await file.discard();
      expect(await names()).toEqual([basename(file.path)]);
      expect(await readFile(file.path, 'utf8')).toBe('theirs');
      await rm(file.path);
    }
  });

  test('takes the temporary name after the file got its final one', async () => {
    const file = await create();
    await file.publish();
    await writeFile(file.path, 'theirs');
    await file.discard();
    expect(await names()).toEqual(['a.txt', basename(file.path)].toSorted());
  });

  test('moves the temporary file or the folder away', async () => {
    const moved = await create();
    await rename(moved.path, join(folder, 'elsewhere'));
    expect(await errorOf(moved.publish())).toEqual({ code: 'partGone', fileName: 'a.txt' });
    await moved.discard();
    expect(await names()).toEqual(['elsewhere']);

    const inside = join(folder, 'inside');
    await mkdir(inside);
    const file = await create({ folder: inside });
    await rm(inside, { recursive: true });
    expect(await errorOf(file.publish())).toEqual({ code: 'folderGone', folderName: 'inside' });
    await file.discard();
  });
});

test.each([
  ['ENOSPC', 'diskFull'],
  ['EROFS', 'folderReadOnly'],
])('%s is told as %s, and nothing is left', async (errorCode, code) => {
  vi.mocked(fs.link).mockRejectedValue(errno(errorCode));
  const file = await create();
  expect(await errorOf(file.publish())).toEqual({ code, folderName: basename(folder) });
  await file.discard();
  expect(await names()).toEqual([]);
});

test('reports a disk that fills up while writing, and leaves nothing', async () => {
  const real = vi.mocked(fs.open).getMockImplementation() as typeof fs.open;
  vi.mocked(fs.open).mockImplementation(async (...args) => {
    const handle = await real(...args);
    let left = 3 * mebibyte;
    const write = handle.write.bind(handle) as (
      bytes: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ) => Promise<{ bytesWritten: number; buffer: Uint8Array }>;
    handle.write = (async (bytes: Uint8Array, offset: number, length: number, position: number) => {
      if (left === 0) throw errno('ENOSPC');
      // As a real disk does: writes what fits, then fails.
      const fitting = Math.min(length, left, 400_000);
      left -= fitting;
      return write(bytes, offset, fitting, position);
    }) as typeof handle.write;
    return handle;
  });
  const file = await create();
  const writing = (async () => {
    for (let count = 0; count < 100; count += 1) await file.write(distinctBytes(100_000));
  })();
  expect(await errorOf(writing)).toEqual({ code: 'diskFull', folderName: basename(folder) });
  await setTimeout(1);
  await file.discard();
  expect(await names()).toEqual([]);
});
