import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { requestData, startService } from '../service.ts';

const token = 'a-token';

/** Connects, and stores one object of this length. */
async function storeOne(app: App, lengthBytes = 5000, name = 'minutes.txt') {
  const service = await startService(app.folder, { token });
  const files = writeFiles(join(app.folder, 'mine'), { [name]: lengthBytes });
  const path = files[name] ?? '';
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.drop([path]);
  await coffer.startUpload(1);
  await coffer.expectStored(name);
  return { coffer, service, path };
}

/** In the service form, with the folder dialog answered. */
async function chooseDownloadFolder(app: App, coffer: CofferWindow, folder: string): Promise<void> {
  await coffer.chooseFromSwitcher('Edit Archive');
  const choose = app.page.getByRole('button', { name: 'Choose… Download folder' });
  if (!(await choose.isVisible())) await app.page.getByRole('button', { name: 'Optional' }).click();
  app.answerDialogs([folder]);
  await choose.click();
  await expect(app.page.getByText('chosen here', { exact: false })).toBeVisible();
  await app.page.getByRole('button', { name: 'Save', exact: true }).click();
  await coffer.expectReady('Archive');
}

test('never replaces an existing file, saves with Save as…, and refuses other data than was stored @all', async ({
  app,
}) => {
  const { coffer, service, path } = await storeOne(app);
  const folder = join(app.downloads, 'Archive');
  mkdirSync(folder);
  writeFileSync(join(folder, 'minutes.txt'), 'mine');
  await coffer.download('minutes.txt');
  await expect(coffer.transfer('minutes.txt', 'download', 'Done')).toBeVisible();
  expect(readdirSync(folder).sort()).toEqual(['minutes (1).txt', 'minutes.txt']);
  expect(digestOf(join(folder, 'minutes (1).txt'))).toBe(digestOf(path));

  app.answerDialogs(null, [join(app.folder, 'elsewhere.txt')]);
  await coffer.saveAs('minutes.txt');
  await expect.poll(() => app.dialogsLeft()).toBe(1);
  await coffer.saveAs('minutes.txt');
  await expect(coffer.transfer('minutes.txt', 'download', 'Done')).toHaveCount(2);
  expect(digestOf(join(app.folder, 'elsewhere.txt'))).toBe(digestOf(path));

  await requestData(service, token, 'DELETE', 'minutes.txt');
  const changed = await requestData(service, token, 'POST', 'minutes.txt', new Uint8Array(5000));
  expect(changed.status).toBe(200);
  const failed = coffer.transfer('minutes.txt', 'download', 'Failed');
  await coffer.download('minutes.txt');
  await expect(failed).toContainText('Not the data that was stored.');
  expect(readdirSync(folder).sort()).toEqual(['minutes (1).txt', 'minutes.txt']);

  await requestData(service, token, 'DELETE', 'minutes.txt');
  await coffer.download('minutes.txt');
  await expect(failed.filter({ hasText: 'Not found.' })).toBeVisible();
  // If the previous failure is still announced, both are announced as one message.
  await expect(coffer.urgentMessages).toContainText(/minutes\.txt failed\. Not found|2 transfers failed/);
  await coffer.selectionBar.getByRole('button', { name: 'Check' }).click();
  await expect(coffer.row('minutes.txt')).toContainText('Missing');
  await expect(coffer.urgentMessages).toContainText('Checked 1 object: 1 missing');
  await service.close();
});

// A file named *.asar is treated like any other, although Electron reads into such files.
test('a missing download folder is an error, and choosing another continues @all', async ({ app }) => {
  const { coffer, service, path } = await storeOne(app, 5000, 'photos.asar');
  const chosen = join(app.folder, 'chosen here');
  mkdirSync(chosen);
  await chooseDownloadFolder(app, coffer, chosen);
  rmSync(chosen, { recursive: true });
  await coffer.download('photos.asar');
  const failed = coffer.transfer('photos.asar', 'download', 'Failed');
  await expect(failed).toContainText('Download folder not found. chosen here no longer exists.');
  expect(existsSync(chosen)).toBe(false);

  mkdirSync(chosen);
  await expect(failed.getByRole('button', { name: 'Choose folder…' })).toBeVisible();
  await coffer.chooseForTransfer(failed, 'Try again');
  await expect(coffer.transfer('photos.asar', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(chosen, 'photos.asar'))).toBe(digestOf(path));
  await service.close();
});

test('a full disk is an error, and leaves no partial file @all', async ({ app }) => {
  const small = join(app.folder, 'chosen here');
  mkdirSync(small);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
  test.skip(mounted.status !== 0, 'a small disk cannot be mounted here');
  try {
    const { coffer, service } = await storeOne(app, 500_000);
    await chooseDownloadFolder(app, coffer, small);
    writeFileSync(join(small, 'mine.txt'), 'mine');
    await coffer.row('minutes.txt').click();
    await coffer.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
    const question = app.page.getByRole('alertdialog', { name: 'Download 1 object?' });
    await expect(question).toContainText('The disk doesn’t have enough space for this download.');
    await question.getByRole('button', { name: 'Download 1 object' }).click();
    await coffer.showTab('Transfers');
    await expect(coffer.transfer('minutes.txt', 'download', 'Failed')).toContainText(
      /The disk is full\. The file needs 500 KB, but only \d+ KB is free in chosen here\. Existing files are unchanged\./,
    );
    expect(readdirSync(small)).toEqual(['mine.txt']);
    await service.close();
  } finally {
    await app.kill();
    spawnSync('umount', [small]);
  }
});
