import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('renames an object and moves others into a folder by keyboard, and the old names are free @all', async ({
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
  const name = coffer.objects.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await keyboard.press('Escape');
  await expect(name).toBeHidden();
  await expect(coffer.objects).toBeFocused();
  await keyboard.press('F2');
  await expect(name).toHaveValue('a.txt');
  await keyboard.type('in/report');
  await keyboard.press('Enter');
  await expect(coffer.objects.getByRole('alert')).toContainText('can’t contain /');
  await expect(name).toBeFocused();
  await name.fill('b.txt');
  await keyboard.press('Enter');
  const taken = app.page.getByRole('dialog', { name: 'Rename or move' });
  await expect(taken.getByRole('textbox', { name: 'Identifier' })).toHaveValue('b.txt');
  await expect(taken.getByText('This identifier is taken')).toBeVisible();
  await keyboard.press('Escape');
  await expect(taken).toBeHidden();
  await expect(coffer.row('a.txt')).toHaveAttribute('aria-selected', 'true');
  await coffer.objects.focus();
  await keyboard.press('F2');
  await expect(name).toBeFocused();
  // The extension is not selected.
  await keyboard.type('report');
  await keyboard.press('Enter');
  await coffer.expectStored('report.txt');
  await expect(coffer.row('report.txt')).toContainText('Internal');
  await expect(coffer.row('a.txt')).toBeHidden();

  await coffer.showTab('Details');
  await expect(coffer.dock.getByText('Renamed from a.txt')).toBeVisible();
  await coffer.collection('Deleted').click();
  await expect(app.page.getByText('Nothing here')).toBeVisible();
  // It was used last.
  await coffer.collection('Recent').click();
  await expect(coffer.objects.getByRole('row').nth(1)).toHaveAccessibleName(/^report\.txt/);
  await coffer.showAll();
  // The previous list has these rows, too, and a key press does not wait for the new one.
  await expect(coffer.objects).toHaveAttribute('aria-busy', 'false');

  await coffer.row('b.txt').click();
  await coffer.row('c.txt').click({ modifiers: ['ControlOrMeta'] });
  await keyboard.press('F2');
  const move = app.page.getByRole('dialog', { name: 'Move 2 objects' });
  await move.getByRole('textbox', { name: 'Into' }).fill('archive/2026');
  await expect(move.getByText('None of the new identifiers is taken.')).toBeVisible();
  await move.getByRole('button', { name: 'Move 2 objects' }).press('Enter');
  for (const name of ['archive/2026/b.txt', 'archive/2026/c.txt']) await coffer.expectStored(name);
  await expect(coffer.row('b.txt')).toBeHidden();

  // Moving a folder moves everything in it.
  await coffer.collection('archive').click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Rename or move…' }).click();
  await move.getByRole('textbox', { name: 'Folder' }).fill('old');
  await move.getByRole('button', { name: 'Move 2 objects' }).click();
  for (const name of ['old/2026/b.txt', 'old/2026/c.txt']) await coffer.expectStored(name);

  await coffer.collection('All objects').click();
  await coffer.download('old/2026/b.txt');
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('old/2026/b.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'old', '2026', 'b.txt'))).toBe(
    digestOf(join(app.folder, 'mine', 'b.txt')),
  );
});

test('renames an object by a slow second press on its name, and moves what is dropped on a folder @all', async ({
  app,
}) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const names = ['notes.txt', 'more.txt', 'photos/1.jpg'];
  writeFiles(app.folder, Object.fromEntries(names.map((name) => [name, 100])));
  await coffer.tryOnThisComputer();
  await app.drop(['notes.txt', 'more.txt', 'photos'].map((name) => join(app.folder, name)));
  await coffer.startUpload(names.length);
  for (const name of names) await coffer.expectStored(name);
  await coffer.showFiles();

  const press = (name: string) => coffer.row(name).locator('.id__leaf').click();
  await press('notes.txt');
  await press('notes.txt');
  const name = coffer.objects.getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue('notes.txt');
  await name.fill('plan.txt');
  // Leaving the field renames, too.
  await coffer.row('more.txt').click();
  await coffer.expectStored('plan.txt');
  await expect(coffer.row('notes.txt')).toBeHidden();

  await coffer.row('plan.txt').dragTo(coffer.folder('photos'));
  // A message that waits for its turn is left out if it is done by then.
  await expect(coffer.messages).toContainText(/Moving 1 to photos|objects? moved/);
  await expect(coffer.row('plan.txt')).toBeHidden();
  await expect(coffer.folder('photos')).toHaveAccessibleName('photos, folder, 2 objects');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
