import { expect, test } from 'vitest';
import { commonFolder } from '../transfers/handlers.ts';

test.skipIf(process.platform === 'win32').each([
  [['/d/a.txt'], '/d'],
  [['/d/a.txt', '/d/b.txt'], '/d'],
  [['/d/x/a.txt', '/d/y/b.txt', '/d/c.txt'], '/d'],
  [['/d/x/a.txt', '/d/xy/b.txt'], '/d'],
  [['/d/..x/a.txt', '/d/..x/e/b.txt'], '/d/..x'],
  [['/a.txt', '/d/b.txt'], '/'],
])('%j lie in %s', (paths, folder) => expect(commonFolder(paths)).toBe(folder));

test.skipIf(process.platform !== 'win32')('two drives have no folder in common', () =>
  expect(commonFolder(['C:\\d\\a', 'D:\\d\\a'])).toBe(null),
);
