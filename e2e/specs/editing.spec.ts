import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modeHere, modeOf } from '../../test-support/file-mode.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('opens an object, edits it, stores each save, and takes the copies away @all @smoke', async ({
  app,
}) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'minutes.txt': 400 });
  const coffer = new CofferWindow(app.page);
  const { page } = app;
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(1);
  await coffer.expectStored('minutes.txt');

  await coffer.row('minutes.txt').click();
  await page.keyboard.press('Enter');
  await expect.poll(app.opened).toHaveLength(1);
  const [shown = ''] = app.opened();
  expect(modeOf(shown)).toBe(modeHere(0o400));

  await page.keyboard.press('ControlOrMeta+E');
  await expect.poll(app.opened).toHaveLength(2);
  const copy = app.opened()[1] ?? '';
  expect(copy.startsWith(join(app.userData, 'edits'))).toBe(true);
  await expect(coffer.row('minutes.txt')).toContainText('Editing');

  const edits = page.getByRole('button', { name: /1 open edit/ });
  const panel = page.getByRole('dialog', { name: 'Open edits' });
  for (const text of ['the first save', 'the second save']) {
    writeFileSync(copy, text);
    await expect.poll(sizesOf, { timeout: 20_000 }).toContain(`${text.length} B`);
  }
  await expect(page.getByRole('row', { name: /^minutes\.txt, 3 versions/ })).toBeVisible();

  await edits.click();
  await expect(panel).toContainText('stored');
  await panel.getByRole('button', { name: /^Finish/ }).click();
  await expect(edits).toBeHidden();
  await expect.poll(() => readdirSync(join(app.userData, 'edits'))).toEqual([]);
  expect(existsSync(shown)).toBe(true);
  await app.restart();
  await expect.poll(() => existsSync(shown)).toBe(false);

  /** The length of each stored object. */
  async function sizesOf(): Promise<string[]> {
    const rows = await coffer.objects.getByRole('row', { name: /^minutes/ }).allInnerTexts();
    return rows.flatMap((text) => /\d+\s(?:B|KB)/.exec(text)?.[0].replace(/\s/, ' ') ?? []);
  }
});

test('closing with an open edit lists unsaved changes, and the next start continues it @all', async ({
  app,
}) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'plan.txt': 400 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(1);
  await coffer.expectStored('plan.txt');
  await coffer.row('plan.txt').click();
  await coffer.dock.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.poll(app.opened).toHaveLength(1);
  app.answerDialogs(['Quit']);
  app.quit();
  await app.ended();
  expect(app.dialogsLeft()).toBe(0);
  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(again.row('plan.txt')).toContainText('Editing');
});

test('a file that could run something is shown in its folder in place of being opened @all', async ({
  app,
}) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'invoice.pdf.vsto': 400, 'a page.html': 500 });
  const coffer = new CofferWindow(app.page);
  const { page } = app;
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(2);
  await coffer.expectStored('invoice.pdf.vsto');
  await coffer.expectStored('a page.html');
  await coffer.row('invoice.pdf.vsto').click();
  await expect(coffer.dock.getByRole('button', { name: 'Show a copy in its folder' })).toBeVisible();
  await coffer.row('invoice.pdf.vsto').click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Show a copy in its folder' })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: 'Open', exact: true })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await coffer.row('invoice.pdf.vsto').dblclick();
  // No file manager answers in the test's session, so the folder is opened.
  await expect.poll(app.opened).toHaveLength(1);
  const [folder = ''] = app.opened();
  expect(readdirSync(folder)).toEqual(['invoice.pdf.vsto']);
  expect(modeOf(join(folder, 'invoice.pdf.vsto'))).toBe(modeHere(0o400));
  await coffer.row('a page.html').click();
  await page.keyboard.press('ControlOrMeta+E');
  await expect(page.getByRole('alert').first()).toContainText('Other files may run something');
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('open');
  await expect(page.getByRole('option', { name: 'Show a copy in its folder' })).toBeVisible();
  expect(app.opened()).toHaveLength(1);
});
