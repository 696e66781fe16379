import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

/**
 * A late deletion is waited for by wall time: with the clock set back at first, the wait is over once the clock is
 * right.
 */
const behindMs = 120_000;

test.use({ earlierMs: behindMs });

test('replaces a file across a restart, keeps the old one, and undoes it @all', async ({ app }) => {
  const first = writeFiles(join(app.folder, 'first'), { 'report.txt': 2_000_000 });
  const second = writeFiles(join(app.folder, 'second'), { 'report.txt': 300 });
  let coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(first));
  await coffer.startUpload(1);
  await coffer.expectStored('report.txt');

  await app.drop(Object.values(second));
  await coffer.chooseIfExists('Replace');
  await coffer.startUpload(1);
  await coffer.showTab('Transfers');
  await expect(coffer.transfers).toContainText('Replaced, final check');
  // The check runs behind.
  await coffer.expectStored('report.txt');

  await app.restart({ earlierMs: 2 * 30_000 });
  coffer = new CofferWindow(app.page);
  await coffer.expectStored('report.txt');
  await coffer.showTab('Transfers');
  await expect(coffer.transfers).toContainText('replaced, the old version is kept');
  await coffer.row('report.txt').click();
  await coffer.showTab('Details');
  const kept = app.page.getByRole('region', { name: 'Versions' });
  await expect(kept).toContainText('2.0 MB');

  const saved = join(app.folder, 'saved.txt');
  app.answerDialogs([saved]);
  await kept.getByRole('button', { name: /^Save this version/ }).click();
  await expect(coffer.messages).toContainText('saved.txt saved');
  expect(digestOf(saved)).toBe(digestOf(first['report.txt'] ?? ''));

  await kept.getByRole('button', { name: /^Restore this version/ }).click();
  await coffer.showTab('Transfers');
  await expect(coffer.transfers).toContainText('Replaced, final check');
  await app.restart();
  coffer = new CofferWindow(app.page);
  await coffer.expectStored('report.txt');
  await coffer.download('report.txt');
  await expect(coffer.transfer('report.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'This computer', 'report.txt'))).toBe(
    digestOf(first['report.txt'] ?? ''),
  );
});
