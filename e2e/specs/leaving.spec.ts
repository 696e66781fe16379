import { join } from 'node:path';
import { startFaultServer } from '../faults/fault-server.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

/** Connects, and starts a deferred upload of `a.bin` that the service processes for this long. */
async function startDeferred(app: App, processingMs: number) {
  const token = 'token-of-ada';
  const service = await startService(app.folder, { token, processingMs });
  const { 'a.bin': file = '' } = writeFiles(join(app.folder, 'mine'), { 'a.bin': 1000 });
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');

  await app.drop([file]);
  await coffer.unfoldOptions();
  await coffer.sheet.getByRole('radio', { name: 'Deferred' }).click();
  await coffer.startUpload(1);
  await coffer.showTab('Jobs');
  await expect(coffer.job('a.bin', 'upload', 'Processing')).toBeVisible();
  return { coffer, service, file };
}

test('quitting with an open deferred request asks, and the next start continues the request and downloads deferred @all', async ({
  app,
}) => {
  const { coffer, service, file } = await startDeferred(app, 5_000);

  app.answerDialogs(['Cancel'], ['Quit']);
  app.quit();
  await expect.poll(() => app.dialogsLeft()).toBe(1);
  await expect(coffer.job('a.bin', 'upload', 'Processing')).toBeVisible();
  app.quit();
  await app.ended();
  expect(app.dialogsLeft()).toBe(0);

  await app.restart();
  const again = new CofferWindow(app.page);
  await again.showTab('Jobs');
  await expect(again.job('a.bin', 'upload', 'Done')).toBeVisible({ timeout: 30_000 });
  await again.expectStored('a.bin');
  await again.downloadDeferred('a.bin');
  await expect(again.job('a.bin', 'download', 'Done')).toContainText('digest matches');
  expect(digestOf(join(app.downloads, 'Archive', 'a.bin'))).toBe(digestOf(file));
  // With no open request, there is no question.
  app.quit();
  await app.ended();
  await service.close();
});

test('a signal ends it without a question, also with a deferred request open @all', async ({ app }) => {
  test.skip(process.platform === 'win32', 'Windows has no signals');
  const { service } = await startDeferred(app, 60_000);
  await app.terminate();
  await app.restart();
  const again = new CofferWindow(app.page);
  await again.showTab('Jobs');
  await expect(again.job('a.bin', 'upload', 'Processing')).toBeVisible();
  await service.close();
});

test('quitting with direct transfers does not ask, and loses nothing @all', async ({ app }) => {
  let isHeld = true;
  const service = await startFaultServer({
    plan: ({ method }) => (method === 'POST' ? { holdRequest: () => !isHeld } : null),
  });
  const lengths = Array.from({ length: 8 }, (_, at) => [`${at}.bin`, at % 2 === 0 ? 2000 : 2_000_000]);
  const files = writeFiles(join(app.folder, 'mine'), Object.fromEntries(lengths));
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  await coffer.limitFiles(4);
  await app.drop(Object.values(files));
  await coffer.startUpload(8);
  await expect.poll(() => service.openUploads()).toBe(4);
  app.answerDialogs(['Cancel']);
  app.quit();
  await app.ended();
  expect(app.dialogsLeft()).toBe(1);
  isHeld = false;

  await app.restart();
  const again = new CofferWindow(app.page);
  await again.expectReady('Archive');
  await expect.poll(() => service.objects.size).toBe(8);
  await expect(again.statusLine).toContainText('No transfers');
  await expect(again.statusLine).not.toContainText(/failed|answer/);
  for (const [name, length] of lengths) expect(service.objects.get(String(name))?.bytes.length).toBe(length);
  await service.close();
});
