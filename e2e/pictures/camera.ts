import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from 'playwright/test';
import { barriersIn } from '../barriers.ts';
import { speak } from '../settings.ts';
import { root, shownPictures } from './pages.ts';
import { shrinkPng } from './png.ts';
import { note } from './shown.ts';

/** `npm run pictures -- all` writes every picture into a folder that Git ignores; without `all`, only those shown on a page, into docs/screens. */
const takesAll = process.argv.includes('all');
const folder = takesAll ? join(root, 'pictures') : join(root, 'docs', 'screens');
const shown = shownPictures();
const written = new Set<string>();

export const large = { width: 1280, height: 800 };
export const small = { width: 900, height: 600 };

/** Languages in addition to English; pseudo-languages are possible: `PICTURES_IN=en-XA,ar-XB npm run pictures -- all`. */
const languages = (process.env['PICTURES_IN'] ?? 'de,ar').split(',').filter((tag) => tag !== '');

const light = { colorScheme: 'light', forcedColors: 'none' } as const;
const looks = [
  ['light', light],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }],
  ['high-contrast', { colorScheme: 'dark', forcedColors: 'active' }],
] as const;

/**
 * Writes NAME-light.png, NAME-dark.png, NAME-high-contrast.png and NAME-LANGUAGE.png of the window, as far as wanted.
 * With `all`, the window is checked for barriers too; `requireNoBarriers` throws them.
 */
export async function take(page: Page, name: string, size = large): Promise<void> {
  const wantedLooks = looks.filter(([look]) => isWanted(`${name}-${look}`));
  const wantedLanguages = languages.filter((language) => isWanted(`${name}-${language}`));
  if (wantedLooks.length + wantedLanguages.length > 0) await page.setViewportSize(size);
  for (const [look, media] of wantedLooks) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    await write(page, `${name}-${look}`);
  }
  if (takesAll) await look(page, name);
  await page.emulateMedia({ ...light, reducedMotion: 'reduce' });
  for (const language of wantedLanguages) {
    await speak(page, language);
    // Makes open overlays position themselves again.
    await page.setViewportSize({ ...size, height: size.height - 1 });
    await page.setViewportSize(size);
    await write(page, `${name}-${language}`);
    if (takesAll) await look(page, `${name} in ${language}`, ['light']);
  }
  if (wantedLanguages.length > 0) await speak(page, 'en');
  await page.setViewportSize(large);
}

function isWanted(name: string): boolean {
  return takesAll || shown.has(name);
}

const barriers: string[] = [];

async function look(page: Page, screen: string, among?: Parameters<typeof barriersIn>[1]): Promise<void> {
  barriers.push(...(await barriersIn(page, among)).map((barrier) => `${screen}, ${barrier}`));
}

/** @throws if any picture has barriers */
export function requireNoBarriers(): void {
  if (barriers.length > 0) throw new Error(`Barriers:\n\n${barriers.join('\n\n')}`);
}

/** @throws if a page shows a picture that this run did not take */
export function requireShownPictures(): void {
  const missing = takesAll ? [] : [...shown].filter((name) => !written.has(name));
  if (missing.length > 0) throw new Error(`Not taken: ${missing.join(', ')}`);
}

async function write(page: Page, name: string): Promise<void> {
  if (!takesAll) await note(page.locator('body'), name);
  save(name, shrinkPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })));
}

/** Writes NAME.png of one element, if it is wanted. */
export async function takeElement(element: Locator, name: string): Promise<void> {
  if (!isWanted(name)) return;
  if (!takesAll) await note(element, name);
  save(name, shrinkPng(await element.screenshot({ animations: 'disabled' })));
}

export function save(name: string, png: Uint8Array): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), png);
  written.add(name);
}

/** Removes earlier messages from the picture. */
export async function closeMessages(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close message' }).first();
  await expect(async () => {
    if (await close.isVisible()) await close.click({ timeout: 1000 });
    await expect(page.locator('.toast')).toHaveCount(0, { timeout: 100 });
  }).toPass({ timeout: 20_000 });
}

export async function sortNewestFirst(page: Page): Promise<void> {
  const stored = page.getByRole('columnheader', { name: 'Date stored' });
  await expect(async () => {
    if ((await stored.getAttribute('aria-sort')) === 'descending') return;
    await stored.getByRole('button').click();
    // A second press before this one takes effect would reverse the order.
    await expect(stored).toHaveAttribute('aria-sort', 'descending', { timeout: 5000 });
  }).toPass();
}
