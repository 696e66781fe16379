import { expect, test } from 'vitest';
import { createRealPaths } from './drive-answers.ts';

test('those who ask at the same time share a question', async () => {
  const asked: string[] = [];
  const realPathOf = createRealPaths(async (folder) => {
    asked.push(folder);
    return `/real${folder}`;
  });
  expect(await Promise.all(['/a', '/a', '/b'].map(realPathOf))).toEqual(['/real/a', '/real/a', '/real/b']);
  expect(asked).toEqual(['/a', '/b']);
});

test('a link that leads elsewhere now is followed there', async () => {
  let target = '/first';
  const realPathOf = createRealPaths(async () => target);
  expect(await realPathOf('/a')).toBe('/first');
  target = '/second';
  expect(await realPathOf('/a')).toBe('/second');
});

test('a folder that is not there goes by its name, and is asked for again', async () => {
  let isThere = false;
  const realPathOf = createRealPaths(async (folder) => {
    if (!isThere) throw new Error('ENOENT');
    return `/real${folder}`;
  });
  expect(await realPathOf('/a')).toBe('/a');
  isThere = true;
  expect(await realPathOf('/a')).toBe('/real/a');
});

test('a drive that hangs is waited for once, asked once, and holds up no other', async () => {
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
