import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('stores an existing file as the next version, shows one row for all versions, and replaces another @all', async ({
  app,
}) => {
  const first = writeFiles(join(app.folder, 'first'), { 'a.txt': 100 });
  const second = writeFiles(join(app.folder, 'second'), { 'a.txt': 222 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(first));
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');
  await app.drop(Object.values(second));
  await coffer.startUpload(1);
  const { question } = coffer;
  await expect(question.getByRole('radio', { name: /^New version/ })).toBeChecked();
  await expect(question).toContainText('Yours is stored as a@2.txt.');
  await question.getByRole('button', { name: 'Store as a new version' }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('a@2.txt', 'upload', 'Done')).toBeVisible();

  const row = app.page.getByRole('row', { name: /^a\.txt, 2 versions/ });
  await expect(row).toHaveCount(1);
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '2');
  await coffer.search.fill('a@2');
  await expect(app.page.getByRole('row', { name: /^a@2\.txt/ })).toBeVisible();
  await coffer.search.fill('');

  await row.click();
  await coffer.showTab('Details');
  const versions = app.page.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await versions.getByRole('button', { name: 'Restore a.txt as the newest version' }).click();
  await expect(versions.getByRole('listitem').first()).toContainText('a@3.txt');
  await expect(versions.getByRole('listitem').first()).toContainText('Newest');
  // The selected row is now hidden behind the new version, which is selected instead.
  await expect(app.page.getByRole('row', { name: /^a\.txt, 3 versions/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await versions.getByRole('button', { name: 'Download a@3.txt' }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('a@3.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'a@3.txt'))).toBe(digestOf(first['a.txt'] ?? ''));

  await app.page.getByRole('row', { name: /^a\.txt, 3 versions/ }).click();
  await app.page.keyboard.press('Shift+Delete');
  const dialog = app.page.getByRole('alertdialog');
  await dialog.getByRole('checkbox').click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(coffer.collection('All objects')).not.toContainText(/[0-9]/);

  await app.drop(Object.values(writeFiles(join(app.folder, 'first'), { 'b.txt': 100 })));
  await coffer.startUpload(1);
  await coffer.expectStored('b.txt');
  await app.drop(Object.values(writeFiles(join(app.folder, 'second'), { 'b.txt': 222 })));
  await coffer.chooseIfExists('Replace');
  await coffer.startUpload(1);
  await coffer.showTab('Transfers');
  // The new version is stored. It is checked again after a minute.
  await expect(coffer.transfers).toContainText('Replaced, final check');
  await coffer.expectStored('b.txt');
});
