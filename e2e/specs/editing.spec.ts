import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('opens an object, edits it, stores each save, and takes the copies away @all', async ({ app }) => {
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
  expect(statSync(shown).mode & 0o777).toBe(0o400);

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
  // The window may close before the key is released.
  await app.page.keyboard.press('Control+Q').catch(() => undefined);
  await app.ended();
  expect(app.dialogsLeft()).toBe(0);
  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(again.row('plan.txt')).toContainText('Editing');
});
