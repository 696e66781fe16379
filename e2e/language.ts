import { expect, type Page } from 'playwright/test';

/** As the setting changes it: without loading anything again. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate(
    (chosen) =>
      (
        window as unknown as { coffer: { call: (name: string, input: unknown) => Promise<unknown> } }
      ).coffer.call('settings.update', { language: chosen }),
    language,
  );
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
}
