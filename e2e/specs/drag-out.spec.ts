import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('rows that leave the window are dragged on as files, and come back as rows', async ({ app, shell }) => {
  test.skip(shell === 'electron', 'the stand-in names the files, and Electron hands them to the system');
  const files = writeFiles(join(app.folder, 'mine'), { 'a.txt': 300, 'b.txt': 9_000 });
  const digest = digestOf(files['b.txt'] ?? '');
  const coffer = new CofferWindow(app.page);
  const { mouse } = app.page;
  await coffer.tryOnThisComputer();
  await app.drop([join(app.folder, 'mine'), ...Object.values(writeFiles(app.folder, { 'c.txt': 1 }))]);
  await coffer.startUpload(3);
  for (const name of ['mine/a.txt', 'mine/b.txt', 'c.txt']) await coffer.expectStored(name);
  // One has to be fetched; the other is still where it was uploaded from.
  rmSync(files['b.txt'] ?? '');

  await coffer.row('mine/a.txt').click();
  await coffer.row('mine/b.txt').click({ modifiers: ['ControlOrMeta'] });
  await coffer.row('mine/a.txt').hover();
  await mouse.down();
  await mouse.move(400, 200);
  await expect(app.page.locator('.row-drag')).toHaveText('2 selected');
  await mouse.move(-20, 200);
  const named = () => /would drag (\[.*\])/.exec(app.output())?.[1];
  await expect.poll(named).toBeDefined();
  await mouse.up();
  await expect(app.page.locator('.row-drag')).toBeHidden();
  const dragged = JSON.parse(named() ?? '[]') as string[];
  expect(dragged.map((path) => basename(path))).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(dragged[0] ?? '')).toEqual(readFileSync(files['a.txt'] ?? ''));
  expect(digestOf(dragged[1] ?? '')).toBe(digest);
  expect(statSync(dragged[1] ?? '').mode & 0o777).toBe(0o600);

  // The system lets them go over the sidebar again.
  await app.drop(dragged, coffer.collection('Unfiled'));
  const move = app.page.getByRole('dialog', { name: 'Move 2 objects' });
  await expect(app.page.getByRole('dialog', { name: 'Upload' })).toBeHidden();
  await expect(move).toBeVisible();
});
