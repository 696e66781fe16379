import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

test('several services have a list each; a link shows its object in the right one; quitting asks while a request is open @all', async ({
  app,
}) => {
  const service = await startService(app.folder, { token: 'a-token', processingMs: 600_000 });
  const files = writeFiles(join(app.folder, 'mine'), {
    'a b.txt': 100,
    'there.txt': 200,
    'later.bin': 300,
  });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop([files['a b.txt'] ?? '']);
  await coffer.startUpload(1);
  await coffer.expectStored('a b.txt');
  await coffer.row('a b.txt').click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Copy link' }).click();
  await expect(coffer.messages).toContainText('Link copied');
  const link = 'coffer://object?service=local&id=a+b.txt';
  app.chooseInMenu('search');
  await expect(coffer.search).toBeFocused();
  await coffer.search.press('ControlOrMeta+v');
  await expect(coffer.search).toHaveValue(link);
  await coffer.search.fill('');

  await coffer.addService({ name: 'Archive', baseAddress: service.baseAddress, token: 'a-token' });
  await expect(coffer.row('a b.txt')).toBeHidden();
  await app.drop([files['there.txt'] ?? '']);
  await coffer.startUpload(1);
  await coffer.expectStored('there.txt');

  await app.openLink(link);
  await coffer.expectReady('This computer');
  await expect(coffer.row('a b.txt')).toHaveAttribute('aria-selected', 'true');
  await expect(coffer.row('there.txt')).toBeHidden();

  await coffer.switchTo('Archive');
  await coffer.expectStored('there.txt');
  await expect(coffer.row('a b.txt')).toBeHidden();
  await app.drop([files['later.bin'] ?? '']);
  await coffer.unfoldOptions();
  await coffer.sheet.getByRole('radio', { name: 'Deferred' }).click();
  await coffer.startUpload(1);
  await coffer.showTab('Jobs');
  await expect(coffer.job('later.bin', 'upload', 'Processing')).toBeVisible();

  // An unreachable service is shown as such, and keeps its list.
  await service.close();
  await coffer.chooseFromSwitcher('Check the connection');
  await expect(app.page.getByRole('button', { name: 'Service Archive, Unreachable' })).toBeVisible();
  await coffer.expectStored('there.txt');

  app.answerDialogs(['Cancel'], ['Quit']);
  app.quit();
  await expect.poll(() => app.dialogsLeft()).toBe(1);
  await coffer.expectStored('there.txt');
  app.quit();
  await app.ended();
  expect(app.dialogsLeft()).toBe(0);
});

test('a link to an unlisted object asks first, and says if it isn’t at the service either @all', async ({
  app,
}) => {
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  // This Coffer does not know the service.
  await app.openLink('coffer://object?service=https%3A%2F%2Fobjects.example.org&id=unknown.txt');
  const dialog = app.page.getByRole('dialog', { name: 'Open link' });
  await expect(dialog).toContainText('No connected service has the address https://objects.example.org');
  await expect(dialog.getByRole('radio', { name: 'This computer' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await app.openLink('coffer://object?service=local&id=unknown.txt');
  await expect(dialog).toContainText('This object isn’t in the list of This computer');
  await dialog.getByRole('button', { name: 'Check and add' }).click();
  const added = app.page.getByRole('dialog', { name: 'Add known identifiers' });
  await expect(added).toContainText('1 not found at the service');
  await expect(added.getByRole('textbox', { name: 'Not found' })).toHaveValue('unknown.txt');
  await added.getByRole('button', { name: 'Done' }).click();
  await expect(added).toBeHidden();
  await app.openLink('coffer://delete?everything');
  await expect(coffer.urgentMessages).toContainText('This link can’t be opened');
});
