import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { modeHere, modeOf } from '../../test-support/file-mode.ts';
import { startFaultServer } from '../faults/fault-server.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

test('finds everything again after a restart, and still knows the token @all', async ({ app }) => {
  const token = 'known-after-a-restart';
  const service = await startService(app.folder, { token });
  const files = writeFiles(join(app.folder, 'mine'), { 'minutes.txt': 4321, 'budget.xlsx': 65_000 });
  const before = new CofferWindow(app.page);
  await before.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.drop(Object.values(files));
  await before.startUpload(2);
  for (const name of Object.keys(files)) await before.expectStored(name);
  await app.page.getByRole('link', { name: 'All objects' }).click();
  await app.page.getByRole('button', { name: 'Size' }).click();

  await app.close();
  for (const folder of ['.', 'logs']) chmodSync(join(app.userData, folder), 0o755);
  await app.restart();
  const after = new CofferWindow(app.page);
  await after.expectReady('Archive');
  // Other users cannot read it, even if they could before. On Windows no mode let them.
  for (const name of ['.', 'logs']) expect(modeOf(join(app.userData, name)), name).toBe(modeHere(0o700));
  for (const name of ['logs/coffer.log', 'window.json'])
    expect(modeOf(join(app.userData, name)), name).toBe(modeHere(0o600));
  await expect(app.page.getByRole('textbox', { name: 'Access token' })).toHaveCount(0);
  // The list is as it was left.
  await expect(app.page.getByRole('heading', { name: 'All objects' })).toBeVisible();
  await expect(app.page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await after.collection('All objects').click();
  await expect(after.collection('All objects')).toContainText('2');
  for (const name of Object.keys(files)) await after.expectStored(name);
  await after.download('budget.xlsx');
  await expect(after.transfer('budget.xlsx', 'download', 'Done')).toContainText('digest matches');
  expect(digestOf(join(app.downloads, 'Archive', 'budget.xlsx'))).toBe(digestOf(files['budget.xlsx'] ?? ''));
  await service.close();
});

test('after a kill during an upload, finds out what was stored and continues @all', async ({ app }) => {
  let isHeld = true;
  const service = await startFaultServer({
    plan: ({ method, identifier }) => {
      if (method !== 'POST') return null;
      // One upload is incomplete; the other arrives, but its response is lost.
      return identifier === 'half.bin'
        ? { holdRequest: () => !isHeld, cutRequestAtBytes: 1 }
        : { cutAnswerAtBytes: 0, cutBy: 'stall' };
    },
  });
  const files = writeFiles(join(app.folder, 'mine'), { 'half.bin': 3_000_000, 'whole.bin': 2_000_000 });
  const before = new CofferWindow(app.page);
  await before.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  await app.drop(Object.values(files));
  await before.startUpload(2);
  await expect(before.row('half.bin')).toContainText('Uploading');
  await expect.poll(() => service.objects.has('whole.bin')).toBe(true);
  await app.kill();
  isHeld = false;
  service.plan = () => null;

  await app.restart();
  const after = new CofferWindow(app.page);
  await after.expectStored('whole.bin');
  await after.expectStored('half.bin');
  expect(service.objects.get('half.bin')?.bytes.length).toBe(3_000_000);
  await service.close();
});

test('objects shown as Stored are complete after the local service was killed @all', async ({ app }) => {
  const lengths = Array.from({ length: 16 }, (_, at) => [`part-${at + 10}.bin`, 2_000_000 + at]);
  const files = writeFiles(join(app.folder, 'mine'), Object.fromEntries(lengths));
  const before = new CofferWindow(app.page);
  await before.tryOnThisComputer();
  await app.drop(Object.values(files));
  await before.startUpload(16);
  await expect(before.objects.getByRole('row', { name: /, Stored$/ }).first()).toBeVisible();
  await app.kill();

  await app.restart();
  const after = new CofferWindow(app.page);
  await after.expectReady('This computer');
  // Every row has a final state.
  await after.search.fill('state:uploading');
  await expect(app.page.getByText('Nothing found')).toBeVisible();
  await after.search.fill('state:unknown');
  await expect(app.page.getByText('Nothing found')).toBeVisible();

  await after.search.fill('state:stored');
  await expect(after.objects).toHaveAttribute('aria-rowcount', /^\d+$/);
  const stored = Number(await after.objects.getAttribute('aria-rowcount')) - 1;
  await after.objects
    .getByRole('row', { name: /, Stored$/ })
    .first()
    .click();
  await app.page.keyboard.press('ControlOrMeta+a');
  await after.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
  const isSavedWhole = ([name, path]: [string, string]) => {
    const saved = join(app.downloads, 'This computer', name);
    return existsSync(saved) && digestOf(saved) === digestOf(path);
  };
  await expect
    .poll(() => Object.entries(files).filter(isSavedWhole).length, { timeout: 30_000 })
    .toBe(stored);
});
