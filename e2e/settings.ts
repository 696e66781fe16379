import { expect, type Page } from 'playwright/test';
import type { Settings } from '../src/shared/domain/settings.ts';

type Bridge = { coffer: { call: (name: string, input: unknown) => Promise<unknown> } };

/** Changes settings as the settings page does. */
export async function changeSettings(page: Page, change: Partial<Settings>): Promise<void> {
  await page.evaluate((given) => (window as unknown as Bridge).coffer.call('settings.update', given), change);
}

/** Switches the language without a reload. @param language a value of `Settings`; main refuses any other */
export async function speak(page: Page, language: string): Promise<void> {
  await changeSettings(page, { language: language as Settings['language'] });
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
}
