import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barriersIn } from '../barriers.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('uploads what comes into a watched folder, over a restart, and nothing twice @all', async ({ app }) => {
  const folder = join(app.folder, 'Site 04');
  writeFiles(folder, { 'old.txt': 10 });
  let coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();

  await app.page.getByRole('button', { name: 'More ways to add' }).click();
  app.answerDialogs([folder]);
  await app.page.getByRole('menuitem', { name: 'Watch a folder…' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Watch a folder' });
  await expect(dialog.getByRole('textbox', { name: 'Into' })).toHaveValue('Site 04');
  await expect(
    dialog.getByRole('checkbox', { name: 'Upload the file that is already there' }),
  ).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Options' }).click();
  expect(await barriersIn(app.page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Wait until a file is finished' }).fill('2');
  await dialog.getByRole('button', { name: 'Watch folder' }).click();

  const watched = () => app.page.getByRole('listitem', { name: 'Site 04', exact: true });
  await expect(watched()).toContainText('Watching');
  writeFiles(folder, { 'may/a.jpg': 1000, 'film.mkv.part': 1000 });
  await expect(watched()).toContainText('1 upload');
  await coffer.collection('All objects').click();
  await coffer.expectStored('Site 04/may/a.jpg');

  await app.kill();
  writeFiles(folder, { 'b.jpg': 2000 });
  await app.restart();
  coffer = new CofferWindow(app.page);
  await coffer.expectStored('Site 04/b.jpg');
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '3');

  renameSync(folder, `${folder} away`);
  await coffer.collection('Watched folders').click();
  await expect(watched()).toContainText('Not connected');
  expect(await barriersIn(app.page)).toEqual([]);
  mkdirSync(folder);
  writeFileSync(join(folder, 'b.jpg'), 'another');
  await app.page.getByRole('switch', { name: 'Watch Site 04' }).click({ force: true });
  await expect(watched()).toContainText('Off');

  await app.page.getByRole('button', { name: 'More for Site 04' }).click();
  await app.page.getByRole('menuitem', { name: 'Stop watching…' }).click();
  await app.page
    .getByRole('alertdialog', { name: 'Stop watching Site 04?' })
    .getByRole('button', { name: 'Stop watching' })
    .click();
  await expect(app.page.getByText('No folder is watched')).toBeVisible();
});
