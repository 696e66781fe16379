import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addAddresses, findSandboxTrouble } from './setup.js';
import { commandOf, findNode, outputOf } from './tools.js';

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
  ])('needs one line: %s', (_what, files, mode, uid) => {
    expect(find(files, mode, uid)?.command).toEqual([
      'sh',
      '-c',
      `chown root:root '${helper}' && chmod 4755 '${helper}'`,
    ]);
  });
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

test('a command is run in place: its input, its exit code, the signal that ended it', () => {
  const run = (code) =>
    spawnSync(findNode(), [
      '--input-type=module',
      '-e',
      `import { become } from './scripts/tools.js'; become([process.execPath, '-e', ${JSON.stringify(code)}]);`,
    ]);
  expect(run('process.exit(7)').status).toBe(7);
  expect(run("process.kill(process.pid, 'SIGTERM')").status).toBe(143);
  expect(run('console.log(1)').stdout.toString()).toBe('1\n');
});

// The entry scripts run before any package is installed, on the user's own Node, which may be 20.
test('the scripts import nothing but Node and each other', () => {
  for (const name of ['start', 'open', 'dev', 'test', 'setup', 'tools']) {
    const source = readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier);
    for (const specifier of imported) expect(specifier).toMatch(/^(node:|\.\/)/);
    expect(imported.length).toBeGreaterThan(0);
  }
});
