import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('a deletion is undone by the button and by the keyboard, and one that a quit has kept back is answered later @all', async ({
  app,
}) => {
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(writeFiles(join(app.folder, 'mine'), { 'a.txt': 100, 'b.txt': 200 })));
  await coffer.startUpload(2);
  for (const name of ['a.txt', 'b.txt']) await coffer.expectStored(name);

  await coffer.row('a.txt').click();
  await app.page.keyboard.press('Delete');
  await expect(coffer.row('a.txt')).toContainText('Deleting');
  const undo = app.page.locator('.toast').getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await undo.click();
  await expect(coffer.messages).toContainText('Kept 1 object');
  await coffer.expectStored('a.txt');

  await coffer.row('b.txt').click();
  await app.page.keyboard.press('Delete');
  await expect(coffer.row('b.txt')).toContainText('Deleting');
  await app.page.keyboard.press('ControlOrMeta+z');
  await expect(coffer.row('b.txt')).not.toContainText('Deleting');

  await coffer.row('b.txt').click();
  await app.page.keyboard.press('Delete');
  await expect(coffer.row('b.txt')).toContainText('Deleting');
  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(app.page.getByRole('main').getByText('1 deletion was not sent')).toBeVisible();
  await again.expectStored('b.txt');
  await app.page.getByRole('button', { name: 'Delete now' }).click();
  await expect(again.row('b.txt')).toBeHidden();
  await expect(again.row('a.txt')).toBeVisible();
  await expect(app.page.getByRole('main').getByText('1 deletion was not sent')).toBeHidden();
});
