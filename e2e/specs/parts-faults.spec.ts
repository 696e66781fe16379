import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaultServer, type FaultServer } from '../faults/fault-server.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { fileInParts, partNumber, partsAt } from '../parts.ts';

const partBytes = 100_000;
const name = 'film.mov';

/** Connects to a service with this limit for objects, and creates a film to upload. */
async function startFilm(app: App, lengthBytes: number) {
  const service = await startFaultServer();
  const { [name]: file = '' } = writeFiles(join(app.folder, 'mine'), { [name]: lengthBytes });
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  await coffer.limitObjects(2 * partBytes);
  return { service, coffer, file };
}

async function upload(app: App, coffer: CofferWindow, file: string): Promise<void> {
  await app.drop([file]);
  await coffer.startUpload(1);
  await coffer.showTab('Transfers');
}

const timesSent = ({ requests }: FaultServer, asked: string) =>
  requests.filter(({ method, identifier }) => method === 'POST' && identifier === asked).length;

test('an upload in parts survives lost answers, an outage and a kill without sending a part twice @all', async ({
  app,
}) => {
  const { service, coffer, file } = await startFilm(app, 20 * partBytes + 1000);
  const isLost = (identifier: string) => partNumber(identifier, name) === 0;
  // The lost answer is looked into before the other parts are stored.
  await coffer.limitFiles(4);
  const refused = new Set<string>();
  const held = new Set<string>();
  let isOut = true;
  let maxStored = 12;
  service.plan = ({ method, identifier, number }) => {
    if (method !== 'POST') return null;
    // Stored but not answered: only a check can tell.
    if ((isLost(identifier) || identifier === name) && number === 1) return { cutAnswerAtBytes: 0 };
    const isLookedFor = service.requests.some((each) => each.method === 'HEAD' && isLost(each.identifier));
    if (isOut && isLookedFor) {
      refused.add(identifier);
      return { status: 503, headers: { 'retry-after': '600' } };
    }
    if (service.objects.size < maxStored) return null;
    held.add(identifier);
    return { holdRequest: () => false };
  };
  await upload(app, coffer, file);
  const waiting = coffer.transfer(name, 'upload', 'Waiting');
  await expect(waiting).toContainText('Waiting 10 min, the service had an error');
  const sentOfLost = service.requests.filter((each) => each.method === 'POST' && isLost(each.identifier));
  expect(sentOfLost).toHaveLength(1);
  isOut = false;
  await waiting.getByRole('button', { name: 'Try now' }).click();

  await expect.poll(() => held.size > 1 && held.size === service.openUploads()).toBe(true);
  await expect(coffer.transfer(name, 'upload', 'Uploading')).toBeVisible();
  await app.kill();
  maxStored = Infinity;
  await app.restart();
  const again = new CofferWindow(app.page);
  await again.expectStored(name);
  await again.showTab('Details');
  await again.row(name).click();
  await expect(app.page.getByRole('region', { name: 'Parts' })).toContainText('21 stored');

  expect(fileInParts(service, name).equals(readFileSync(file))).toBe(true);
  const parts = partsAt(service, name);
  expect([...service.objects.keys()].toSorted()).toEqual([name, ...parts].toSorted());
  for (const part of parts) {
    const needed = 1 + Number(refused.has(part)) + Number(held.has(part));
    expect(timesSent(service, part), part).toBe(needed);
  }
  expect(timesSent(service, name)).toBe(1);
  await service.close();
});

test('cancelling deletes the parts; those that the service refuses to delete can be removed in Settings @all', async ({
  app,
}) => {
  const { service, coffer, file } = await startFilm(app, 8 * partBytes);
  let mayDelete = false;
  service.plan = ({ method, identifier }) => {
    if (method === 'DELETE' && !mayDelete && partNumber(identifier, name) !== null) return { status: 403 };
    // By number: several are sent at once, and stored in any order.
    return method === 'POST' && (partNumber(identifier, name) ?? 0) > 4 ? { holdRequest: () => false } : null;
  };
  await upload(app, coffer, file);
  await expect.poll(() => service.objects.size).toBe(5);
  await coffer.chooseForTransfer(coffer.transfer(name, 'upload', 'Uploading'), 'Cancel');
  await expect(coffer.transfer(name, 'upload', 'Cancelled')).toContainText('your file is unchanged');
  await expect(app.page.getByText('leftover parts are still on the service.')).toBeVisible();
  await app.page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(app.page.getByRole('button', { name: `Delete leftover parts of ${name}` })).toBeFocused();
  await expect(app.page.getByText('the service refused to delete them')).toBeVisible();
  mayDelete = true;
  await app.page.keyboard.press('Enter');
  const question = app.page.getByRole('alertdialog', { name: /Delete \d leftover parts\?/ });
  await question.getByRole('button', { name: 'Delete parts' }).click();
  await expect.poll(() => [...service.objects.keys()]).toEqual([]);
  await expect(app.page.getByRole('heading', { name: 'Leftover parts', exact: true })).toBeHidden();
  await service.close();
});

test('a part that disappears is reported, and uploading again repairs the file @all', async ({ app }) => {
  const { service, coffer, file } = await startFilm(app, 8 * partBytes);
  let isTaken = false;
  service.plan = ({ method, identifier }) => {
    if (method !== 'POST' || identifier !== name || isTaken) return null;
    isTaken = true;
    service.objects.delete([...service.objects.keys()][2] ?? '');
    return null;
  };
  await upload(app, coffer, file);
  const failed = coffer.transfer(name, 'upload', 'Failed');
  await expect(failed).toContainText('Stored incompletely');
  await expect(coffer.row(name)).toContainText('Missing');
  await failed.getByRole('button', { name: 'Upload again' }).click();
  await coffer.expectStored(name);
  expect(fileInParts(service, name).equals(readFileSync(file))).toBe(true);
  await service.close();
});

test('a download in parts retries cut and wrong parts, and reports missing ones @all', async ({ app }) => {
  const { service, coffer, file } = await startFilm(app, 8 * partBytes);
  await upload(app, coffer, file);
  await coffer.expectStored(name);
  const parts = partsAt(service, name);
  const saved = join(app.downloads, 'Archive', name);
  const [, cut = '', other = '', , , gone = ''] = parts;
  const lost = service.objects.get(gone);
  service.objects.delete(gone);
  service.plan = ({ method, identifier, number }) => {
    if (method !== 'GET' || number > 1) return null;
    if (identifier === cut) return { cutAnswerAtBytes: 60_000 };
    return identifier === other ? { corruptAtByte: 77 } : null;
  };

  await coffer.download(name);
  const failed = coffer.transfer(name, 'download', 'Failed');
  await expect(failed).toContainText(
    '1 of 8 parts can’t be fetched, 100 KB of 800 KB: bytes 500,000–599,999.',
  );
  expect(existsSync(saved)).toBe(false);
  await expect(coffer.row(name)).toContainText('Missing');
  await expect(coffer.urgentMessages).toContainText(`${name} failed. Parts of the file are missing`);
  await coffer.selectionBar.getByRole('button', { name: 'Check' }).click();
  await expect(coffer.urgentMessages).toContainText('Checked 1 object: 1 missing');
  await coffer.showTab('Details');
  await expect(app.page.getByRole('region', { name: 'Parts' })).toContainText('1 missing');

  if (lost) service.objects.set(gone, lost);
  await coffer.showTab('Transfers');
  await failed.getByRole('button', { name: 'Download again' }).click();
  await expect(coffer.transfer(name, 'download', 'Done')).toContainText('digest matches');
  await coffer.expectStored(name);
  await coffer.showTab('Details');
  await expect(app.page.getByRole('region', { name: 'Parts' })).toContainText('8 stored');
  expect(digestOf(saved)).toBe(digestOf(file));
  const gets = (asked: string) =>
    service.requests.filter(({ method, identifier }) => method === 'GET' && identifier === asked).length;
  // Intact parts were downloaded once, whatever was downloaded again.
  expect(parts.filter((part) => part !== gone).map(gets)).toEqual([1, 2, 2, 1, 1, 1, 1]);
  await service.close();
});
