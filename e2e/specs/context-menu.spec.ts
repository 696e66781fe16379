import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

// Electron shows a native menu, which no test can see; the stand-in shows the same items in the page.
test('fields have a menu of their own, and lists keep ours @all', async ({ app, shell }) => {
  test.skip(shell === 'electron', 'a menu of the system');
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  const menu = app.page.getByRole('menu');
  const item = (name: string) => menu.getByRole('menuitem', { name, exact: true });
  await coffer.search.fill('report');
  await coffer.search.click({ button: 'right' });
  await expect(item('Paste')).toBeVisible();
  await expect(item('Copy')).toHaveAttribute('aria-disabled', 'true');
  await item('Select all').click();
  // The item tells the page, which selects it a moment later.
  await expect.poll(() => coffer.search.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(0);
  await coffer.search.click({ button: 'right' });
  await item('Cut').click();
  await expect(coffer.search).toHaveValue('');
  await coffer.search.click({ button: 'right' });
  await item('Paste').click();
  await expect(coffer.search).toHaveValue('report');
  await coffer.search.fill('');
  // Nothing to do with text: no menu at all.
  await app.page
    .getByRole('navigation', { name: 'Collections' })
    .click({ button: 'right', position: { x: 3, y: 3 } });
  await expect(menu).toBeHidden();

  const path = join(app.folder, 'a.txt');
  writeFileSync(path, 'a');
  await app.drop([path]);
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');
  // Taller than the space below the row: it is shifted up.
  await app.page.setViewportSize({ width: 1280, height: 500 });
  await coffer.row('a.txt').click({ button: 'right' });
  await expect(menu.getByRole('menuitem', { name: /Download/ }).first()).toBeVisible();
  await expect(item('Paste')).toBeHidden();
  const hiddenPixels = await menu.evaluate(
    ({ parentElement: box }) => box && box.scrollHeight - box.clientHeight,
  );
  expect(hiddenPixels).toBe(0);
});
