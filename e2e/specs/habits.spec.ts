import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { type App, expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

const token = 'token-of-ada';
const value = 'O0l1-otter';

/** A service that the window is connected to, with a secret. */
async function openSecret(app: App) {
  const service = await startService(app.folder, { token, processingMs: 50 });
  const { page } = app;
  const coffer = new CofferWindow(page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  await coffer.collection('Secrets').click();
  await page.getByRole('button', { name: 'New secret' }).first().click();
  const form = page.getByRole('dialog', { name: 'New secret' });
  await form.getByRole('textbox', { name: 'Identifier' }).fill('db');
  await form.getByRole('textbox', { name: 'Value' }).fill(value);
  await form.getByRole('button', { name: 'Store secret' }).click();
  await expect(coffer.secret('db')).toContainText('Stored');
  return { service, coffer, shown: page.getByRole('textbox', { name: 'Value of db' }) };
}

test('habits by mouse: a secret is revealed by a double click, and an upload goes into a folder of the sheet @all', async ({
  app,
}) => {
  const { page } = app;
  const { service, coffer, shown } = await openSecret(app);

  await test.step('a double click reveals, and one button hides', async () => {
    await coffer.secret('db').dblclick();
    await expect(shown).toHaveText(value);
    // What looks alike has colours of its own.
    await expect(shown.locator('.secret__digit')).toHaveText(['0', '1']);
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(shown).toBeHidden();
  });

  await test.step('the sheet says and asks where the files go', async () => {
    await coffer.showFiles();
    await app.drop(Object.values(writeFiles(app.folder, { 'a.txt': 100 })));
    const into = coffer.sheet.getByRole('combobox', { name: 'Into' });
    await into.fill('photos');
    await into.blur();
    await coffer.startUpload(1);
    await expect(coffer.folder('photos')).toHaveAccessibleName('photos, folder, 1 object');
  });

  await test.step('Quick look fills the window, and its button closes it', async () => {
    await coffer.folder('photos').dblclick();
    await coffer.row('a.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Quick look' }).click();
    const look = page.getByRole('dialog', { name: /^Quick look: .*a\.txt/ });
    await expect.poll(async () => (await look.boundingBox())?.width).toBeGreaterThan(1000);
    await look.getByRole('button', { name: 'Close' }).last().click();
    await expect(look).toBeHidden();
  });
  await service.close();
});

test('habits by keyboard alone: a secret is revealed and copied, and the palette has the commands of the menus @all', async ({
  app,
}) => {
  const { keyboard } = app.page;
  const { service, coffer, shown } = await openSecret(app);
  await expect(coffer.secrets).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('Enter');
  await expect(shown).toHaveText(value);
  await keyboard.press('Escape');
  await expect(shown).toBeHidden();
  await expect(coffer.secrets).toBeFocused();
  await keyboard.press('ControlOrMeta+c');
  await expect(coffer.secret('db')).toContainText('Copied');
  await keyboard.press('/');
  await keyboard.press('ControlOrMeta+v');
  await expect(app.page.getByRole('searchbox')).toHaveValue(value);
  await keyboard.press('Escape');

  app.answerDialogs([join(app.folder, 'a.txt')]);
  writeFiles(app.folder, { 'a.txt': 100 });
  const run = async (words: string) => {
    await keyboard.press('ControlOrMeta+k');
    await expect(app.page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await keyboard.type(words);
    await keyboard.press('Enter');
  };
  await coffer.collection('Files').press('Enter');
  await expect(app.page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
  await keyboard.press('ControlOrMeta+u');
  await expect(coffer.sheet.getByRole('button', { name: 'Upload 1 object' })).toBeEnabled();
  await keyboard.press('ControlOrMeta+Enter');
  await expect(coffer.row('a.txt')).toContainText('Stored');
  await expect(coffer.row('a.txt')).toHaveAttribute('aria-selected', 'true');
  await run('quick look');
  const look = app.page.getByRole('dialog', { name: /^Quick look: a\.txt/ });
  await expect(look).toBeVisible();
  await keyboard.press('Space');
  await expect(look).toBeHidden();
  await run('new folder');
  const name = app.page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await keyboard.press('Enter');
  await expect(coffer.folder('New folder')).toBeVisible();
  await service.close();
});
