import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

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

test.skipIf(process.platform === 'win32')('what the command starts has the variables of the person', () => {
  const folder = makeFolder();
  for (const path of ['bin', 'out/main']) mkdirSync(join(folder, path), { recursive: true });
  cpSync(join(root, 'bin', 'coffer'), join(folder, 'bin', 'coffer'));
  const show = 'console.log(JSON.stringify(process.env))';
  writeFileSync(join(folder, 'out', 'main', 'command.js'), show);
  // A name of the script's own would take the place of the person's.
  const names = readFileSync(join(root, 'bin', 'coffer'), 'utf8').match(/\b[a-z_]+(?==)|(?<=for )\w+/g) ?? [];
  const common = names.filter((name) => !name.startsWith('coffer_'));
  expect(common).toContain('version');
  const env = Object.fromEntries(common.map((name) => [name, 'mine']));
  symlinkSync(join(folder, 'bin', 'coffer'), join(folder, 'link'));
  const { stdout, stderr } = spawnSync(join(folder, 'link'), [], {
    env: { ...env, PATH: process.env['PATH'], COFFER_NODE: process.execPath },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject(env);
});

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

test.skipIf(process.platform === 'win32')('says that it has built nothing', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'bin'));
  const script = join(folder, 'bin', 'coffer');
  spawnSync('cp', [join(root, 'bin', 'coffer'), script]);
  const { stderr, status } = spawnSync(script, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('Run npm start');
});

describe.skipIf(process.platform === 'win32')('the command of a checkout runs on', () => {
  /** Which of these Nodes runs the command: the checkout's, that on the PATH, that of COFFER_NODE; what is said if none does. */
  function choose(versions: { own?: string; path?: string; named?: string }): string {
    const folder = makeFolder();
    const write = (path: string, version: string, name: string) => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      const body = `[ "$1" = --version ] && echo ${version} || echo ${name}`;
      writeFileSync(join(folder, path), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    };
    mkdirSync(join(folder, 'bin'));
    cpSync(join(root, 'bin', 'coffer'), join(folder, 'bin', 'coffer'));
    write('out/main/command.js', '', '');
    const { own, path, named } = versions;
    if (own) write('node_modules/node/bin/node', own, 'own');
    if (path) write('path/node', path, 'path');
    if (named) write('named', named, 'named');
    // Debian has a Node in /usr/bin, so the PATH has only what the script uses.
    mkdirSync(join(folder, 'path'), { recursive: true });
    for (const name of ['sh', 'dirname']) {
      const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
      symlinkSync(stdout.trim(), join(folder, 'path', name));
    }
    const env = { PATH: join(folder, 'path'), ...(named && { COFFER_NODE: join(folder, 'named') }) };
    const ran = spawnSync(join(folder, 'bin', 'coffer'), ['ls'], { env, encoding: 'utf8' });
    return ran.stdout.trim() || ran.stderr.trim();
  }

  test.each([
    [{ own: 'v24.9.0', path: 'v24.21.0' }, 'path'],
    [{ own: 'v24.9.0', path: 'v26.0.0' }, 'path'],
    [{ own: 'v24.21.0', path: 'v24.9.1' }, 'own'],
    [{ own: 'v24.9.0', path: 'v24.9.0' }, 'own'],
    [{ own: 'v24.9.0', path: 'v20.19.2' }, 'own'],
    [{ own: 'v24.9.0', path: 'v26.0.0-nightly20261101abc' }, 'path'],
    [{ own: 'v24.9.0', path: 'nonsense' }, 'own'],
    [{ own: 'v24.9.0' }, 'own'],
    [{ path: 'v24.0.0' }, 'path'],
    [{ own: 'v24.9.0', path: 'v26.0.0', named: 'v24.1.0' }, 'named'],
  ])('%o: %s', (versions, chosen) => expect(choose(versions)).toBe(chosen));

  test('a Node that is named and too old, in place of no other', () => {
    expect(choose({ own: 'v24.9.0', named: 'v18.20.4' })).toContain(
      'needs Node 24 or newer, and this is v18.20.4',
    );
  });
});

test.skipIf(process.platform === 'win32')('keeps little of what is no longer used in memory', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'out', 'main'), { recursive: true });
  writeFileSync(join(folder, 'out', 'main', 'command.js'), 'console.log(...process.execArgv);');
  cpSync(join(root, 'bin', 'coffer'), join(folder, 'bin', 'coffer'));
  const env = { ...process.env, COFFER_NODE: process.execPath };
  const { stdout } = spawnSync(join(folder, 'bin', 'coffer'), ['ls'], { env, encoding: 'utf8' });
  expect(stdout).toContain('--min-semi-space-size=4 --max-semi-space-size=4');
});

test('the Windows script passes the arguments unchanged to a recent enough Node', () => {
  const script = readFileSync(join(root, 'bin', 'coffer.cmd'), 'utf8');
  const lines = script.split('\r\n');
  // With LF line ends the command processor may not find a label.
  expect(script).not.toMatch(/(?<!\r)\n/);
  expect(lines.at(-2)).toBe(
    '"%NODE%" --disable-warning=ExperimentalWarning --min-semi-space-size=4 --max-semi-space-size=4 -- "%~dp0..\\out\\main\\command.js" %*',
  );
  expect(script).toContain('if %VERSION% LSS 24');
  // A newer one on the PATH is taken instead of the checkout's own.
  expect(lines).toContain('if %OWNNUMBER% LSS %NUMBER% goto check');
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
