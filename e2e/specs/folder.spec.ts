import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('takes a folder of 60 files, and leaves a link in it out', async ({ app }) => {
  const names = Array.from({ length: 60 }, (_, at) => `handover/part-${at % 8}/file-${at}.dat`);
  writeFiles(app.folder, Object.fromEntries(names.map((name, at) => [name, 100 + at])));
  symlinkSync('/etc/hostname', join(app.folder, 'handover', 'a-link'));

  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop([join(app.folder, 'handover')]);
  await expect(coffer.sheet.getByText('doesn’t follow links')).toBeVisible();
  await expect(coffer.sheet.getByText('60 of 61 files are ready')).toBeVisible();
  await coffer.startUpload(60);

  await expect(coffer.collection('All objects')).toContainText('60');
  await expect(app.page.getByText('Nothing is moving').first()).toBeVisible({ timeout: 30_000 });
  await coffer.search.fill('state:stored');
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '61');
  await coffer.search.fill('file-51.dat');
  await coffer.expectStored('handover/part-3/file-51.dat');
});
