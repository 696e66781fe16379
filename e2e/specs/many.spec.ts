import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('takes 10,000 files at once, and can be used all the while', async ({ app }) => {
  const names = Array.from({ length: 10_000 }, (_, at) => `file-${at + 10_000}.dat`);
  const files = writeFiles(join(app.folder, 'many'), Object.fromEntries(names.map((name) => [name, 64])));
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();

  await app.drop(Object.values(files));
  const template = coffer.sheet.getByRole('textbox', { name: 'Name all as' });
  await template.fill('batch/{name}');
  await template.press('Enter');
  await expect(coffer.sheet.getByRole('textbox', { name: 'Identifier of file-10000.dat' })).toHaveValue(
    'batch/file-10000.dat',
  );
  await coffer.sheet.getByRole('textbox', { name: 'Identifier of file-10000.dat' }).fill('the first');
  await coffer.sheet.getByRole('textbox', { name: 'Identifier of file-10000.dat' }).press('Enter');
  await coffer.sheet.getByRole('button', { name: 'Upload 10,000 objects' }).click({ timeout: 60_000 });
  await expect(coffer.sheet).toBeHidden();

  // Rows are there at once; the list, the search and the transfers answer while bytes move.
  await expect(coffer.collection('All objects')).toContainText('10,000');
  await coffer.search.fill('the first');
  await coffer.expectStored('the first');
  await coffer.search.fill('state:stored');
  await expect
    .poll(async () => Number(await coffer.objects.getAttribute('aria-rowcount')), { timeout: 60_000 })
    .toBeGreaterThan(200);
  await coffer.search.fill('file-19999');
  await expect(coffer.row('batch/file-19999.dat')).toContainText('Waiting');

  await coffer.showTab('Transfers');
  await app.page.getByRole('button', { name: 'Cancel all' }).click();
  await expect(app.page.getByRole('button', { name: 'Nothing is moving' })).toBeVisible({ timeout: 60_000 });
  await expect(coffer.row('batch/file-19999.dat')).toBeHidden();
  await coffer.search.fill('state:stored the first');
  await coffer.expectStored('the first');
});
