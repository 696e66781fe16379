import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('changes the language without a restart and without losing input, and remembers it @all', async ({
  app,
}) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(writeFiles(join(app.folder, 'reports'), { 'board-pack.pdf': 1_200_000 })));
  await coffer.startUpload(1);
  await coffer.expectStored('board-pack.pdf');

  await coffer.openSettings();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('sprache');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch', exact: true }).click();
  // The text is still there, so the page was not reloaded.
  await expect(page.getByRole('searchbox', { name: 'Einstellungen durchsuchen' })).toHaveValue('sprache');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('link', { name: 'Alle Objekte' }).click();
  await expect(page.getByRole('grid', { name: 'Objekte' })).toContainText('1,2');
  await expect(page.getByRole('row', { name: /^board-pack\.pdf.*Gespeichert$/ })).toBeVisible();

  await app.restart();
  await expect(app.page.getByRole('link', { name: 'Alle Objekte' })).toBeVisible();
});

test('Arabic runs from the right, and identifiers from the left @all', async ({ app }) => {
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  writeFiles(join(app.folder, 'reports'), { 'board-pack.pdf': 5000 });
  await app.drop([join(app.folder, 'reports')]);
  await coffer.startUpload(1);
  await coffer.openSettings();
  await app.page.getByRole('combobox', { name: 'Language' }).click();
  await app.page.getByRole('option', { name: 'العربية' }).click();
  await expect(app.page.locator('html')).toHaveAttribute('dir', 'rtl');
  // In each group, between its heading and the labels.
  const gaps = await app.page.locator('.sets__head').evaluateAll((heads) =>
    heads.map((head) => {
      const words = document.createRange();
      words.selectNodeContents(head);
      const labels = head.nextElementSibling?.getBoundingClientRect();
      return words.getBoundingClientRect().left - (labels?.right ?? 0);
    }),
  );
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12);
  await app.page.getByRole('link', { name: 'كل الكائنات' }).click();
  const row = app.page.getByRole('row', { name: /board-pack\.pdf/ });
  const boxOf = async (name: string) => {
    const box = await row.locator(name).boundingBox();
    if (box === null) throw new Error(`${name} is not shown`);
    return box;
  };
  const [icon, folder, leaf] = [
    await boxOf('.icon >> nth=0'),
    await boxOf('.id__folder'),
    await boxOf('.id__leaf'),
  ];
  // The row begins on the right with its icon; the identifier in it runs from left to right.
  expect(icon.x).toBeGreaterThan(leaf.x + leaf.width);
  expect(folder.x).toBeLessThan(leaf.x);
  const side = await app.page.getByRole('navigation').boundingBox();
  expect(side?.x ?? 0).toBeGreaterThan(icon.x);
});
