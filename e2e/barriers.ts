import axe from 'axe-core';
import type { Page } from 'playwright/test';

type Look = 'light' | 'dark' | 'highContrast';

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  // The colours of the system alone.
  highContrast: { colorScheme: 'light', forcedColors: 'active' },
} as const satisfies Record<Look, Parameters<Page['emulateMedia']>[0]>;

/** With the colours that a person sees: jsdom has none. */
async function findBarriers(page: Page, look: Look): Promise<string[]> {
  await page.emulateMedia({ ...looks[look], reducedMotion: 'reduce' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // The rest is the same in all of them.
  const options =
    look === 'light' ? { rules: { 'target-size': { enabled: true } } } : { runOnly: ['color-contrast'] };
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        // What was said of a button that has left since; gone in seconds.
        { exclude: [['[data-live-announcer]']] },
        given,
      ),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !isItemWithKeys(id, html))
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n${failureSummary ?? ''}`),
  );
}

/** React Aria names an item of a menu by its words, and describes it by its keys and what it says beside them. */
function isItemWithKeys(rule: string, html: string): boolean {
  return rule === 'label-content-name-mismatch' && html.includes('role="menuitem');
}

/** What axe finds in the window as it stands. Leaves it light. */
export async function barriersIn(
  page: Page,
  among: readonly Look[] = ['light', 'dark', 'highContrast'],
): Promise<string[]> {
  const found: string[] = [];
  for (const look of among)
    found.push(...(await findBarriers(page, look)).map((barrier) => `${look}: ${barrier}`));
  await page.emulateMedia({ ...looks.light, reducedMotion: 'reduce' });
  return found;
}
