import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaultServer } from '../faults/fault-server.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { speak } from '../settings.ts';

test('asks when an identifier exists, and does what was answered @all', async ({ app }) => {
  const first = writeFiles(join(app.folder, 'first'), { 'a.txt': 100, 'b.txt': 200, 'c.txt': 300 });
  const second = writeFiles(join(app.folder, 'second'), { 'a.txt': 111, 'b.txt': 222, 'c.txt': 333 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(first));
  await coffer.startUpload(3);
  for (const name of Object.keys(first)) await coffer.expectStored(name);

  await app.drop(Object.values(second));
  await coffer.startUpload(3);
  const { question } = coffer;
  await expect(question).toContainText('Yours is larger');
  // No text of the comparison overlaps the next column or the edge.
  for (const language of ['de', 'en']) {
    await speak(app.page, language);
    const cells = await question.locator('.compare :is(th, td)').all();
    for (const cell of cells)
      expect(
        await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBeLessThanOrEqual(0);
  }
  const asked = await question.getByRole('heading', { level: 2 }).innerText();
  await question.getByRole('radio', { name: /^Skip/ }).click();
  await question.getByRole('button', { name: 'Skip 1 object' }).click();
  await expect(app.page.getByText('Done, skipped because it already exists')).toHaveCount(1);

  // Wait for the next prompt, not the closing first one.
  await expect(question).toBeVisible();
  await expect(question.getByRole('heading', { name: asked })).toHaveCount(0);
  await question.getByRole('radio', { name: /^Keep both/ }).click();
  await question.getByRole('checkbox').click();
  await question.getByRole('button', { name: /^Keep both of/ }).click();
  await expect(question).toBeHidden();
  await coffer.search.fill('"-2.txt" state:stored');
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '3');

  await coffer.search.fill('c-2.txt');
  // The previous list also contains the row, and a selection there would be lost.
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '2');
  await coffer.row('c-2.txt').click();
  await coffer.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('c-2.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'c-2.txt'))).toBe(digestOf(second['c.txt'] ?? ''));
});

test('asks about an object that a stranger stored before, and leaves it as it is @all', async ({ app }) => {
  const names = ['a.txt', 'b.txt', 'b-2.txt'];
  const theirs = writeFiles(join(app.folder, 'theirs'), { 'a.txt': 100, 'b.txt': 200, 'b-2.txt': 300 });
  const objects = new Map(
    names.map((name) => [name, { bytes: readFileSync(theirs[name] ?? ''), classification: null }]),
  );
  const service = await startFaultServer({ objects });
  const mine = writeFiles(join(app.folder, 'mine'), { 'a.txt': 111, 'b.txt': 222 });
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  await app.drop(Object.values(mine));
  await coffer.startUpload(2);
  const { question } = coffer;
  await expect(question).toContainText('Coffer didn’t store this object, so only its size is known.');
  await expect(question).toContainText('1 of 2');
  const ask = async (name: string) => {
    await question.press('Escape');
    await expect(question).toBeHidden();
    await coffer.showTab('Transfers');
    const waiting = coffer.transfer(name, 'upload', 'Waiting');
    await expect(waiting).toContainText('The identifier already exists, and nothing was replaced.');
    await waiting.getByRole('button', { name: 'Answer' }).click();
  };
  await ask('a.txt');
  await question.getByRole('radio', { name: /^Skip/ }).click();
  await question.getByRole('button', { name: 'Skip 1 object' }).click();
  await expect(coffer.transfer('a.txt', 'upload', 'Done')).toContainText('skipped');
  await coffer.transfer('b.txt', 'upload', 'Waiting').getByRole('button', { name: 'Answer' }).click();
  await question.getByRole('radio', { name: /^Keep both/ }).click();
  await expect(question).toContainText('Yours is stored as b-3.txt');
  await question.getByRole('button', { name: /^Keep both of/ }).click();
  await expect(coffer.transfer('b-3.txt', 'upload', 'Done')).toContainText('stored size matches');

  const expected = { ...theirs, 'b-3.txt': mine['b.txt'] };
  expect([...objects.keys()].toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [name, path = ''] of Object.entries(expected))
    expect(objects.get(name)?.bytes.equals(readFileSync(path)), name).toBe(true);
  await service.close();
});
