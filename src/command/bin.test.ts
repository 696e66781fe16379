import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  bin: { coffer: string };
};
const isBuilt = existsSync(join(root, 'out', 'main', 'command.js'));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(process.platform === 'win32' || !isBuilt)(
  'works from a checkout through symbolic links on the PATH',
  () => {
    const folder = makeFolder();
    symlinkSync(join(root, about.bin.coffer), join(folder, 'first'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync('../first', join(folder, 'bin', 'coffer'));
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
    const { stdout, stderr } = spawnSync('coffer', ['--version'], { env, encoding: 'utf8', cwd: folder });
    expect({ stdout, stderr }).toEqual({ stdout: `${about.version}\n`, stderr: '' });
  },
);

test.skipIf(process.platform !== 'linux' || !isBuilt)(
  'neither the command of a checkout nor what it starts leaves a core dump',
  () => {
    const folder = makeFolder();
    const words = ['run', '--no-masking', '--', 'sh', '-c', 'ulimit -S -c'];
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      COFFER_ADDRESS: 'http://127.0.0.1:1',
      COFFER_TOKEN: 'token',
    };
    const { stdout } = spawnSync(
      'sh',
      ['-c', 'ulimit -S -c unlimited; exec "$0" "$@"', join(root, about.bin.coffer), ...words],
      {
        env,
        encoding: 'utf8',
        cwd: folder,
      },
    );
    expect(stdout).toBe('0\n');
  },
);

test.skipIf(process.platform !== 'linux')('caches no code where others could write it', () => {
  for (const [mode, isCached] of [
    [0o755, true],
    [0o775, false],
  ] as const) {
    const folder = makeFolder();
    const data = join(folder, 'Coffer');
    mkdirSync(data);
    chmodSync(data, mode);
    spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(root, 'src', 'command', 'index.ts'), '--version'],
      { env: { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder } },
    );
    expect([mode, existsSync(join(data, 'command-cache'))]).toEqual([mode, isCached]);
  }
});

test.skipIf(process.platform === 'win32')('says that nothing was built', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'bin'));
  const script = join(folder, 'bin', 'coffer');
  spawnSync('cp', [join(root, 'bin', 'coffer'), script]);
  const { stderr, status } = spawnSync(script, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('Run npm start');
});

test('the Windows script passes the arguments unchanged to a recent enough Node', () => {
  const script = readFileSync(join(root, 'bin', 'coffer.cmd'), 'utf8');
  const lines = script.split('\r\n');
  // With LF line ends the command processor may not find a label.
  expect(script).not.toMatch(/(?<!\r)\n/);
  expect(lines.at(-2)).toBe(
    '"%NODE%" --disable-warning=ExperimentalWarning -- "%~dp0..\\out\\main\\command.js" %*',
  );
  expect(script).toContain('if %VERSION% LSS 24');
});

test('asking the app does not load zod, which takes a third of the start', () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (name === 'zod') throw new Error('zod is loaded by ' + context.parentURL);
        return next(name, context);
      },
    });
    await import('./src/command/main.ts');
    await import('./src/command/commands/list.ts');
  `;
  const args = ['--input-type=module', '-e', script];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});
