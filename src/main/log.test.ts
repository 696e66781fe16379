import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modeHere, modeOf } from '../../test-support/file-mode.ts';
import { AppFailure } from '../shared/app-failure.ts';
import { createLog } from './log.ts';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';

it('writes lines at once, readable by the person alone', async () => {
  const folder = join(await makeTestFolder(), 'logs');
  const { log, path } = createLog(folder);
  log.info('started', { version: '1.0.0' });
  log.error('failed', { cause: new AppFailure({ code: 'diskFull', folderName: 'Downloads' }) });
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', msg: 'started', version: '1.0.0', time: expect.stringMatching(/^\d{4}-/) },
    { level: 'error', cause: { name: 'AppFailure', error: { code: 'diskFull' } } },
  ]);
  expect(modeOf(path)).toBe(modeHere(0o600));
});

it('holds no token and no path of the person', async () => {
  const folder = await makeTestFolder();
  const { log, path } = createLog(folder);
  const systemError = await readFile(join(folder, 'secret-plans.txt')).catch((cause: unknown) => cause);
  log.warn('Authorization: Bearer abc.def-123', {
    token: 'abc.def-123',
    options: { masterKey: 'abc.def-123', headers: { authorization: 'abc.def-123' } },
    text: 'sent "Bearer abc.def-123"',
    cause: new Error('outer', { cause: systemError }),
  });
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain('abc.def-123');
  expect(text).not.toContain('secret-plans');
  expect(text).toContain('ENOENT');
});

it('begins a new file when the last has grown, and keeps two', async () => {
  const folder = await makeTestFolder();
  for (const mark of ['first', 'second', 'third']) {
    await writeFile(join(folder, 'coffer.log'), mark + 'x'.repeat(4 * 1024 * 1024));
    createLog(folder).log.info('again');
  }
  expect((await readdir(folder)).toSorted()).toEqual(['coffer.1.log', 'coffer.2.log', 'coffer.log']);
  const newest = await readFile(join(folder, 'coffer.1.log'), 'utf8');
  expect(newest.startsWith('third')).toBe(true);
  createLog(folder).log.info('small ones stay');
  expect(await readFile(join(folder, 'coffer.log'), 'utf8')).toContain('small ones stay');
});

it('begins a new file when this run has written enough, and loses no line', async () => {
  const folder = await makeTestFolder();
  const { log } = createLog(folder);
  const text = 'x'.repeat(64 * 1024);
  for (let number = 0; number < 100; number += 1) log.info('line', { number, text });
  const [older, newest] = await Promise.all(
    ['coffer.1.log', 'coffer.log'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  const numbers = `${older}${newest}`
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).number);
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, number) => number));
});

it.skipIf(process.platform !== 'linux')('a full disk ends nothing', async () => {
  const folder = await makeTestFolder();
  await symlink('/dev/full', join(folder, 'coffer.log'));
  const { log } = createLog(folder);
  expect(() => log.error('no room for this')).not.toThrow();
});
