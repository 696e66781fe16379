import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { shrinkPng } from './png.ts';

const target = join(import.meta.dirname, '..', '..', 'docs', 'screens');
export const large = { width: 1280, height: 800 };
export const small = { width: 900, height: 600 };

/** Also in these, after the English: `npm run pictures` with PICTURES_IN=de,ar,en-XA,ar-XB. */
const otherLanguages = (process.env['PICTURES_IN'] ?? '').split(',').filter((tag) => tag !== '');

/** Writes docs/screens/NAME-light.png and NAME-dark.png of what the window shows. */
export async function take(page: Page, name: string, size = large): Promise<void> {
  mkdirSync(target, { recursive: true });
  await page.setViewportSize(size);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    writeFileSync(join(target, `${name}-${colorScheme}.png`), shrinkPng(png));
  }
  for (const language of otherLanguages) {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await speak(page, language);
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    writeFileSync(join(target, `${name}-${language}.png`), shrinkPng(png));
  }
  if (otherLanguages.length > 0) await speak(page, 'en');
  await page.setViewportSize(large);
}

/** As the setting changes it: without loading anything again. Driving goes on in English. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate(
    (chosen) =>
      (
        window as unknown as { coffer: { call: (name: string, input: unknown) => Promise<unknown> } }
      ).coffer.call('settings.update', { language: chosen }),
    language,
  );
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
}

/** What was said a moment ago is not what the picture is about. */
export async function closeMessages(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close message' }).first();
  await expect(async () => {
    if (await close.isVisible()) await close.click({ timeout: 1000 });
    await expect(page.locator('.toast')).toHaveCount(0, { timeout: 100 });
  }).toPass({ timeout: 20_000 });
}

export async function sortNewestFirst(page: Page): Promise<void> {
  const stored = page.getByRole('columnheader', { name: 'Stored' });
  await expect(async () => {
    if ((await stored.getAttribute('aria-sort')) === 'descending') return;
    await stored.getByRole('button').click();
    // Another press before this one counts would turn it round.
    await expect(stored).toHaveAttribute('aria-sort', 'descending', { timeout: 5000 });
  }).toPass();
}
