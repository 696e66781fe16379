import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalService, LocalServiceOptions } from '../../src/local-service/service.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

const token = 'the-token';
const sizes = { 'a.bin': 300_000, 'b.bin': 1_200_000, 'c.bin': 40_000 };
const names = Object.keys(sizes);

/** Starts a service with this processing time, and connects the window to it. */
async function connect(
  app: App,
  options: Partial<LocalServiceOptions>,
): Promise<{ coffer: CofferWindow; service: LocalService }> {
  const service = await startService(app.folder, { token, ...options });
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');
  return { coffer, service };
}

async function upload(app: App, coffer: CofferWindow, files: string[], request: 'Direct' | 'Deferred') {
  await app.drop(files);
  await coffer.unfoldOptions();
  await coffer.sheet.getByRole('radiogroup', { name: 'Request' }).getByText(request, { exact: true }).click();
  await coffer.startUpload(files.length);
}

const saved = (app: App, name: string) => join(app.downloads, 'Archive', name);

test('uploads and downloads three objects deferred at the same time @all', async ({ app }) => {
  const files = writeFiles(join(app.folder, 'mine'), sizes);
  const { coffer, service } = await connect(app, { processingMs: 2500 });
  await upload(app, coffer, Object.values(files), 'Deferred');

  // The dock shows what was started.
  for (const name of names)
    await expect(
      coffer.jobs.getByRole('listitem', { name: new RegExp(`^${name}, deferred upload, `) }),
    ).toBeVisible();
  await expect(coffer.job('a.bin', 'upload', 'Processing')).toContainText(/checking (in|now)/);
  for (const name of names) {
    await expect(coffer.job(name, 'upload', 'Done')).toContainText('stored size matches');
    await coffer.expectStored(name);
  }

  await coffer.row('a.bin').click();
  await coffer.row('c.bin').click({ modifiers: ['Shift'] });
  await app.page.keyboard.press('ControlOrMeta+a');
  await coffer.selectionBar.getByRole('button', { name: 'Download deferred' }).click();
  for (const name of names) {
    await expect(coffer.job(name, 'download', 'Done')).toContainText('digest matches');
    expect(digestOf(saved(app, name))).toBe(digestOf(files[name] ?? ''));
  }
  expect(readdirSync(join(app.downloads, 'Archive')).toSorted()).toEqual(names);

  // Each upload starts with Direct unless the settings say otherwise.
  await app.drop([join(app.folder, 'mine', 'a.bin')]);
  await expect(coffer.sheet.getByRole('radio', { name: 'Direct' })).toBeChecked();
  await service.close();
});

test('an expired request says what is lost, and a new one fetches it @all', async ({ app }) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'a.bin': 300_000 });
  const masterKey = randomBytes(32);
  const { coffer: first, service } = await connect(app, {
    processingMs: 60_000,
    tokenTtlMs: 1500,
    masterKey,
  });
  await upload(app, first, Object.values(files), 'Direct');
  await first.expectStored('a.bin');

  // As if requested 40 minutes ago.
  await app.restart({ earlierMs: 40 * 60_000 });
  const before = new CofferWindow(app.page);
  await before.downloadDeferred('a.bin');
  await expect(before.job('a.bin', 'download', 'Processing')).toBeVisible();
  await app.kill();
  await app.restart();
  const coffer = new CofferWindow(app.page);
  await coffer.showTab('Jobs');
  await expect(coffer.job('a.bin', 'download', 'Result lost')).toContainText(
    'The stored object is unchanged',
  );
  await expect(app.page.getByRole('button', { name: /1 result lost/ })).toBeVisible();

  const { port } = service;
  await service.close();
  const patient = await startService(app.folder, { token, masterKey, port, processingMs: 300 });
  await coffer.job('a.bin', 'download', 'Result lost').getByRole('button', { name: 'Start again' }).click();
  await expect(coffer.job('a.bin', 'download', 'Done')).toContainText('digest matches');
  expect(digestOf(saved(app, 'a.bin'))).toBe(digestOf(files['a.bin'] ?? ''));
  await patient.close();
});

test('a power cut half-way loses nothing @all', async ({ app }) => {
  const files = writeFiles(join(app.folder, 'mine'), sizes);
  const { coffer, service } = await connect(app, { processingMs: 5000 });
  await upload(app, coffer, [files['a.bin'] ?? ''], 'Direct');
  await coffer.expectStored('a.bin');
  await coffer.downloadDeferred('a.bin');
  await expect(coffer.job('a.bin', 'download', 'Processing')).toBeVisible();
  await upload(app, coffer, [files['b.bin'] ?? ''], 'Deferred');
  await expect(coffer.job('b.bin', 'upload', 'Processing')).toBeVisible();
  await app.kill();

  await app.restart();
  const again = new CofferWindow(app.page);
  await again.expectReady('Archive');
  await again.showTab('Jobs');
  await expect(again.job('a.bin', 'download', 'Done')).toContainText('digest matches');
  await expect(again.job('b.bin', 'upload', 'Done')).toContainText('stored size matches');
  expect(readdirSync(join(app.downloads, 'Archive'))).toEqual(['a.bin']);
  expect(digestOf(saved(app, 'a.bin'))).toBe(digestOf(files['a.bin'] ?? ''));
  await service.close();
});

test('429 slows everything down without failures @all', async ({ app }) => {
  const files = writeFiles(
    join(app.folder, 'mine'),
    Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`${at}.bin`, 20_000 + at])),
  );
  const { coffer, service } = await connect(app, { processingMs: 200, ratePerSecond: 2 });
  await upload(app, coffer, Object.values(files), 'Deferred');
  await expect(coffer.jobs.getByText(/too many requests/i).first()).toBeVisible();
  for (const name of Object.keys(files))
    await expect(coffer.job(name, 'upload', 'Done')).toBeVisible({ timeout: 30_000 });
  await expect(coffer.jobs.getByRole('listitem', { name: /Failed|Result lost/ })).toHaveCount(0);
  await service.close();
});
