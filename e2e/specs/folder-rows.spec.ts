import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('folders stand above the objects, open, and take what is dragged onto them, also far down in the sidebar', async ({
  app,
}) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  await coffer.tryOnThisComputer();
  writeFiles(join(app.folder, 'mine'), { 'a.txt': 3_000, 'deep/b.txt': 2_000 });
  await app.drop([join(app.folder, 'mine'), ...Object.values(writeFiles(app.folder, { 'c.txt': 1 }))]);
  await coffer.startUpload(3);
  for (const name of ['mine/a.txt', 'mine/deep/b.txt', 'c.txt']) await coffer.expectStored(name);

  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  const mine = coffer.objects.getByRole('row', { name: 'Folder mine, 2 objects, 5 KB' });
  await mine.dblclick();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('mine');
  await coffer.objects.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('deep');
  await coffer.objects.press('ArrowLeft');
  await expect(coffer.objects.locator('.is-cursor')).toHaveAccessibleName(/^Folder deep/);
  await coffer.objects.press('ArrowLeft');
  await expect(coffer.objects.locator('.is-cursor')).toHaveAccessibleName(/^Folder mine/);

  await mine.click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Folder mine' })).toBeVisible();
  await expect(mine).toHaveAttribute('data-menu', 'true');
  await page.keyboard.press('Escape');
  await expect(mine).not.toHaveAttribute('data-menu', 'true');
  await expect(coffer.objects).toBeFocused();

  await coffer.row('c.txt').hover();
  await page.mouse.down();
  await mine.hover();
  await expect(mine).toHaveAttribute('data-over', 'true');
  await page.mouse.up();
  const move = page.getByRole('dialog', { name: 'Rename or move' });
  await expect(move.getByRole('textbox', { name: 'Identifier' })).toHaveValue('mine/c.txt');
  await page.keyboard.press('Escape');

  // The sidebar scrolls to folders below its edge while a row is dragged.
  const names = Array.from({ length: 40 }, (_, index) => `folder-${String(index + 10)}`);
  writeFiles(app.folder, Object.fromEntries(names.map((name) => [`${name}/a.txt`, 10])));
  await app.drop(names.map((name) => join(app.folder, name)));
  await coffer.startUpload(names.length);
  await coffer.search.fill('c.txt');
  const list = page.locator('.side__scroll');
  const box = await list.boundingBox();
  if (box === null) throw new Error('The sidebar has no list');
  const last = page.locator('[data-folder="folder-49"]').first();
  await expect(last).not.toBeInViewport();
  await coffer.row('c.txt').hover();
  await page.mouse.down();
  await page.mouse.move(400, 300);
  await page.mouse.move(box.x + 60, box.y + box.height - 6);
  await expect(last).toBeInViewport({ ratio: 1 });
  await last.hover();
  await page.mouse.up();
  await expect(page.getByRole('dialog', { name: 'Move' })).toBeVisible();
});
