import axe from 'axe-core';
import { expect, type Page } from 'playwright/test';
import { speak } from './settings.ts';

type Look = 'light' | 'dark' | 'highContrast';

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  // System colours only.
  highContrast: { colorScheme: 'light', forcedColors: 'active' },
} as const satisfies Record<Look, Parameters<Page['emulateMedia']>[0]>;

/** Ends transitions: a button that has just been enabled still fades. Infinite animations cannot be finished. */
function finishFading(): void {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
}

function areDialogsDrawn(): boolean {
  return [...document.querySelectorAll('.scrim')].every((each) => getComputedStyle(each).opacity === '1');
}

/** Checks the rendered colours, which jsdom cannot. */
async function findBarriers(page: Page, look: Look): Promise<string[]> {
  await page.emulateMedia({ ...looks[look], reducedMotion: 'reduce' });
  await page.evaluate(finishFading);
  // A dialog keeps the opacity of its first frame until the next one, and axe ignores it until then.
  await expect.poll(() => page.evaluate(areDialogsDrawn)).toBe(true);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // The other rules give the same result in every look.
  const options =
    look === 'light' ? { rules: { 'target-size': { enabled: true } } } : { runOnly: ['color-contrast'] };
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        // May still describe a removed button; cleared within seconds.
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

/** React Aria labels a menu item by its text only; its shortcut and other texts are its description. */
function isItemWithKeys(rule: string, html: string): boolean {
  return rule === 'label-content-name-mismatch' && html.includes('role="menuitem');
}

/**
 * Names written from the left in a window written from the right that start at the far side. Longer texts (what a person wrote, code) are
 * aligned as their language is.
 */
function findMisaligned(): string[] {
  const isFromLeft = (element: Element) => getComputedStyle(element).direction === 'ltr';
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter(
      (each) =>
        !each.matches('[dir="auto"], pre, textarea') &&
        isFromLeft(each) &&
        !isFromLeft(each.parentElement ?? each) &&
        each.textContent.trim() !== '' &&
        each.checkVisibility(),
    )
    .filter((each) => {
      const text = document.createRange();
      text.selectNodeContents(each);
      // More than a space.
      return each.getBoundingClientRect().right - text.getBoundingClientRect().right > 12;
    })
    .map(({ outerHTML }) => `misaligned: ${outerHTML.slice(0, 200)}`);
}

/** Returns axe's findings and misaligned texts in the current window. Leaves the window in the light theme. */
export async function barriersIn(
  page: Page,
  among: readonly Look[] = ['light', 'dark', 'highContrast'],
): Promise<string[]> {
  const found: string[] = [];
  for (const look of among)
    found.push(...(await findBarriers(page, look)).map((barrier) => `${look}: ${barrier}`));
  await page.emulateMedia({ ...looks.light, reducedMotion: 'reduce' });
  found.push(...(await page.evaluate(findMisaligned)));
  return found;
}

/** Expects no violations. @param screen the name for failure messages */
export async function expectNoBarrier(
  page: Page,
  screen: string,
  { alsoInArabic = false } = {},
): Promise<void> {
  expect(await barriersIn(page), screen).toEqual([]);
  if (!alsoInArabic) return;
  await speak(page, 'ar');
  expect(await barriersIn(page, ['light']), `${screen} in Arabic`).toEqual([]);
  await speak(page, 'en');
}
