import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('drags rows onto folders of the sidebar and of the list, and to folders far down @all', async ({
  app,
}) => {
  const { page } = app;
  const { mouse } = page;
  const coffer = new CofferWindow(page);
  const files = writeFiles(app.folder, {
    'c.txt': 1,
    'mine/a.txt': 3_000,
    'mine/deep/b.txt': 2_000,
    'old/2026/d.txt': 900,
    'old/2026/e.txt': 20,
  });
  await coffer.tryOnThisComputer();
  await app.drop(['c.txt', 'mine', 'old'].map((name) => join(app.folder, name)));
  await coffer.startUpload(5);
  for (const name of Object.keys(files)) await coffer.expectStored(name);

  await test.step('a folder of the sidebar opens when rows are held over it, and takes them', async () => {
    await coffer.row('old/2026/d.txt').click();
    await coffer.row('old/2026/e.txt').click({ modifiers: ['ControlOrMeta'] });
    await coffer.row('old/2026/d.txt').hover();
    await mouse.down();
    const folders = page.getByRole('navigation');
    for (const over of [coffer.collection('old'), folders.getByRole('link', { name: '2026' })]) {
      await over.hover();
      // For each element, the browser reports all moves but the first.
      await over.hover();
      await expect(over).toHaveAttribute('data-over');
    }
    await mouse.up();
    // They are there already.
    await expect(coffer.messages).toContainText('Nothing to move');
    // A row that isn't selected is dragged alone.
    await page.keyboard.press('Escape');
    await coffer.row('old/2026/e.txt').dragTo(coffer.collection('Files'));
    await coffer.collection('Files').click();
    await coffer.expectStored('e.txt');
    await coffer.download('e.txt');
    await expect(coffer.transfer('e.txt', 'download', 'Done')).toBeVisible();
    expect(digestOf(join(app.downloads, 'This computer', 'e.txt'))).toBe(
      digestOf(files['old/2026/e.txt'] ?? ''),
    );
    await coffer.showFiles();
  });

  await test.step('folders stand above the objects, open, and take what is dragged onto them', async () => {
    const mine = coffer.objects.getByRole('row', { name: 'mine, folder, 2 objects' });
    await mine.dblclick();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('mine');
    await coffer.objects.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('deep');
    await coffer.objects.press('ArrowLeft');
    await expect(coffer.objects.locator('.is-cursor')).toHaveAccessibleName(/^deep, folder/);
    await coffer.objects.press('ArrowLeft');
    await expect(coffer.objects.locator('.is-cursor')).toHaveAccessibleName(/^mine, folder/);

    await mine.click({ button: 'right' });
    await expect(page.getByRole('menu', { name: 'Folder mine' })).toBeVisible();
    await expect(mine).toHaveAttribute('data-menu', 'true');
    await page.keyboard.press('Escape');
    await expect(mine).not.toHaveAttribute('data-menu', 'true');
    await expect(coffer.objects).toBeFocused();

    await coffer.row('c.txt').hover();
    await mouse.down();
    await mine.hover();
    await expect(mine).toHaveAttribute('data-over', 'true');
    await mouse.up();
    await expect(coffer.messages).toContainText('Moving 1 to mine');
  });

  await test.step('the sidebar scrolls to folders below its edge while a row is dragged', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `folder-${String(index + 10)}`);
    writeFiles(app.folder, Object.fromEntries(names.map((name) => [`${name}/a.txt`, 10])));
    await app.drop(names.map((name) => join(app.folder, name)));
    await coffer.startUpload(names.length);
    await coffer.search.fill('c.txt');
    // Until then the row may move away from the pointer.
    await expect(coffer.objects).toHaveAttribute('aria-rowcount', '2');
    const list = page.locator('.side__scroll');
    const box = await list.boundingBox();
    if (box === null) throw new Error('The sidebar has no list');
    const last = page.locator('[data-folder="folder-49"]').first();
    await expect(last).toBeAttached();
    await expect(last).not.toBeInViewport();
    await coffer.row('mine/c.txt').hover();
    await mouse.down();
    await mouse.move(400, 300);
    await mouse.move(box.x + 60, box.y + box.height - 6);
    await expect(last).toBeInViewport({ ratio: 1 });
    await last.hover();
    await mouse.up();
    await expect(coffer.messages).toContainText('Moving 1 to folder-49');
  });
});
