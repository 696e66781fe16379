import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import configuration from '../electron-builder.config.ts';
import { addAddresses, findSandboxTrouble } from './setup.js';
import { commandOf, findNode, outputOf, root } from './tools.js';

describe("Chromium's sandbox", () => {
  const helper = '/modules/electron/dist/chrome-sandbox';
  const apparmor = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  const clone = '/proc/sys/kernel/unprivileged_userns_clone';
  const find = (files, mode, uid) =>
    findSandboxTrouble(
      helper,
      (path) => files[path] ?? null,
      () => (mode === null ? null : { mode, uid }),
    );

  test.each([
    ['Debian, where anybody may make user namespaces', {}, 0o100755, 1000],
    ['Ubuntu before 24.04', { [apparmor]: '0\n' }, 0o100755, 1000],
    ['a helper that root made SUID', { [apparmor]: '1\n' }, 0o104755, 0],
  ])('needs nothing: %s', (_what, files, mode, uid) => {
    expect(find(files, mode, uid)).toBeNull();
  });

  test.each([
    ['Ubuntu 24.04', { [apparmor]: '1\n' }, 0o100755, 1000],
    ["a helper that is SUID, and the person's own", { [apparmor]: '1\n' }, 0o104755, 1000],
    ['a kernel without namespaces for people', { [clone]: '0\n' }, 0o100755, 0],
    ['no helper at all', { [apparmor]: '1\n' }, null, 0],
  ])('needs two lines, in which the path is an argument: %s', (_what, files, mode, uid) => {
    expect(find(files, mode, uid)).toEqual([
      ['chown', 'root:root', '--', helper],
      ['chmod', '4755', '--', helper],
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('where sudo needs no password', () => {
  /** Runs a line of a script as somebody who is not root, with a `sudo` that notes its arguments. */
  function runWithSudo(line, { env = {}, answer, programs = {} } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-sudo-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o777);
    const log = join(folder, 'log');
    const write = (name, text) => writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    // sudo -n true only asks whether a password is needed.
    write('sudo', `[ "$2" = true ] || { printf '[%s]' "$@"; echo; } >> '${log}'`);
    write('apt-get', 'exit 0');
    write('apt-cache', 'exit 1');
    for (const [name, text] of Object.entries(programs)) write(name, text);
    for (const name of ['sh', 'env']) symlinkSync(`/bin/${name}`, join(folder, name));
    const script = join(folder, 'script.mjs');
    writeFileSync(
      script,
      `import * as setup from ${JSON.stringify(join(root, 'scripts', 'setup.js'))};
      const isDone = ${line};
      console.log(isDone ? 'done' : 'not done');`,
    );
    const isRoot = process.getuid() === 0;
    const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const options = {
      ...nobody,
      env: { PATH: folder, ...env },
      encoding: 'utf8',
      ...(answer !== undefined && { input: answer }),
    };
    // A file that nobody may run is not reachable below another user's home.
    const node = process.execPath;
    const { stdout, stderr } =
      answer === undefined
        ? spawnSync(node, [script], options)
        : spawnSync('/usr/bin/script', ['-qefc', `'${node}' '${script}'`, '/dev/null'], options);
    return { said: `${stdout}${stderr}`, asRoot: existsSync(log) ? readFileSync(log, 'utf8') : '' };
  }

  const path = `/made up/it's $(touch x); "`;
  const owner = `setup.offerToRun('The helper must belong to root:', [['chown', 'root:root', '--', ${JSON.stringify(path)}]])`;
  const asRoot = `[-n][chown][root:root][--][${path}]\n`;

  test('nothing gets more rights that nobody has agreed to', () => {
    const ran = runWithSudo(owner);
    expect(ran.asRoot).toBe('');
    expect(ran.said).toContain('not done');
    expect(ran.said).toContain('  sudo ');
  });

  test('installs packages of the system unasked', () => {
    const packages = runWithSudo(`setup.install('restore')`).asRoot;
    expect(packages).toContain('[apt-get][install][-y][--no-install-recommends][curl][jq]');
  });

  test('the libraries that Electron lacks are installed by their name on this Debian, and the packages need the same', () => {
    const ldd = 'echo "libgbm.so.1 => not found"';
    const installed = (known) => {
      const programs = { ldd, 'apt-cache': `case "$2" in ${known}) exit 0 ;; esac; exit 1` };
      const ran = runWithSudo(`setup.install('electron')`, { programs });
      const [, names = ''] = /--no-install-recommends\](.*)/.exec(ran.asRoot) ?? [];
      return names.match(/[^[\]]+/g);
    };
    const alternatives = configuration.deb.depends.slice(0, 5).map((each) => each.split(' | '));
    expect(installed('*t64')).toEqual(alternatives.map(([first]) => first));
    expect(installed('none')).toEqual(alternatives.map((names) => names.at(-1)));
    expect(installed('none')).toEqual(['libgtk-3-0', 'libatspi2.0-0', 'libnss3', 'libasound2', 'libgbm1']);
    expect(configuration.rpm.depends).toEqual(
      expect.arrayContaining(['(alsa-lib or libasound2)', '(mesa-libgbm or libgbm1)']),
    );
  });

  test('the printed line can be pasted, whatever the path', () => {
    const { said } = runWithSudo(owner);
    const [line = ''] = said.match(/sudo .*/) ?? [];
    const printed = spawnSync('sh', ['-c', line.replace('sudo chown', "printf '[%s]'")], {
      encoding: 'utf8',
    });
    expect(printed.stdout).toBe(`[root:root][--][${path}]`);
  });

  test('asks nobody on CI', () => {
    expect(runWithSudo(owner, { env: { CI: 'true' } })).toMatchObject({ asRoot });
  });

  test.skipIf(!existsSync('/usr/bin/script'))(
    'on a terminal the person is asked, and No is what Enter means',
    () => {
      for (const [answer, expected] of [
        ['\n', ''],
        ['n\n', ''],
        ['y\n', asRoot],
      ]) {
        const ran = runWithSudo(owner, { answer });
        expect(ran.said).toContain('[y/N]');
        expect([answer, ran.asRoot]).toEqual([answer, expected]);
      }
    },
  );
});

test('a package is run by the Node that came with the packages, whatever npm links to', () => {
  expect(outputOf([findNode(), '--version'])).toMatch(/^v24\./);
  for (const [name, packageName] of [['tsc', 'typescript'], ['oxfmt'], ['electron-vite'], ['vitest']]) {
    const [node, path] = commandOf(name, packageName);
    expect(node).toBe(findNode());
    expect([path, existsSync(path)]).toEqual([path, true]);
  }
});

test("the address of a package's archive is the registry's, with its own name and not that of its folder", () => {
  const registry = 'https://packages.invalid/npm/';
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '2.0.0-beta.1' },
    'node_modules/a/node_modules/@scope/b': { version: '3.0.0' },
    'node_modules/keytar': { name: '@github/keytar', version: '4.0.0' },
    'node_modules/known': { version: '5.0.0', resolved: 'file:known.tgz' },
  };
  const addressed = addAddresses({ lockfileVersion: 3, packages }, registry);
  expect(addressed.lockfileVersion).toBe(3);
  expect(Object.values(addressed.packages).map(({ resolved }) => resolved)).toEqual([
    undefined,
    'https://packages.invalid/npm/a/-/a-2.0.0-beta.1.tgz',
    'https://packages.invalid/npm/@scope/b/-/b-3.0.0.tgz',
    'https://packages.invalid/npm/@github/keytar/-/keytar-4.0.0.tgz',
    'file:known.tgz',
  ]);
  expect(addressed.packages['node_modules/a']).toMatchObject({ version: '2.0.0-beta.1' });
});

// Windows has no signals.
test.skipIf(process.platform === 'win32')(
  'a command is run in place: its input, its exit code, the signal that ended it',
  () => {
    const run = (code) =>
      spawnSync(findNode(), [
        '--input-type=module',
        '-e',
        `import { become } from './scripts/tools.js'; become([process.execPath, '-e', ${JSON.stringify(code)}]);`,
      ]);
    expect(run('process.exit(7)').status).toBe(7);
    expect(run("process.kill(process.pid, 'SIGTERM')").status).toBe(143);
    expect(run('console.log(1)').stdout.toString()).toBe('1\n');
  },
);

// The entry scripts run before any package is installed, on the user's own Node, which may be 20.
test('the scripts import nothing but Node and each other', () => {
  for (const name of ['start', 'open', 'dev', 'test', 'postgres', 'setup', 'electron', 'tools']) {
    const source = readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier);
    for (const specifier of imported) expect(specifier).toMatch(/^(node:|\.\/)/);
    expect(imported.length).toBeGreaterThan(0);
  }
});
