import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('a copied link shows its object, and one that is not in the list is asked for first', async ({
  app,
}) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'a b.txt': 300, 'c.txt': 20 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(2);
  await coffer.expectStored('a b.txt');

  await coffer.row('a b.txt').click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Copy link' }).click();
  await expect(coffer.messages).toContainText('Link copied');
  const link = 'coffer://object?service=local&id=a+b.txt';
  await coffer.search.press('ControlOrMeta+v');
  await expect(coffer.search).toHaveValue(link);

  await coffer.collection('Secrets').click();
  await app.openLink(link);
  await expect(coffer.row('a b.txt')).toHaveAttribute('aria-selected', 'true');

  // Another Coffer does not know it yet.
  await app.openLink('coffer://object?service=https%3A%2F%2Fobjects.example.org&id=unknown.txt');
  const dialog = app.page.getByRole('dialog', { name: 'Open link' });
  await expect(dialog).toContainText('No connected service has the address https://objects.example.org');
  await expect(dialog.getByRole('radio', { name: 'This computer' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await app.openLink('coffer://object?service=local&id=unknown.txt');
  await expect(dialog).toContainText('This object isn’t in the list of This computer');
  await dialog.getByRole('button', { name: 'Check and add' }).click();
  await expect(app.page.getByRole('dialog')).toContainText('unknown.txt');
  await app.page.keyboard.press('Escape');

  await app.openLink('coffer://delete?everything');
  await expect(coffer.urgentMessages).toContainText('This link can’t be opened');
});
