import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('asks when an identifier exists, and does what was answered', async ({ app }) => {
  const first = writeFiles(join(app.folder, 'first'), { 'a.txt': 100, 'b.txt': 200, 'c.txt': 300 });
  const second = writeFiles(join(app.folder, 'second'), { 'a.txt': 111, 'b.txt': 222, 'c.txt': 333 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(first));
  await coffer.startUpload(3);
  for (const name of Object.keys(first)) await coffer.expectStored(name);

  await app.drop(Object.values(second));
  await coffer.startUpload(3);
  const question = app.page.getByRole('dialog', { name: /already exists$/ });
  await expect(question).toContainText('Yours is larger');
  await question.getByRole('radio', { name: /^Skip/ }).click();
  await question.getByRole('button', { name: 'Skip 1 object' }).click();
  await expect(app.page.getByText('Done, skipped because it already exists')).toHaveCount(1);

  await expect(question).toBeVisible();
  await question.getByRole('radio', { name: /^Keep both/ }).click();
  await question.getByRole('checkbox').click();
  await question.getByRole('button', { name: /^Keep both of/ }).click();
  await expect(question).toBeHidden();
  await coffer.search.fill('"-2.txt" state:stored');
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '3');

  await coffer.search.fill('c-2.txt');
  // The row stands in the list before as well, and what is selected there is not in this one.
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '2');
  await coffer.row('c-2.txt').click();
  await coffer.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('c-2.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'c-2.txt'))).toBe(digestOf(second['c.txt'] ?? ''));
});
