import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { makePrivateFolder } from './private-folder.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

it.skipIf(process.platform === 'win32')(
  'is made for this person alone, and closed when it was open',
  async () => {
    const folder = join(await makeTestFolder(), 'user data');
    makePrivateFolder(folder);
    expect(modeOf(folder)).toBe('700');

    for (const name of ['copies', 'logs', 'local-service', 'Chromium']) mkdirSync(join(folder, name));
    for (const name of ['', 'copies', 'logs', 'local-service', 'Chromium'])
      chmodSync(join(folder, name), 0o755);
    makePrivateFolder(folder);
    for (const name of ['', 'copies', 'logs', 'local-service'])
      expect(modeOf(join(folder, name))).toBe('700');
    expect(modeOf(join(folder, 'Chromium'))).toBe('755');
    expect(existsSync(join(folder, 'local-service-session'))).toBe(false);
  },
);

it.skipIf(process.platform === 'win32')('leaves a folder unchanged that is shared on purpose', async () => {
  const folder = await makeTestFolder();
  chmodSync(folder, 0o1777);
  makePrivateFolder(folder);
  expect(modeOf(folder)).toBe('1777');
});
