import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import { createSpaceGuard, freeBytesForNew, freeBytesIn, withSpace } from './free-space.ts';

const full = new AppFailure({ code: 'diskFull', folderName: 'Downloads' });

it('adds the free and the needed space to diskFull', async () => {
  expect(toAppError(await withSpace(full, tmpdir(), 5000))).toEqual({
    code: 'diskFull',
    folderName: 'Downloads',
    freeBytes: expect.any(Number),
    neededBytes: 5000,
  });
});

it('leaves other errors unchanged', async () => {
  const nowhere = join(tmpdir(), 'not', 'there');
  expect(await freeBytesIn(nowhere)).toBeNull();
  expect(await withSpace(full, nowhere, 5000)).toBe(full);
  expect(await withSpace(full, tmpdir(), null)).toBe(full);
  const other = new AppFailure({ code: 'folderGone', folderName: 'Downloads' });
  expect(await withSpace(other, tmpdir(), 5000)).toBe(other);
});

it('measures a folder that is still to be made by its nearest parent', async () => {
  expect(await freeBytesForNew(join(tmpdir(), 'not', 'there'))).toEqual(expect.any(Number));
  expect(await freeBytesForNew(tmpdir())).toEqual(expect.any(Number));
});

it.skipIf(process.platform !== 'linux')(
  'takes a file system that counts no blocks for one that cannot tell',
  async () => {
    expect(await freeBytesIn('/proc')).toBeNull();
  },
);

it('stops a file of unknown length before the disk is full', async () => {
  const mb = 1024 * 1024;
  let free = 100 * mb;
  const guard = createSpaceGuard('/home/me/Downloads', async () => free);
  await guard(20 * mb);
  free = 10 * mb;
  // Checks every 16 MB.
  await guard(30 * mb);
  await expect(guard(40 * mb)).rejects.toMatchObject({ error: full.error });
});
