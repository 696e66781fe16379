import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { type App, expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

/** Files, with what is stored there. */
async function openFiles(app: App, names: readonly string[]): Promise<CofferWindow> {
  const coffer = new CofferWindow(app.page);
  writeFiles(app.folder, Object.fromEntries(names.map((name) => [name, 100])));
  await coffer.tryOnThisComputer();
  const tops = new Set(names.map((name) => join(app.folder, name.split('/')[0] ?? name)));
  await app.drop([...tops]);
  await coffer.startUpload(names.length);
  for (const name of names) await coffer.expectStored(name);
  await coffer.showFiles();
  return coffer;
}

/** What the *Edit* menu can undo, the newest first. */
const undos = async (app: App) => (await app.state()).undos;

test('undo by mouse: in the message, in the row, and from the menu, which lists what it undoes @all', async ({
  app,
}) => {
  const { page } = app;
  const coffer = await openFiles(app, ['a.txt', 'b.txt', 'photos/1.jpg']);
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' });
  await expect.poll(() => undos(app)).toEqual(['Nothing to undo']);

  await test.step('the message of a move takes it back', async () => {
    await coffer.row('b.txt').dragTo(coffer.folder('photos'));
    await expect(coffer.folder('photos')).toHaveAccessibleName('photos, folder, 2 objects');
    await undo.click();
    await expect(coffer.row('b.txt')).toBeVisible();
    await expect(coffer.folder('photos')).toHaveAccessibleName('photos, folder, 1 object');
  });

  await test.step('so does that of a deletion, and the row', async () => {
    await coffer.row('a.txt').click();
    await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
    await expect(coffer.row('a.txt')).toContainText('Deleting');
    await undo.click();
    await expect(coffer.row('a.txt')).not.toContainText('Deleting');
    await coffer.row('a.txt').click();
    await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
    await coffer.row('a.txt').getByRole('button', { name: 'Undo' }).click();
    await expect(coffer.row('a.txt')).not.toContainText('Deleting');
    await expect.poll(() => undos(app)).toEqual(['Nothing to undo']);
  });

  await test.step('what is chosen in the menu is undone with all that came after it', async () => {
    await coffer.row('b.txt').click();
    for (const _ of ['selects', 'renames']) await coffer.row('a.txt').locator('.id__leaf').click();
    const name = coffer.objects.getByRole('textbox', { name: 'Name' });
    await expect(name).toHaveValue('a.txt');
    await name.fill('plan.txt');
    await page.getByRole('heading', { level: 1 }).click();
    await expect.poll(() => undos(app)).toEqual(['Undo rename']);
    await coffer.row('b.txt').dragTo(coffer.folder('photos'));
    await expect(coffer.row('b.txt')).toBeHidden();
    await coffer.row('plan.txt').click();
    await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => undos(app)).toEqual(['Undo delete', 'Undo move', 'Undo rename']);
    app.chooseInMenu('undo.2');
    await expect(coffer.row('b.txt')).toBeVisible();
    await expect(coffer.row('plan.txt')).not.toContainText('Deleting');
    await expect.poll(() => undos(app)).toEqual(['Undo rename']);
    app.chooseInMenu('undo');
    await expect(coffer.row('a.txt')).toBeVisible();
    await expect(coffer.row('plan.txt')).toBeHidden();
    await expect.poll(() => undos(app)).toEqual(['Nothing to undo']);
  });
});

test('undo by keyboard alone: the last ten actions, from the newest to the oldest @all', async ({ app }) => {
  const { keyboard } = app.page;
  const coffer = await openFiles(app, ['a.txt']);
  const cursor = coffer.objects.locator('.is-cursor');
  const field = app.page.getByRole('textbox', { name: 'Name' });
  const type = async (name: string) => {
    await expect(field).toBeFocused();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(name);
    await keyboard.press('Enter');
    await expect(coffer.objects).toBeFocused();
  };
  await coffer.objects.focus();
  await keyboard.press('Home');
  await keyboard.press('F2');
  await type('plan.txt');
  await expect(coffer.row('plan.txt')).toBeVisible();
  await expect.poll(() => undos(app)).toEqual(['Undo rename']);

  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    await keyboard.press('ControlOrMeta+Shift+N');
    await type(name);
    await expect(cursor).toHaveAccessibleName(`${name}, folder, 0 objects`);
    await expect(coffer.folder(name)).toHaveAttribute('aria-selected', 'true');
    await keyboard.press('F2');
    await type(`${name}s`);
    await expect(cursor).toHaveAccessibleName(`${name}s, folder, 0 objects`);
    // The only folder.
    await keyboard.press('Home');
    await keyboard.press('Delete');
    await expect(coffer.folder(`${name}s`)).toBeHidden();
  }
  const levels = Array.from({ length: 5 }, () => ['Undo delete', 'Undo rename']).flat();
  await expect.poll(() => undos(app)).toEqual(levels);

  for (const name of ['five', 'four', 'three', 'two', 'one']) {
    await keyboard.press('ControlOrMeta+z');
    await expect(coffer.folder(`${name}s`)).toBeVisible();
    await keyboard.press('ControlOrMeta+z');
    await expect(coffer.folder(name)).toBeVisible();
  }
  await expect.poll(() => undos(app)).toEqual(['Nothing to undo']);
  // The eleventh from the end.
  await expect(coffer.row('plan.txt')).toBeVisible();
});

test('a deletion that a quit has kept back is answered later @all', async ({ app }) => {
  const coffer = await openFiles(app, ['a.txt', 'b.txt']);
  await coffer.row('b.txt').click();
  await app.page.keyboard.press('Delete');
  await expect(coffer.row('b.txt')).toContainText('Deleting');
  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(app.page.getByRole('main').getByText('1 deletion was not sent')).toBeVisible();
  await expect(again.row('b.txt')).not.toContainText('Deleting');
  await app.page.getByRole('button', { name: 'Delete now' }).click();
  await expect(again.row('b.txt')).toBeHidden();
  await expect(again.row('a.txt')).toBeVisible();
  await expect(app.page.getByRole('main').getByText('1 deletion was not sent')).toBeHidden();
});
