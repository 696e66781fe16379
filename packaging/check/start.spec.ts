import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digestOf, writeFiles } from '../../e2e/files.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { expect, root, test } from './fixtures.ts';

test('a package starts away from its sources, uploads an object and downloads it', async ({ app }) => {
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
  const register = join(root, 'chromium-shell', 'register.ts');
  const words = [
    '--disable-warning=ExperimentalWarning',
    join(root, 'packaging', 'try-package.ts'),
    process.execPath,
    '--import',
    register,
    join(appFolder, 'out', 'main', 'index.js'),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, ...display },
  });
  expect(stdout).toBe('It starts, answers, uploads, downloads and ends.\n');
});
