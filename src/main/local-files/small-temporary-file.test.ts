import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { closeTemporaryFileWriters, createSmallTemporaryFile } from './small-temporary-file.ts';
import { newTemporaryName, targetOfPath } from './target.ts';
import type { Target } from './temporary-file.ts';
import {
  distinctBytes,
  errorOf,
  openFilesIn,
  sha256Of,
} from '../../../test-support/main/local-files/testing.ts';
import { runs } from '../../../test-support/runs.ts';

let folder: string;
let target: Target;
beforeEach(async () => {
  folder = await makeTestFolder();
  target = { folder, makesFolder: false, fileName: 'a.txt', replaces: false };
});
afterAll(() => closeTemporaryFileWriters());

const names = async () => (await readdir(folder)).toSorted();
const create = (change: Partial<Target> = {}, lengthBytes = 100) => {
  const changed = { ...target, ...change };
  const both = [newTemporaryName(changed.fileName), newTemporaryName(changed.fileName)] as const;
  return createSmallTemporaryFile(changed, both, lengthBytes);
};

describe('a small temporary file', () => {
  test('holds all bytes, in pieces of any size', async () => {
    const sizes = fc.oneof(fc.nat(100), fc.constantFrom(10_000, 65_536, 65_537, 200_000));
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { maxLength: 4 }), fc.boolean(), async (pieces, isCut) => {
        const whole = Buffer.concat(pieces.map((sizeBytes) => distinctBytes(sizeBytes)));
        const file = create({ fileName: 'b' }, whole.length + (isCut ? 1 : 0));
        let doneBytes = 0;
        for (const sizeBytes of pieces) {
          const given = Buffer.from(whole.subarray(doneBytes, (doneBytes += sizeBytes)));
          await file.write(given);
          // The memory is reused by its owner.
          given.fill(0);
        }
        expect(await file.digest()).toBe(sha256Of(whole));
        await file.sync();
        expect(await names()).toEqual([basename(file.path)]);
        const { path, isDurable } = await file.publish();
        await file.discard();
        expect(isDurable).toBe(true);
        expect((await readFile(path)).equals(whole)).toBe(true);
        expect(await names()).toEqual(['b']);
        await rm(path);
      }),
      { numRuns: runs(30) },
    );
    expect(await openFilesIn(folder)).toEqual([]);
  });

  test('four hundred of one name at once: each file holds its own bytes', async () => {
    const expected = new Map<string, string>();
    await Promise.all(
      Array.from({ length: 400 }, async (_, number) => {
        const text = `${String(number)} `.repeat((number % 7) * 300 + 1);
        const file = create({ fileName: 'data.json' }, text.length);
        await file.write(Buffer.from(text));
        await file.sync();
        expected.set(basename((await file.publish()).path), text);
        await file.discard();
      }),
    );
    expect(await names()).toEqual([...expected.keys()].toSorted());
    for (const [name, text] of expected) expect(await readFile(join(folder, name), 'utf8')).toBe(text);
    expect(await openFilesIn(folder)).toEqual([]);
  });

  test('takes the other name when its own is taken', async () => {
    const own = 'a.txt.00000000.part';
    const other = 'a.txt.11111111.part';
    await writeFile(join(folder, own), 'of somebody');
    const file = createSmallTemporaryFile(target, [own, other], 3);
    await file.write(Buffer.from('abc'));
    await file.sync();
    expect(file.path).toBe(join(folder, other));
    await file.publish();
    expect(await names()).toEqual(['a.txt', own]);
    expect(await readFile(join(folder, own), 'utf8')).toBe('of somebody');
  });

  test('leaves nothing when it is discarded at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(4), fc.boolean(), async (turns, isHanded) => {
        const file = create();
        await file.write(distinctBytes(100));
        const syncing = isHanded ? file.sync().catch((cause: unknown) => cause) : null;
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        await file.discard();
        await syncing;
        await expect(file.write(Buffer.from('x'))).rejects.toThrow('after the end');
        expect(await names()).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
    expect(await openFilesIn(folder)).toEqual([]);
  });
});

describe('its final name', () => {
  test('numbers it when it is taken, and replaces only what a person agreed to replace', async () => {
    await writeFile(join(folder, 'a.txt'), 'here before');
    expect(await create().publish()).toEqual({ path: join(folder, 'a (1).txt'), isDurable: true });
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('here before');
    const chosen = targetOfPath(join(folder, 'a.txt'));
    const file = createSmallTemporaryFile(
      { ...chosen, isPrivate: true },
      [newTemporaryName(chosen.fileName)],
      3,
    );
    await file.write(Buffer.from('new'));
    await file.publish();
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new');
    expect(modeOf(join(folder, 'a.txt'))).toBe(modeHere(0o600));
    expect(await names()).toEqual(['a (1).txt', 'a.txt']);
  });

  test('creates its folder with the parents', async () => {
    const inside = join(folder, 'Downloads', 'Archive');
    expect((await create({ folder: inside, makesFolder: true }).publish()).path).toBe(join(inside, 'a.txt'));
    const gone = { code: 'folderGone', folderName: 'none' };
    const nowhere = create({ folder: join(folder, 'none') });
    expect(await errorOf(nowhere.sync())).toEqual(gone);
    await nowhere.discard();
    await writeFile(join(folder, 'file'), '');
    const below = create({ folder: join(folder, 'file'), makesFolder: true });
    expect(await errorOf(below.sync())).toEqual({ code: 'folderGone', folderName: 'file' });
  });
});

test("neither moves nor removes another's file under the temporary name", async () => {
  const file = create();
  await file.sync();
  await rm(file.path);
  await writeFile(file.path, 'theirs');
  expect(await errorOf(file.publish())).toEqual({ code: 'partGone', fileName: 'a.txt' });
  await file.discard();
  expect(await names()).toEqual([basename(file.path)]);
  expect(await readFile(file.path, 'utf8')).toBe('theirs');
});

test('fails when the folder is moved away or read-only', async () => {
  const inside = join(folder, 'inside');
  await mkdir(inside);
  const file = create({ folder: inside });
  await file.sync();
  await rename(inside, join(folder, 'elsewhere'));
  expect(await errorOf(file.publish())).toEqual({ code: 'folderGone', folderName: 'inside' });
  await file.discard();
  // Root may write everywhere, and on Windows no mode forbids it.
  if (process.getuid === undefined || process.getuid() === 0) return;
  await chmod(folder, 0o500);
  expect(await errorOf(create().sync())).toEqual({ code: 'folderReadOnly', folderName: basename(folder) });
  await chmod(folder, 0o700);
});

test('fails pending work when the thread ends, leaves nothing, and works again', async () => {
  const file = create();
  await file.write(Buffer.from('abc'));
  await file.sync();
  await closeTemporaryFileWriters();
  await expect(file.publish()).rejects.toThrow('temporary-file thread was ended');
  await file.discard();
  expect(await names()).toEqual([]);
  expect((await create().publish()).path).toBe(join(folder, 'a.txt'));
});
