import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { dropFiles, hoverFiles } from '../../chromium-shell/testing/files.ts';
import { writeFiles } from '../files.ts';
import type { CofferWindow } from '../pages/coffer-window.ts';
import { changeSettings } from '../settings.ts';
import { closeMessages, large, save } from './camera.ts';
import { Film } from './film.ts';

const size = { width: 1180, height: 720 };
const mega = 1_000_000;
const maxBytes = 2 * mega;

/** The main job as an animation, main-job.png: files dropped, looked through in the sheet, and stored. */
export async function filmMainJob(page: Page, coffer: CofferWindow, folder: string): Promise<void> {
  const files = writeFiles(join(folder, 'Q3 board pack'), {
    'agenda.docx': 0.2 * mega,
    'board-pack.pdf': 31.4 * mega,
    'cash-flow.xlsx': 2.6 * mega,
    'minutes-draft.docx': 0.9 * mega,
    'site-photos.zip': 18.7 * mega,
  });
  const paths = Object.values(files);
  // A local service would be too fast to watch.
  await changeSettings(page, { uploadBytesPerSecond: 12 * mega });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
  await coffer.showTab('Transfers');
  await coffer.collection('reports').click();
  await closeMessages(page);
  const film = new Film(page);
  await film.hold(1200);
  const stopHovering = await hoverFiles(page, paths, page.locator('main'));
  await expect(page.getByText(`Drop ${paths.length} files into`)).toBeVisible();
  await film.hold(1300);
  await stopHovering();
  await dropFiles(page, paths);
  await expect(coffer.sheet).toBeVisible();
  await film.hold(1500);
  const picker = coffer.sheet.getByRole('combobox', { name: 'Classification' });
  await picker.click();
  await picker.press('ArrowDown');
  await expect(page.getByRole('option', { name: /^Confidential/ })).toBeVisible();
  await film.hold(1200);
  await page.getByRole('option', { name: /^Confidential/ }).click();
  await film.hold(1400);
  const isStored = page.getByRole('button', { name: 'Nothing is moving' });
  await coffer.startUpload(paths.length);
  await film.follow(isStored.waitFor({ timeout: 60_000 }), 200);
  await film.hold(3500);
  const bytes = film.encode();
  expect(bytes.length).toBeLessThan(maxBytes);
  save('main-job', bytes);
  await changeSettings(page, { uploadBytesPerSecond: null });
  await page.getByRole('button', { name: 'Clear done' }).click();
  await page.setViewportSize(large);
}
