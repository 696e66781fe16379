import { join } from 'node:path';
import { expectNoBarrier } from '../barriers.ts';
import { writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

/** The main screens and dialogs; `npm run pictures -- all` checks every screen that it captures in the same way. */
test('no barrier on any main screen, nor in a dialog @all', async ({ app }) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  await expect(page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
  await expectNoBarrier(page, 'Welcome', { alsoInArabic: true });
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  await expectNoBarrier(page, 'Connect');
  await page.getByRole('button', { name: 'Back' }).click();

  await coffer.tryOnThisComputer();
  await showSheet(app, coffer);
  await expectNoBarrier(page, 'The upload sheet');
  await showDetails(app, coffer);
  await expectNoBarrier(page, 'The list, with details', { alsoInArabic: true });
  await page.keyboard.press('ControlOrMeta+k');
  await expectNoBarrier(page, 'The palette');
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectNoBarrier(page, 'The shortcuts');
  await page.keyboard.press('Escape');
  await coffer.openSettings();
  await expectNoBarrier(page, 'Settings', { alsoInArabic: true });
});

async function showSheet(app: App, coffer: CofferWindow): Promise<void> {
  const files = writeFiles(join(app.folder, 'reports'), { 'board-pack.pdf': 5000, 'notes.txt': 300 });
  await app.drop(Object.values(files));
  await expect(coffer.sheet).toBeVisible();
}

/** Uploads the files in the sheet. */
async function showDetails({ page }: App, coffer: CofferWindow): Promise<void> {
  await coffer.startUpload(2);
  await coffer.expectStored('notes.txt');
  await coffer.row('notes.txt').click();
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
}

test('a list and a sheet can be used at 200 %, and settings are readable at every width @all', async ({
  app,
}) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  await coffer.tryOnThisComputer();
  // The content size of a window of 1280 x 800 at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  const expectAllInside = async () => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(640);
  };
  await app.drop(Object.values(writeFiles(join(app.folder, 'mine'), { 'a.txt': 10 })));
  const identifier = coffer.sheet.getByRole('textbox', { name: 'Identifier of a.txt' });
  await identifier.scrollIntoViewIfNeeded();
  expect((await identifier.boundingBox())?.width).toBeGreaterThan(150);
  await expect(coffer.sheet.getByRole('button', { name: 'Upload 1 object' })).toBeInViewport();
  await expectAllInside();
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');
  await expect(coffer.row('a.txt')).toBeInViewport();
  await expectAllInside();

  await page.setViewportSize({ width: 1920, height: 1080 });
  await coffer.openSettings();
  // In full screen, lines stay short enough to read; at 200 % nothing overlaps or is squeezed.
  for (const { size, isStacked } of [
    { size: { width: 1920, height: 1080 }, isStacked: false },
    { size: { width: 900, height: 600 }, isStacked: false },
    { size: { width: 640, height: 400 }, isStacked: true },
  ]) {
    await page.setViewportSize(size);
    const boxOf = async (name: string) => (await page.getByText(name, { exact: true }).boundingBox()) ?? none;
    const [title, name] = [await boxOf('Appearance'), await boxOf('Theme')];
    expect(title.y + title.height <= name.y).toBe(isStacked);
    expect(await page.evaluate(misfits)).toEqual([]);
  }
});

const none = { x: 0, y: 0, width: 0, height: 0 };

/** Settings whose texts or controls overlap, or are too wide or too narrow. */
function misfits(): string[] {
  return [...document.querySelectorAll('.set')].flatMap((set) => {
    const [words, control] = [...set.children].map((part) => part.getBoundingClientRect());
    const line = set.getBoundingClientRect();
    if (words === undefined || control === undefined) return [];
    const isOver = control.left < words.right && control.top < words.bottom && words.top < control.bottom;
    const isOut = Math.max(words.right, control.right) > line.right + 1 || line.width > 720;
    const isNarrow = set.classList.contains('set--two') && words.width < 180;
    return isOver || isOut || isNarrow ? [set.textContent] : [];
  });
}
