import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('nothing moves, stands a few pixels off or is pushed out of sight', async ({ app }) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await coffer.tryOnThisComputer();
  const folder = join(app.folder, 'many');
  writeFiles(folder, Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`file-${n}.bin`, 10])));
  await app.drop([folder]);

  await test.step('lists of the sheet stay within it', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    await coffer.unfoldOptions();
    await expect(coffer.sheet.getByRole('button', { name: 'Upload 14 objects' })).toBeEnabled();
    const sheet = await boxOf(page.locator('.sheet'));
    for (const name of ['Classification', 'If it exists']) {
      await coffer.sheet.getByRole('combobox', { name }).click();
      const list = await boxOf(page.locator('.pop'));
      expect(list.y).toBeGreaterThanOrEqual(sheet.y);
      expect(list.y + list.height).toBeLessThanOrEqual(sheet.y + sheet.height);
      await page.keyboard.press('Escape');
      await expect(page.locator('.pop')).toHaveCount(0);
    }
  });

  await test.step('a scrollbar moves nothing in the dock', async () => {
    await page.setViewportSize({ width: 1280, height: 600 });
    await coffer.startUpload(14);
    await expect(coffer.transfers.getByRole('listitem', { name: /^14 files uploaded/ })).toBeVisible();
    const clear = coffer.dock.getByRole('button', { name: /^Clear/ });
    const before = await boxOf(clear);
    await page.getByRole('button', { name: 'Show each: 14 files uploaded' }).click();
    await expect(coffer.transfersThat('upload', 'Done').first()).toBeVisible();
    // They don't all fit, so there is a scrollbar.
    expect(await coffer.transfersThat('upload', 'Done').count()).toBeLessThan(14);
    expect(await boxOf(clear)).toEqual(before);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('what the search offers covers no row, whatever the width', async () => {
    const rows = coffer.objects.getByRole('row', { name: /^many/ });
    // They move until all are stored.
    await expect(rows.filter({ hasNotText: 'Stored' })).toHaveCount(0);
    const row = rows.nth(1);
    // Suggestions cover the headings, so that the title stays and a press on the row below them selects the row.
    await coffer.search.click();
    const offered = page.getByRole('button', { name: 'class:Internal' });
    await expect(offered).toBeVisible();
    await expect(page.getByRole('heading', { name: 'All objects', level: 1 })).toBeVisible();
    const field = await boxOf(coffer.search);
    const below = await boxOf(row);
    await page.mouse.click(field.x + field.width / 2, below.y + below.height / 2);
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await expect(offered).toBeHidden();

    await page.setViewportSize({ width: 900, height: 600 });
    await coffer.search.click();
    // Fills instead of typing: single letters find nothing for a moment, and the row would move away from the pointer.
    await coffer.search.fill('kind:');
    const picture = page.getByRole('option', { name: 'Picture' });
    await expect(picture).toBeVisible();
    // Rows of the previous list are not selected in the new one.
    await expect(coffer.objects).toHaveAttribute('aria-busy', 'false');
    await row.click();
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await expect(picture).toBeHidden();
    await coffer.search.fill('');
  });

  await test.step('the bar of the selection has labels by the width alone, and Download always', async () => {
    const [download, check] = [
      coffer.selectionBar.getByRole('button', { name: 'Download', exact: true }),
      coffer.selectionBar.getByRole('button', { name: 'Check', exact: true }),
    ];
    await coffer.objects.press('ControlOrMeta+a');
    for (const [width, label] of [
      [900, ''],
      [1280, 'Check'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect(check).toHaveText(label);
      await expect(download).toHaveText('Download');
    }
    const marked = () => getComputedStyle(document.body, '::selection').backgroundColor;
    expect(await page.evaluate(marked)).toMatch(/0\.28\)$/);
  });

  const secret = 'keys/of the production systems of the northern site/database of the reporting service';
  await test.step('columns are as wide and as high for objects and secrets, and names have the room of states', async () => {
    const column = page.getByRole('columnheader', { name: 'Classification' });
    await coffer.collection('Secrets').click();
    await expect(page.getByText('No secrets yet')).toBeVisible();
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'New secret' });
    await dialog.getByRole('textbox', { name: 'Identifier' }).fill(secret);
    const generate = dialog.getByRole('button', { name: 'Generate' });
    const { y } = await boxOf(generate);
    await generate.click();
    await expect(dialog.getByRole('button', { name: 'Another' })).toBeVisible();
    // The options open below. The dialog may still be growing into its place by a fraction of a pixel.
    expect((await boxOf(generate)).y).toBeCloseTo(y);
    await expect(dialog.getByRole('button', { name: 'Store secret' })).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('button', { name: 'Store secret' }).click();
    await expect(coffer.secret(secret)).toBeVisible();
    const ofSecrets = await boxOf(column);
    await coffer.showAll();
    await expect(coffer.objects).toBeVisible();
    // No state is to be said here: its column is narrow.
    await expect.poll(() => boxOf(column)).toEqual({ ...ofSecrets, x: ofSecrets.x + 60 });
  });

  await test.step('no ring of the focus is cut', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await coffer.row('many/file-1.bin').click();
    await coffer.showTab('Transfers');
    // After a key, what gets the focus shows it.
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(cutRings)).toEqual([]);
  });

  await test.step('a secret on the clipboard with a long name leaves the time and what follows in sight', async () => {
    await coffer.collection('Secrets').click();
    await page.setViewportSize({ width: 900, height: 600 });
    await coffer.secret(secret).hover();
    await coffer.secret(secret).getByRole('button', { name: 'Copy value' }).click();
    const line = page.locator('.clipboard-line');
    const name = line.getByText(/^keys/);
    expect(await name.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(true);
    await expect(line).toContainText(/ copied · clears in \S+ s/);
    await expect(line.getByRole('button', { name: 'Clear now' })).toBeInViewport({ ratio: 1 });
    // As far from the edge as the headings: nothing that has no room takes any.
    const { x } = await boxOf(page.getByRole('heading', { name: 'Secrets' }));
    await expect.poll(async () => Math.round((await boxOf(line.locator('.ring'))).x)).toBe(Math.round(x));
    await coffer.showAll();
  });

  await test.step('long names leave the actions and the classification in sight in a small window', async () => {
    const place = 'handover of the northern site/minutes of all meetings of the second quarter of the year';
    const files = writeFiles(join(app.folder, 'mine'), { a: 9, b: 9, c: 9, d: 9, e: 9, f: 9 });
    await app.drop([files['a'] ?? '']);
    const identifier = coffer.sheet.getByRole('textbox', { name: 'Identifier of a' });
    await identifier.fill(`${place}/a`);
    await identifier.press('Enter');
    await coffer.startUpload(1);
    await page.getByRole('button', { name: 'Open handover' }).click();
    await coffer.collection('minutes').click();
    await page.setViewportSize({ width: 900, height: 600 });
    await expect(coffer.row('a')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Upload', exact: true })).toBeInViewport({ ratio: 1 });

    await app.drop(Object.values(files));
    await coffer.unfoldOptions();
    await coffer.chooseClassification('Internal');
    await coffer.sheet.getByRole('combobox', { name: 'If it exists' }).scrollIntoViewIfNeeded();
    const inSight = [
      coffer.sheet.getByRole('combobox', { name: 'Classification' }),
      coffer.sheet.getByRole('button', { name: 'Upload 6 objects' }),
    ];
    for (const each of inSight) await expect(each).toBeInViewport({ ratio: 1 });
    await coffer.sheet.getByRole('textbox', { name: 'Identifier of a' }).scrollIntoViewIfNeeded();
    for (const each of inSight) await expect(each).toBeInViewport({ ratio: 1 });
  });
});

/** In the page. @returns the controls whose ring would be cut, and by what */
function cutRings(): string[] {
  const cut: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>('a[href], button, input, [tabindex]')) {
    // A whole view gets the focus by program only, when what had it is gone.
    if (control.tabIndex < 0 || !control.checkVisibility({ visibilityProperty: true })) continue;
    control.focus({ preventScroll: true });
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control);
    if (document.activeElement !== control || outlineStyle === 'none') continue;
    const grows = Math.max(parseFloat(outlineWidth) + parseFloat(outlineOffset), 0);
    const box = control.getBoundingClientRect();
    for (let clip = control.parentElement; clip !== null; clip = clip.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(clip);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const edge = clip.getBoundingClientRect();
      // What is scrolled out of sight is not asked about.
      const isInside =
        box.top >= edge.top && box.bottom <= edge.bottom && box.left >= edge.left && box.right <= edge.right;
      const room = Math.min(
        box.top - edge.top,
        edge.bottom - box.bottom,
        box.left - edge.left,
        edge.right - box.right,
      );
      if (isInside && room < grows)
        cut.push(`${control.className || control.tagName} (${control.textContent}) by ${clip.className}`);
    }
  }
  return cut;
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not shown');
  return box;
}
