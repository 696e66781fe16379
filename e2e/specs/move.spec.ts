import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('renames an object and moves others into a folder by keyboard, and the old names are free', async ({
  app,
}) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'a.txt': 300, 'b.txt': 900_000, 'c.txt': 20 });
  const coffer = new CofferWindow(app.page);
  const { keyboard } = app.page;
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.chooseClassification('Internal');
  await coffer.startUpload(3);
  for (const name of Object.keys(files)) await coffer.expectStored(name);

  await coffer.row('a.txt').click();
  await keyboard.press('F2');
  const rename = app.page.getByRole('dialog', { name: 'Rename or move' });
  await expect(rename.getByRole('textbox', { name: 'Identifier' })).toHaveValue('a.txt');
  // The extension is not selected.
  await keyboard.type('report');
  await expect(rename.getByText('The new identifier isn’t taken.')).toBeVisible();
  await keyboard.press('Enter');
  await coffer.expectStored('report.txt');
  await expect(coffer.row('report.txt')).toContainText('Internal');
  await expect(coffer.row('a.txt')).toBeHidden();

  // The old name leads to the new one, which was used last.
  await coffer.collection('Deleted').click();
  await coffer.row('a.txt').click();
  await expect(coffer.row('a.txt')).toContainText('Moved to report.txt');
  await app.page.getByRole('button', { name: 'Show report.txt' }).click();
  await expect(coffer.row('report.txt')).toHaveAttribute('aria-selected', 'true');
  await coffer.collection('Recent').click();
  await expect(coffer.objects.getByRole('row').nth(1)).toHaveAccessibleName(/^report\.txt/);
  await coffer.collection('All objects').click();

  await coffer.row('b.txt').click();
  await coffer.row('c.txt').click({ modifiers: ['ControlOrMeta'] });
  await keyboard.press('F2');
  const move = app.page.getByRole('dialog', { name: 'Move 2 objects' });
  await move.getByRole('textbox', { name: 'Into' }).fill('archive/2026');
  await expect(move.getByText('None of the new identifiers is taken.')).toBeVisible();
  await move.getByRole('button', { name: 'Move 2 objects' }).press('Enter');
  for (const name of ['archive/2026/b.txt', 'archive/2026/c.txt']) await coffer.expectStored(name);
  await expect(coffer.row('b.txt')).toBeHidden();

  // A folder takes all that is in it along.
  await coffer.collection('archive').click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Rename or move…' }).click();
  await move.getByRole('textbox', { name: 'Folder' }).fill('old');
  await move.getByRole('button', { name: 'Move 2 objects' }).click();
  for (const name of ['old/2026/b.txt', 'old/2026/c.txt']) await coffer.expectStored(name);

  // Rows are dragged onto a folder, which opens when they are held over it.
  // The sidebar has settled: nothing moves under the pointer.
  await expect(coffer.collection('archive')).toBeHidden();
  await coffer.collection('old').click();
  await coffer.row('2026/b.txt').click();
  await coffer.row('2026/c.txt').click({ modifiers: ['ControlOrMeta'] });
  await coffer.row('2026/b.txt').hover();
  await app.page.mouse.down();
  const folders = app.page.getByRole('navigation');
  for (const over of [coffer.collection('old'), folders.getByRole('link', { name: '2026' })]) {
    await over.hover();
    // Over each element, the browser reports all moves but the first.
    await over.hover();
    await expect(over).toHaveAttribute('data-over');
  }
  await app.page.mouse.up();
  await expect(move.getByRole('textbox', { name: 'Into' })).toHaveValue('old/2026/');
  await move.getByRole('button', { name: 'Cancel' }).click();
  // A row that isn't selected is dragged alone.
  await keyboard.press('Escape');
  await coffer.row('2026/c.txt').dragTo(app.page.getByRole('button', { name: 'All objects' }));
  await expect(rename.getByRole('textbox', { name: 'Identifier' })).toHaveValue('c.txt');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await coffer.collection('Unfiled').click();
  await coffer.expectStored('c.txt');
  await coffer.collection('All objects').click();
  await coffer.download('old/2026/b.txt');
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('old/2026/b.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'old', '2026', 'b.txt'))).toBe(
    digestOf(join(app.folder, 'mine', 'b.txt')),
  );
});

test('a long new name makes the menu of the old one no wider than others', async ({ app }) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'a.txt': 300 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');
  await coffer.row('a.txt').click();
  await app.page.keyboard.press('F2');
  const rename = app.page.getByRole('dialog', { name: 'Rename or move' });
  await rename.getByRole('textbox', { name: 'Identifier' }).fill(`projects/${'long-'.repeat(40)}name.txt`);
  await expect(rename.getByText('The new identifier isn’t taken.')).toBeVisible();
  await app.page.keyboard.press('Enter');
  await expect(coffer.row('a.txt')).toBeHidden();
  await coffer.collection('Deleted').click();
  await coffer.row('a.txt').click({ button: 'right' });
  await expect(app.page.getByRole('menuitem', { name: /^Show projects/ })).toBeVisible();
  expect((await app.page.getByRole('menu').boundingBox())?.width).toBeLessThan(450);
});
