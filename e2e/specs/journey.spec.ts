import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { classificationAtService } from '../service.ts';

test('on this computer: drop, see the first in Details, classify, store, find, get back, delete, and find it all again', async ({
  app,
}) => {
  const files = writeFiles(join(app.folder, 'mine'), {
    'board pack.pdf': 3_000_000,
    'naïve 📦 report.txt': 12_345,
    'empty.bin': 0,
  });

  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.page.setViewportSize({ width: 900, height: 600 });
  await app.drop(Object.values(writeFiles(join(app.folder, 'mine'), { 'first.txt': 2_000 })));
  await coffer.sheet.getByRole('button', { name: 'Upload 1 object' }).click();
  await expect(coffer.row('first.txt')).toHaveAttribute('aria-selected', 'true');
  await expect(app.page.getByRole('tab', { name: 'Details', selected: true })).toBeVisible();
  await expect(app.page.getByRole('tabpanel', { name: 'Details' })).toContainText('first.txt');
  await app.page.setViewportSize({ width: 1280, height: 800 });

  await app.drop(Object.values(files));
  await expect(coffer.sheet.getByRole('table', { name: 'Files to upload' })).toBeVisible();
  await expect(coffer.sheet.getByRole('textbox', { name: 'Identifier of board pack.pdf' })).toHaveValue(
    'board pack.pdf',
  );
  await coffer.sheet
    .getByRole('textbox', { name: 'Identifier of board pack.pdf' })
    .fill('reports/2026/board-pack.pdf');
  await coffer.chooseClassification('Restricted');
  await coffer.startUpload(3);

  for (const identifier of ['reports/2026/board-pack.pdf', 'naïve 📦 report.txt', 'empty.bin']) {
    await coffer.expectStored(identifier);
    await expect(coffer.row(identifier)).toContainText('Restricted');
  }
  await expect(coffer.transfer('reports/2026/board-pack.pdf', 'upload', 'Done')).toContainText(
    'stored size matches',
  );

  await coffer.search.fill('📦');
  await expect(coffer.row('naïve 📦 report.txt')).toBeVisible();
  await expect(coffer.row('empty.bin')).toBeHidden();
  await coffer.search.fill('board');
  await coffer.row('reports/2026/board-pack.pdf').click();
  await coffer.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('reports/2026/board-pack.pdf', 'download', 'Done')).toContainText(
    'digest matches',
  );
  const saved = join(app.downloads, 'This computer', 'reports', '2026', 'board-pack.pdf');
  expect(digestOf(saved)).toBe(digestOf(files['board pack.pdf'] ?? ''));
  expect(readdirSync(dirname(saved))).toEqual(['board-pack.pdf']);

  await coffer.search.fill('');
  await coffer.row('empty.bin').click();
  await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
  const confirm = app.page.getByRole('alertdialog', { name: 'Delete 1 object?' });
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(coffer.row('empty.bin')).toBeHidden();
  await coffer.collection('Deleted').click();
  await expect(coffer.row('empty.bin')).toContainText('Just now');

  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(again.row('empty.bin')).toContainText('Just now');
  await again.collection('All objects').click();
  await expect(again.row('reports/2026/board-pack.pdf')).toContainText('Stored');
  await again.row('reports/2026/board-pack.pdf').click();
  await again.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
  await again.showTab('Transfers');
  // The earlier transfer is still in the list.
  const done = again.transfer('reports/2026/board-pack.pdf', 'download', 'Done');
  await expect(done).toHaveCount(2);
  expect(digestOf(join(dirname(saved), 'board-pack (1).pdf'))).toBe(digestOf(saved));

  await app.close();
  expect(classificationAtService(join(app.userData, 'local-service'), 'reports/2026/board-pack.pdf')).toBe(
    'Restricted',
  );
});
