import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('uploads a file over the limit in parts, checks, downloads and deletes it @all', async ({ app }) => {
  const { page } = app;
  const files = writeFiles(join(app.folder, 'mine'), { 'film.mov': 3_000_000, 'note.txt': 500 });
  const coffer = new CofferWindow(page);
  await coffer.tryOnThisComputer();
  await coffer.limitObjects(500_000);

  await app.drop(Object.values(files));
  await expect(coffer.sheet).toContainText('in 12 parts');
  await expect(coffer.sheet).not.toContainText('Too large');
  await coffer.startUpload(2);
  for (const name of Object.keys(files)) await coffer.expectStored(name);

  await coffer.row('film.mov').click();
  await coffer.showTab('Details');
  const parts = page.getByRole('region', { name: 'Parts' });
  await expect(parts).toContainText('12 stored');
  await expect(page.getByRole('article', { name: 'film.mov' })).toContainText('3,000,000 bytes');
  await coffer.selectionBar.getByRole('button', { name: 'Check' }).click();
  await expect(coffer.messages).toContainText('Checked 1 object');
  await coffer.expectStored('film.mov');

  await coffer.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('film.mov', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'film.mov'))).toBe(digestOf(files['film.mov'] ?? ''));

  await coffer.objects.press('Shift+Delete');
  await expect(coffer.row('film.mov')).toBeHidden();
  await expect(coffer.row('note.txt')).toBeVisible();
});
