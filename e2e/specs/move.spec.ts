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
  const rename = app.page.getByRole('dialog', { name: 'Rename or move' });
  const identifier = rename.getByRole('textbox', { name: 'Identifier' });
  await expect(identifier).toHaveValue('a.txt');
  await expect(identifier).toBeFocused();
  // The extension is not selected.
  await keyboard.type('report');
  await expect(rename.getByText('The new identifier isn’t taken.')).toBeVisible();
  await keyboard.press('Enter');
  await coffer.expectStored('report.txt');
  await expect(coffer.row('report.txt')).toContainText('Internal');
  await expect(coffer.row('a.txt')).toBeHidden();

  // The old name links to the new one, which was used last.
  await coffer.collection('Deleted').click();
  await coffer.row('a.txt').click();
  await expect(coffer.row('a.txt')).toContainText('Moved to report.txt');
  await app.page.getByRole('button', { name: 'Show report.txt' }).click();
  await expect(coffer.row('report.txt')).toHaveAttribute('aria-selected', 'true');
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
