import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { makePrivateFolder, NotPrivate, requireOwnSocket } from './private-folder.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

it.skipIf(process.platform === 'win32')(
  'makes the folder for this person alone, and closes one that was open',
  async () => {
    const folder = join(await makeTestFolder(), 'user data');
    makePrivateFolder(folder);
    expect(modeOf(folder)).toBe('700');

    writeFileSync(join(folder, 'coffer.db'), '');
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

describe.skipIf(process.platform === 'win32')('a folder that was there for something else', () => {
  it('closes it before anything of ours is in it', async () => {
    const folder = await makeTestFolder();
    chmodSync(folder, 0o755);
    makePrivateFolder(folder);
    expect(modeOf(folder)).toBe('700');
  });

  it('refuses it if others can write to it', async () => {
    const folder = await makeTestFolder();
    chmodSync(folder, 0o775);
    expect(() => makePrivateFolder(folder)).toThrow(NotPrivate);
    expect(modeOf(folder)).toBe('775');
  });
});

describe.skipIf(process.platform === 'win32')('the socket of the app', () => {
  async function serve(): Promise<string> {
    const path = join(await makeTestFolder(), 'agent.sock');
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return path;
  }

  it('trusts it if it is one’s own, in a folder of one’s own', async () => {
    const path = await serve();
    expect(() => requireOwnSocket(path)).not.toThrow();
    chmodSync(dirname(path), 0o777);
    expect(() => requireOwnSocket(path)).toThrow(NotPrivate);
  });

  it.skipIf(process.getuid?.() !== 0)('of another user is refused', async () => {
    const path = await serve();
    chownSync(path, 65_534, 65_534);
    expect(() => requireOwnSocket(path)).toThrow(NotPrivate);
  });

  it('is no link', async () => {
    const path = await serve();
    const link = join(dirname(path), 'link');
    symlinkSync(path, link);
    expect(() => requireOwnSocket(link)).toThrow(NotPrivate);
  });
});
