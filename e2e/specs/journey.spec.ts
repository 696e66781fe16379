import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { expectNoBarrier } from '../barriers.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { drawPng } from '../pictures/png.ts';
import { classificationAtService } from '../service.ts';

/** The age of a recent deletion; on a busy machine it may be a minute. */
const agoPattern = /Just now|min ago/;

test('on this computer, without a mouse or a barrier: store, classify, find, get back, delete, find it all again, and open a link to it @smoke', async ({
  app,
}) => {
  const { page } = app;
  const { keyboard } = page;
  const coffer = new CofferWindow(page);
  const identifier = 'reports/2026/board-pack.txt';
  await expect(page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Try it on this computer' }));
  await keyboard.press('Enter');
  await coffer.expectReady('This computer');
  await coffer.collection('All objects').press('Enter');

  await test.step('shows the first object in Details, in a small window', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    const folder = join(app.folder, 'mine');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'first.png'),
      drawPng(64, 40, (x, y) => [x, y, 90]),
    );
    await app.drop([join(folder, 'first.png')]);
    await coffer.sheet.getByRole('button', { name: 'Upload 1 object' }).click();
    await expect(coffer.sheet).toBeHidden();
    await expect(coffer.row('first.png')).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('tab', { name: 'Details', selected: true })).toBeVisible();
    const details = page.getByRole('tabpanel', { name: 'Details' });
    await expect(details).toContainText('first.png');
    await expect(details.getByRole('img')).toHaveJSProperty('naturalWidth', 64);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const files = writeFiles(join(app.folder, 'mine'), {
    'board pack.txt': 3_000_000,
    'naïve 📦 report.txt': 12_345,
    'empty.bin': 0,
  });
  app.answerDialogs(Object.values(files));
  await keyboard.press('ControlOrMeta+u');
  await expect(coffer.sheet.getByRole('table', { name: 'Files to upload' })).toBeVisible();
  await expect(coffer.sheet.getByRole('button', { name: 'Upload 3 objects' })).toBeEnabled();
  await expectNoBarrier(page, 'The upload sheet');
  const name = coffer.sheet.getByRole('textbox', { name: 'Identifier of board pack.txt' });
  await expect(name).toHaveValue('board pack.txt');
  await tabTo(page, name);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(identifier);
  const picker = coffer.sheet.getByRole('combobox', { name: 'Classification' });
  await tabTo(page, picker);
  await keyboard.type('Restric');
  const offered = page.getByRole('option', { name: /^Restricted/ });
  await expect(offered).toBeVisible();
  await keyboard.press('ArrowDown');
  await expect(picker).toHaveAttribute('aria-activedescendant', (await offered.getAttribute('id')) ?? '');
  await keyboard.press('Enter');
  await expect(picker).toHaveValue('Restricted');
  await tabTo(page, coffer.sheet.getByRole('button', { name: 'Upload 3 objects' }));
  await keyboard.press('Enter');
  await expect(coffer.sheet).toBeHidden();
  for (const each of [identifier, 'naïve 📦 report.txt', 'empty.bin']) {
    await coffer.expectStored(each);
    await expect(coffer.row(each)).toContainText('Restricted');
  }
  await expect(coffer.transfer(identifier, 'upload', 'Done')).toContainText('stored size matches');

  await keyboard.press('/');
  await expect(coffer.search).toBeFocused();
  await keyboard.type('📦');
  await expect(coffer.row('naïve 📦 report.txt')).toBeVisible();
  await expect(coffer.row('empty.bin')).toBeHidden();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('board');
  await expect(coffer.row('naïve 📦 report.txt')).toBeHidden();
  await tabTo(page, coffer.objects);
  await keyboard.press('Home');
  await expect(coffer.row(identifier)).toHaveAttribute('aria-selected', 'true');
  const look = page.getByRole('dialog', { name: /^Quick look: .*board-pack\.txt/ });
  await keyboard.press('Space');
  await expect(look).toBeVisible();
  await keyboard.press('Space');
  await expect(look).toBeHidden();
  await expect(coffer.objects).toBeFocused();
  await keyboard.press('ControlOrMeta+d');
  await expect(coffer.transfer(identifier, 'download', 'Done')).toContainText('digest matches');
  const saved = join(app.downloads, 'This computer', 'reports', '2026', 'board-pack.txt');
  expect(digestOf(saved)).toBe(digestOf(files['board pack.txt'] ?? ''));
  expect(readdirSync(dirname(saved))).toEqual(['board-pack.txt']);

  await keyboard.press('Alt+Enter');
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await expectNoBarrier(page, 'The list, with details', { alsoInArabic: true });
  await keyboard.press('F5');
  await expect(coffer.messages).toContainText('Checked 1 object: 1 present');

  await keyboard.press('/');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('empty');
  await expect(coffer.row(identifier)).toBeHidden();
  await tabTo(page, coffer.objects);
  await keyboard.press('Home');
  await expect(coffer.row('empty.bin')).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('Shift+Delete');
  await expect(coffer.row('empty.bin')).toBeHidden();

  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await keyboard.type('deleted');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Deleted', level: 1 })).toBeVisible();
  await keyboard.press('/');
  await expect(coffer.search).toBeFocused();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.press('Delete');
  await expect(coffer.row('empty.bin')).toContainText(agoPattern);

  await app.restart();
  await expectAllAgain(app.page);
  const again = new CofferWindow(app.page);
  await again.download(identifier);
  // The earlier transfer is still in the list.
  await expect(again.transfer(identifier, 'download', 'Done')).toHaveCount(2);
  expect(digestOf(join(dirname(saved), 'board-pack (1).txt'))).toBe(digestOf(saved));

  await again.row(identifier).click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Copy link' }).click();
  await expect(again.messages).toContainText('Link copied');
  const link = 'coffer://object?service=local&id=reports%2F2026%2Fboard-pack.txt';
  await again.search.press('ControlOrMeta+v');
  await expect(again.search).toHaveValue(link);
  await again.search.fill('');
  await again.openSettings();
  await expectNoBarrier(app.page, 'Settings');
  await app.openLink(link);
  await expect(again.row(identifier)).toHaveAttribute('aria-selected', 'true');

  await app.close();
  expect(classificationAtService(join(app.userData, 'local-service'), identifier)).toBe('Restricted');
});

/** Finds the deleted object, removes it from the list, and finds the others, which are stored. */
async function expectAllAgain(page: Page): Promise<void> {
  const { keyboard } = page;
  const coffer = new CofferWindow(page);
  await expect(coffer.row('empty.bin')).toContainText(agoPattern);
  // Removed rows leave the list; the focus returns to it instead of being lost with the button.
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
  await coffer.showAll();
  await coffer.expectStored('reports/2026/board-pack.txt');
}

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
