import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from 'playwright/test';
import { barriersIn } from '../barriers.ts';
import { speak } from '../settings.ts';
import { shrinkPng } from './png.ts';

export const screens = join(import.meta.dirname, '..', '..', 'docs', 'screens');
export const large = { width: 1280, height: 800 };
export const small = { width: 900, height: 600 };

/** After the English. Pseudo-languages too: `PICTURES_IN=en-XA,ar-XB npm run pictures`. */
const languages = (process.env['PICTURES_IN'] ?? 'de,ar').split(',').filter((tag) => tag !== '');

const looks = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }],
  ['high-contrast', { colorScheme: 'dark', forcedColors: 'active' }],
] as const;

/**
 * Writes docs/screens/NAME-light.png, NAME-dark.png and NAME-high-contrast.png of what the window shows, and NAME-LANGUAGE.png.
 * What axe finds in it is told at the end.
 */
export async function take(page: Page, name: string, size = large): Promise<void> {
  mkdirSync(screens, { recursive: true });
  await page.setViewportSize(size);
  for (const [look, media] of looks) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    await write(page, `${name}-${look}`);
  }
  await look(page, name);
  for (const language of languages) {
    await speak(page, language);
    // What is open over the window finds its place again.
    await page.setViewportSize({ ...size, height: size.height - 1 });
    await page.setViewportSize(size);
    await write(page, `${name}-${language}`);
    await look(page, `${name} in ${language}`, ['light']);
  }
  if (languages.length > 0) await speak(page, 'en');
  await page.setViewportSize(large);
}

const barriers: string[] = [];

async function look(page: Page, screen: string, among?: Parameters<typeof barriersIn>[1]): Promise<void> {
  barriers.push(...(await barriersIn(page, among)).map((barrier) => `${screen}, ${barrier}`));
}

/** Throws when axe found any in what was taken. */
export function requireNoBarriers(): void {
  if (barriers.length > 0) throw new Error(`axe found barriers:\n\n${barriers.join('\n\n')}`);
}

async function write(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(screens, `${name}.png`), shrinkPng(png));
}

/** Writes docs/screens/NAME.png of one element. */
export async function takeElement(element: Locator, name: string): Promise<void> {
  const png = await element.screenshot({ animations: 'disabled' });
  writeFileSync(join(screens, `${name}.png`), shrinkPng(png));
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
