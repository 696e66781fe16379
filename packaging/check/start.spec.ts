import { join } from 'node:path';
import { digestOf, writeFiles } from '../../e2e/files.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { expect, test } from './fixtures.ts';

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
