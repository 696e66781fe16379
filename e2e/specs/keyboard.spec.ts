import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('stores, finds, gets back and deletes an object without a mouse', async ({ app }) => {
  const { page } = app;
  const { keyboard } = page;
  const coffer = new CofferWindow(page);
  const files = writeFiles(join(app.folder, 'mine'), { 'minutes.txt': 4321, 'other.txt': 99 });
  await expect(page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Try it on this computer' }));
  await keyboard.press('Enter');
  await coffer.expectReady('This computer');

  app.answerDialogs(Object.values(files));
  await keyboard.press('Control+u');
  await expect(coffer.sheet).toBeVisible();
  await tabTo(page, coffer.sheet.getByRole('textbox', { name: 'Identifier of minutes.txt' }));
  await keyboard.press('Control+a');
  await keyboard.type('board/minutes.txt');
  const picker = coffer.sheet.getByRole('combobox', { name: 'Classification' });
  await tabTo(page, picker);
  await keyboard.type('Confid');
  const offered = page.getByRole('option', { name: /^Confidential/ });
  await expect(offered).toBeVisible();
  await keyboard.press('ArrowDown');
  await expect(picker).toHaveAttribute('aria-activedescendant', (await offered.getAttribute('id')) ?? '');
  await keyboard.press('Enter');
  await expect(picker).toHaveValue('Confidential');
  await tabTo(page, coffer.sheet.getByRole('button', { name: 'Upload 2 objects' }));
  await keyboard.press('Enter');
  await expect(coffer.sheet).toBeHidden();
  await coffer.expectStored('board/minutes.txt');
  await expect(coffer.row('board/minutes.txt')).toContainText('Confidential');

  await keyboard.press('/');
  await expect(coffer.search).toBeFocused();
  await keyboard.type('minutes');
  await expect(coffer.row('other.txt')).toBeHidden();
  await tabTo(page, coffer.objects);
  await keyboard.press('Home');
  await expect(coffer.row('board/minutes.txt')).toHaveAttribute('aria-selected', 'true');
  const look = page.getByRole('dialog', { name: /^Quick look: .*board\/minutes\.txt/ });
  await keyboard.press('Space');
  await expect(look).toBeVisible();
  await keyboard.press('Space');
  await expect(look).toBeHidden();
  await expect(coffer.objects).toBeFocused();
  await keyboard.press('Control+d');
  await expect(coffer.transfer('board/minutes.txt', 'download', 'Done')).toBeVisible();
  const saved = join(app.downloads, 'This computer', 'board', 'minutes.txt');
  expect(digestOf(saved)).toBe(digestOf(files['minutes.txt'] ?? ''));

  await keyboard.press('Alt+Enter');
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('F5');
  await expect(coffer.messages).toContainText('Checked 1 object: 1 present');

  await keyboard.press('Delete');
  const confirm = page.getByRole('alertdialog', { name: 'Delete 1 object?' });
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(coffer.objects).toBeFocused();
  await keyboard.press('Delete');
  await tabTo(page, confirm.getByRole('button', { name: 'Delete' }));
  await keyboard.press('Enter');
  await expect(coffer.row('board/minutes.txt')).toBeHidden();
  expect(existsSync(saved)).toBe(true);

  await keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await keyboard.type('deleted');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Deleted', level: 1 })).toBeVisible();
  await keyboard.press('/');
  await expect(coffer.search).toBeFocused();
  await keyboard.press('Control+a');
  await keyboard.press('Delete');
  await expect(coffer.row('board/minutes.txt')).toContainText('Just now');

  // Removed rows leave the list; the focus returns, and is not lost with the button.
  const removeAll = page.getByRole('button', { name: 'Remove all…' });
  const question = page.getByRole('alertdialog', { name: 'Remove 1 object from the list?' });
  await tabTo(page, removeAll);
  await keyboard.press('Enter');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(removeAll).toBeFocused();
  await keyboard.press('Enter');
  await tabTo(page, question.getByRole('button', { name: 'Remove' }));
  await keyboard.press('Enter');
  await expect(page.getByText('Nothing here')).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();
});

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element.contains(document.activeElement));
  for (let presses = 0; presses < 60; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  expect(await isThere(), 'reached with Tab').toBe(true);
}
