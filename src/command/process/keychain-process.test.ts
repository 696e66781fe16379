import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commandScript, openWorld } from '../../../test-support/command/command-world.ts';
import { startInPipe } from '../../../test-support/command/start-command.ts';
import { openKeychainProcess, startKeychainProcess } from './keychain-process.ts';

const run = promisify(execFile);
const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

const open = () =>
  openKeychainProcess(() =>
    startKeychainProcess(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--', commandScript],
      process.env,
    ),
  );

describe.skipIf(!hasKeychain)('the process for the keychain', () => {
  test('stores, returns and deletes', async () => {
    const keychain = open();
    const account = `process ${process.pid}`;
    await keychain.setPassword('coffer-test', account, 'grüße\n🔑');
    expect(await keychain.getPassword('coffer-test', account)).toBe('grüße\n🔑');
    expect(await keychain.deletePassword('coffer-test', account)).toBe(true);
    expect(await keychain.getPassword('coffer-test', account)).toBeNull();
  });

  test('hides what that process writes to standard error', async () => {
    const world = await openWorld({ with: 'none' });
    const mark = join(world.files, 'mark');
    // Like GLib, writes to the descriptor directly.
    const script = `import fs from 'node:fs';
      if (process.argv.at(-1) === '_keychain') {
        fs.writeSync(2, '(process:1): GLib-GIO-CRITICAL **: assertion failed\\n');
        fs.writeFileSync(process.env.MARK, String('COFFER_TOKEN' in process.env));
      }`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`;
    const env = { ...world.env, NODE_OPTIONS, MARK: mark };
    const doctor = startInPipe(['doctor'], { cwd: world.files, env });
    expect(await doctor.ended).toBe(0);
    expect(doctor.stdout()).toContain('Keychain: works');
    expect(doctor.stderr()).toBe('');
    expect(existsSync(mark) && readFileSync(mark, 'utf8')).toBe('false');
  });

  test('several processes that delete each other’s entries print nothing', { tags: 'all' }, async () => {
    const script = `
      import { openKeychainProcess, startKeychainProcess } from ${JSON.stringify(join(import.meta.dirname, 'keychain-process.ts'))};
      const words = ['--disable-warning=ExperimentalWarning', '--', ${JSON.stringify(commandScript)}];
      const use = async () => {
        const keychain = openKeychainProcess(() => startKeychainProcess(process.execPath, words, process.env));
        for (let times = 0; times < 40; times += 1) {
          await keychain.setPassword('coffer-test', 'shared', 'value').catch(() => undefined);
          await keychain.getPassword('coffer-test', 'shared').catch(() => undefined);
          await keychain.deletePassword('coffer-test', 'shared').catch(() => undefined);
        }
      };
      const alive = setInterval(() => undefined, 1000);
      await Promise.all([use(), use(), use(), use()]);
      clearInterval(alive);
      console.log('over');`;
    const node = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
    expect(await run(process.execPath, node)).toEqual({ stdout: 'over\n', stderr: '' });
  });
});

test.skipIf(process.platform !== 'linux')(
  'if the process ends, pending calls fail, and the next call restarts it',
  async () => {
    let started = 0;
    const keychain = openKeychainProcess(() => {
      started += 1;
      return startKeychainProcess('sh', ['-c', 'read line; exit 1', 'sh'], {});
    });
    await expect(keychain.getPassword('coffer', 'a')).rejects.toThrow('ended');
    await expect(keychain.getPassword('coffer', 'a')).rejects.toThrow('ended');
    expect(started).toBe(2);
    const missing = openKeychainProcess(() => startKeychainProcess('/no/such/program', [], {}));
    await expect(missing.getPassword('coffer', 'a')).rejects.toThrow('ENOENT');
  },
);
