import { execFile, spawnSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digestOf, writeFiles } from '../../e2e/files.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { expect, expectSound, root, test } from './fixtures.ts';

const register = join(root, 'chromium-shell', 'register.ts');
const bundled = (appFolder: string, name: string) => join(appFolder, 'out', 'main', name);

/** Bare imports of a bundle, static and dynamic. */
const bareImports = /^(?:import|export) (?:.* from )?"([^".][^"]*)";|\bimport\("([^".][^"]*)"\)/gm;

test('a package needs no module but its own, Electron’s and Node’s', ({ appFolder }) => {
  const folder = bundled(appFolder, '');
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const needed = names.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(bareImports)].map(
      ([, at, then]) => at ?? then ?? '',
    ),
  );
  expect(needed).toContain('node:worker_threads');
  expect([...new Set(needed.filter((name) => !isBuiltin(name)))].sort()).toEqual(['electron', 'keytar']);
});

test('a package runs away from its sources, in threads and with the keychain', async ({ appFolder }) => {
  const words = [bundled(appFolder, 'command.js'), '--user-data-dir', join(appFolder, '..', 'data')];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...words, 'doctor', '--json'],
    { cwd: appFolder },
  );
  expectSound(stdout);
});

test('a failed start shows one error and leaves no process', ({ appFolder }) => {
  const words = [bundled(appFolder, 'index.js'), '--user-data-dir=package.json/data'];
  const { status, stderr } = spawnSync(process.execPath, ['--import', register, ...words], {
    cwd: appFolder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(status).toBe(1);
  // For the terminal, and in a box, which the stand-in writes there too.
  expect(stderr.match(/^Coffer can’t start\. /gm)).toHaveLength(1);
  expect(stderr.match(/Coffer can’t start: /g)).toHaveLength(1);
  expect(stderr).not.toContain('    at ');
});

test('a package starts away from its sources, uploads an object and downloads it @all', async ({ app }) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'report.bin': 200_000 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(1);
  await coffer.expectStored('report.bin');
  await coffer.download('report.bin');
  await expect(coffer.transfer('report.bin', 'download', 'Done')).toBeVisible();
  const saved = join(app.downloads, 'This computer', 'report.bin');
  expect(digestOf(saved)).toBe(digestOf(join(app.folder, 'mine', 'report.bin')));
});

/** The workflows run it with real Electron on each system. */
test('try-package.ts uses a started package through the command, and ends it @all', async ({
  appFolder,
  display,
}) => {
  const words = [
    '--disable-warning=ExperimentalWarning',
    join(root, 'packaging', 'try-package.ts'),
    process.execPath,
    '--import',
    register,
    bundled(appFolder, 'index.js'),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, ...display },
  });
  expect(stdout).toBe('It starts, answers, uploads, downloads and ends.\n');
});
