import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { shrinkPng } from './png.ts';

const target = join(import.meta.dirname, '..', '..', 'docs', 'screens');
export const large = { width: 1280, height: 800 };
export const small = { width: 900, height: 600 };

/** Writes docs/screens/NAME-light.png and NAME-dark.png of what the window shows. */
export async function take(page: Page, name: string, size = large): Promise<void> {
  mkdirSync(target, { recursive: true });
  await page.setViewportSize(size);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    writeFileSync(join(target, `${name}-${colorScheme}.png`), shrinkPng(png));
  }
  await page.setViewportSize(large);
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
