import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { dropFiles, hoverFiles } from '../../chromium-shell/testing/files.ts';
import { writeFiles } from '../files.ts';
import type { CofferWindow } from '../pages/coffer-window.ts';
import { changeSettings } from '../settings.ts';
import { closeMessages, large, save } from './camera.ts';
import { Film } from './film.ts';
import { note } from './shown.ts';

const size = { width: 1180, height: 640 };
const mega = 1_000_000;
const maxBytes = 2 * mega;
const leastOfProgress = 10;

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
  // Slow enough for a frame of each step also where a frame takes a second; the film plays it faster.
  await changeSettings(page, { uploadBytesPerSecond: 2.5 * mega });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
  await coffer.showTab('Transfers');
  await coffer.collection('reports').click();
  await closeMessages(page);
  const film = new Film(page);
  const hold = async (shownMs: number) => {
    await note(page.locator('body'), 'main-job');
    await film.hold(shownMs);
  };
  await hold(1200);
  const stopHovering = await hoverFiles(page, paths, page.locator('main'));
  await expect(page.getByText(new RegExp(`^Drop ${paths.length} (files|items) into`))).toBeVisible();
  await hold(1300);
  await stopHovering();
  await dropFiles(page, paths);
  await expect(coffer.sheet).toBeVisible();
  await hold(1500);
  const picker = coffer.sheet.getByRole('combobox', { name: 'Classification' });
  await picker.click();
  await picker.press('ArrowDown');
  await expect(page.getByRole('option', { name: /^Confidential/ })).toBeVisible();
  await hold(1200);
  await page.getByRole('option', { name: /^Confidential/ }).click();
  await hold(1400);
  const isStored = page.getByRole('button', { name: 'No transfers' });
  await coffer.startUpload(paths.length);
  await isStored.waitFor({ state: 'hidden' });
  const ofProgress = await film.follow(isStored.waitFor({ timeout: 60_000 }), 1800, 300);
  expect(ofProgress, 'Frames of progress').toBeGreaterThanOrEqual(leastOfProgress);
  await hold(3500);
  const bytes = film.encode();
  expect(bytes.length).toBeLessThan(maxBytes);
  save('main-job', bytes);
  await changeSettings(page, { uploadBytesPerSecond: null });
  await page.getByRole('button', { name: 'Clear done' }).click();
  await page.setViewportSize(large);
}
