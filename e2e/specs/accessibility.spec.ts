import { join } from 'node:path';
import { expectNoBarriers } from '../barriers.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { speak } from '../settings.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

/** The main screens and dialogs; `npm run pictures` looks at every screen it takes in the same way. */
test('no barrier in light, dark, high contrast and Arabic', async ({ app }) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const look = async (screen: string) => {
    await expectNoBarriers(page, screen);
    await speak(page, 'ar');
    await expectNoBarriers(page, `${screen} in Arabic`, ['light']);
    await speak(page, 'en');
  };
  await expect(page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
  await look('Welcome');
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  await look('Connect');
  await page.getByRole('button', { name: 'Back' }).click();

  await coffer.tryOnThisComputer();
  const files = writeFiles(join(app.folder, 'reports'), { 'board-pack.pdf': 5000, 'notes.txt': 300 });
  await app.drop(Object.values(files));
  await look('The upload sheet');
  await coffer.startUpload(2);
  await coffer.expectStored('notes.txt');
  await coffer.row('notes.txt').click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await look('The list, with details');
  await page.keyboard.press('Delete');
  await look('Delete');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Transfers' }).click();
  await look('Transfers');
  await page.keyboard.press('Control+k');
  await look('The palette');
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await look('The shortcuts');
  await page.keyboard.press('Escape');
  await coffer.collection('Secrets').click();
  await page.getByRole('button', { name: 'New secret' }).first().click();
  await look('New secret');
  await page.keyboard.press('Escape');
  await coffer.openSettings();
  await look('Settings');
});
