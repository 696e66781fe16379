import { expect, test } from 'vitest';
import { createRealPaths } from './watched-folder.ts';

test('concurrent callers share one look-up', async () => {
  const asked: string[] = [];
  const realPathOf = createRealPaths(async (folder) => {
    asked.push(folder);
    return `/real${folder}`;
  });
  expect(await Promise.all(['/a', '/a', '/b'].map(realPathOf))).toEqual(['/real/a', '/real/a', '/real/b']);
  expect(asked).toEqual(['/a', '/b']);
});

test('follows a link to its new target', async () => {
  let target = '/first';
  const realPathOf = createRealPaths(async () => target);
  expect(await realPathOf('/a')).toBe('/first');
  target = '/second';
  expect(await realPathOf('/a')).toBe('/second');
});

test('returns a missing folder as given, and looks it up again', async () => {
  let isThere = false;
  const realPathOf = createRealPaths(async (folder) => {
    if (!isThere) throw new Error('ENOENT');
    return `/real${folder}`;
  });
  expect(await realPathOf('/a')).toBe('/a');
  isThere = true;
  expect(await realPathOf('/a')).toBe('/real/a');
});

test('waits for a hanging drive once, with one look-up, and delays no other drive', async () => {
  const hanging = Promise.withResolvers<string>();
  const asked: string[] = [];
  const realPathOf = createRealPaths((folder) => {
    asked.push(folder);
    return folder === '/network' ? hanging.promise : Promise.resolve(`/real${folder}`);
  }, 1);
  expect(await realPathOf('/network')).toBe('/network');
  expect(await realPathOf('/network')).toBe('/network');
  expect(await realPathOf('/a')).toBe('/real/a');
  expect(asked).toEqual(['/network', '/a']);
  hanging.resolve('/real/network');
  await expect.poll(() => realPathOf('/network')).toBe('/real/network');
});
