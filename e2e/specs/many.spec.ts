import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

const nameOf = (at: number) => `file-${at + 10_000}.dat`;
const writeMany = (folder: string, count: number) =>
  writeFiles(folder, Object.fromEntries(Array.from({ length: count }, (_, at) => [nameOf(at), 64])));

test('names 2,000 files in one sheet, all and one by one, and takes a folder of 60 without the link in it @all', async ({
  app,
}) => {
  const files = writeMany(join(app.folder, 'many'), 2000);
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.unfoldOptions();
  const template = coffer.sheet.getByRole('textbox', { name: 'Name files by' });
  await template.fill('batch/{name}');
  await template.press('Enter');
  const first = coffer.sheet.getByRole('textbox', { name: 'Identifier of file-10000.dat' });
  await expect(first).toHaveValue('batch/file-10000.dat');
  await first.fill('the first');
  await first.press('Enter');
  await expect(coffer.sheet.getByRole('button', { name: 'Upload 2,000 objects' })).toBeEnabled();
  await expect(first).toHaveValue('the first');
  await coffer.sheet.getByRole('button', { name: 'Cancel' }).click();
  await expect(coffer.sheet).toBeHidden();

  const names = Array.from({ length: 60 }, (_, at) => `handover/part-${at % 8}/file-${at}.dat`);
  writeFiles(app.folder, Object.fromEntries(names.map((name, at) => [name, 100 + at])));
  symlinkSync('/etc/hostname', join(app.folder, 'handover', 'a-link'));
  await app.drop([join(app.folder, 'handover')]);
  await expect(coffer.sheet.getByText('doesn’t follow links')).toBeVisible();
  await expect(coffer.sheet.getByText('60 of 61 files are ready')).toBeVisible();
  await coffer.startUpload(60);
  await expect(coffer.collection('All objects')).toContainText('60');
  await expect(app.page.getByText('No transfers').first()).toBeVisible({ timeout: 30_000 });
  await coffer.search.fill('state:stored');
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '61');
  await coffer.search.fill('file-51.dat');
  await coffer.expectStored('handover/part-3/file-51.dat');
});

test('stays responsive while 10,000 files are added @all', async ({ app }) => {
  writeMany(join(app.folder, 'batch'), 10_000);
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop([join(app.folder, 'batch')]);
  await coffer.sheet.getByRole('button', { name: 'Upload 10,000 objects' }).click();
  await expect(coffer.sheet).toBeHidden();

  // Rows appear at once, and the list, the search and the transfers respond during transfers.
  await expect(coffer.collection('All objects')).toContainText('10,000');
  await coffer.search.fill('file-10000');
  await coffer.expectStored('batch/file-10000.dat');
  await coffer.search.fill('state:stored');
  await expect
    .poll(async () => Number(await coffer.objects.getAttribute('aria-rowcount')))
    .toBeGreaterThan(20);
  await coffer.search.fill('file-19999');
  await expect(coffer.row('batch/file-19999.dat')).toContainText('Waiting');

  await coffer.showTab('Transfers');
  await app.page.getByRole('button', { name: 'Cancel all' }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel all' }).click();
  await expect(app.page.getByRole('button', { name: 'No transfers' })).toBeVisible();
  await expect(coffer.row('batch/file-19999.dat')).toBeHidden();
  await coffer.search.fill('state:stored file-10000');
  await coffer.expectStored('batch/file-10000.dat');
});
