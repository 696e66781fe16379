import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect as expectSoon, type Page } from 'playwright/test';
import { dropFiles } from '../../chromium-shell/testing/files.ts';
import { startFaultServer, type Fault, type FaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { answerDialogs, findElectron, launchApp } from '../launch.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { closeMessages, large, small, take } from './camera.ts';
import { asExportedList, markAsChecked, sampleObjects } from './meridian.ts';

const expect = expectSoon.configure({ timeout: 30_000 });
const mega = 1_000_000;
const token = 'meridian';

/** Everything paused, failures of one cause as one entry, the order of the queue; then the limits by hour of the week. */
export async function takeQueue(folder: string): Promise<void> {
  const home = join(folder, 'home');
  mkdirSync(join(home, 'Downloads'), { recursive: true });
  const dialogAnswers = join(folder, 'dialogs.json');
  const service = await startFaultServer({ token, plan: standsStill });
  const depot = await startFaultServer({ token });
  const launched = await launchApp({
    shell: findElectron() ? 'electron' : 'chromium',
    userData: join(folder, 'user data'),
    dialogAnswers,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
  });
  try {
    const { page } = launched;
    const coffer = new CofferWindow(page);
    await page.setViewportSize(large);
    await coffer.connect({ name: 'Meridian Archive', baseAddress: service.baseAddress, token });
    await coffer.addService({ name: 'North Depot', baseAddress: depot.baseAddress, token });
    await waitForDepot(page, coffer, depot, folder);
    await coffer.switchTo('Meridian Archive');
    const list = join(folder, 'meridian.jsonl');
    writeFileSync(list, asExportedList(sampleObjects(Date.now())));
    answerDialogs(dialogAnswers, [[list]]);
    await coffer.openSettings();
    await page.getByRole('button', { name: 'Import…' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    markAsChecked(join(folder, 'user data'));
    await coffer.collection('All objects').click();
    await takeOrder(page, coffer, folder);
    await takeLimits(page, coffer);
  } finally {
    await launched.kill();
    await service.close();
  }
}

/** The faults that stall running transfers until the picture is taken. */
function standsStill({ method, identifier }: { method: string; identifier: string }): Fault | null {
  const name = identifier.split('/').at(-1);
  // System buffers hold more than the service reads: 16 MB and more are in transit when it stops.
  if (name === 'board-pack.pdf' && method === 'POST') return { cutRequestAtBytes: 8 * mega, cutBy: 'hold' };
  if (name === 'board-pack-annex.pdf' && method === 'HEAD') return { cutAnswerAtBytes: 0, cutBy: 'stall' };
  return null;
}

/** 212 uploads to a service that becomes unreachable before they start. */
async function waitForDepot(
  page: Page,
  coffer: CofferWindow,
  depot: FaultServer,
  folder: string,
): Promise<void> {
  await depot.close();
  const lengths = Array.from({ length: 212 }, (_, at) => [
    `frame-${String(at + 1).padStart(4, '0')}.png`,
    200,
  ]);
  writeFiles(join(folder, 'frames'), Object.fromEntries(lengths));
  await dropFiles(page, [join(folder, 'frames')]);
  await coffer.startUpload(212);
  await coffer.showTab('Transfers');
  await expect(
    coffer.transfers.getByRole('listitem', { name: /^212 files to upload, .*can’t reach the service/ }),
  ).toBeVisible();
}

async function takeOrder(page: Page, coffer: CofferWindow, folder: string): Promise<void> {
  const files = writeFiles(join(folder, 'q2'), {
    'board-pack.pdf': 38.4 * mega,
    'board-pack-annex.pdf': 12.9 * mega,
    'survey-0714.tif': 47.8 * mega,
    'harbour-lease.pdf': 2.4 * mega,
    '07-15.parquet': 24.6 * mega,
    'site-05-control.csv': 64_000,
  });
  const path = (name: keyof typeof files) => files[name] ?? '';
  const minutes = Array.from({ length: 24 }, (_, at) => [`minutes-${at + 1}.docx`, 40_000 + at]);
  await upload(
    page,
    coffer,
    'reports/2026/q2/{name}',
    Object.values(writeFiles(join(folder, 'minutes'), Object.fromEntries(minutes))),
  );
  await expect(coffer.transfers.getByRole('listitem', { name: /^24 files uploaded/ })).toBeVisible();

  for (const name of ['hero', 'wide']) await download(coffer, `press/launch-${name}.jpg`);
  await expect(coffer.transfers.getByRole('listitem', { name: /^2 not found at the service/ })).toBeVisible();
  await upload(page, coffer, 'reports/2026/q2/{name}', [
    path('board-pack.pdf'),
    path('board-pack-annex.pdf'),
  ]);
  await expect(coffer.transfer('reports/2026/q2/board-pack-annex.pdf', 'upload', 'Verifying')).toBeVisible();
  await expect(coffer.row('reports/2026/q2/board-pack.pdf')).toContainText(/[2-9]\d%/);
  await page.getByRole('button', { name: 'Pause all' }).click();
  await upload(page, coffer, 'imaging/site-04/{name}', [
    path('survey-0714.tif'),
    path('site-05-control.csv'),
  ]);
  await upload(page, coffer, 'contracts/{name}', [path('harbour-lease.pdf')]);
  await upload(page, coffer, 'telemetry/2026/{name}', [path('07-15.parquet')]);
  await download(coffer, 'imaging/site-02/orthophoto.tif');
  const waiting = (identifier: string) => coffer.transfer(identifier, 'upload', 'Waiting');
  await coffer.chooseForTransfer(waiting('contracts/harbour-lease.pdf'), 'Now');
  await expect(waiting('contracts/harbour-lease.pdf')).toContainText('Now');
  await coffer.chooseForTransfer(waiting('telemetry/2026/07-15.parquet'), 'When idle');
  await closeMessages(page);
  await page.mouse.move(0, 0);
  await page.setViewportSize(small);
  await page.getByRole('button', { name: /^Show activity/ }).click();
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toBeHidden();
  await take(page, 'transfers-paused-small', small);
  await waiting('imaging/site-04/survey-0714.tif').click({ button: 'right' });
  await take(page, 'transfers-order');
  await page.keyboard.press('Escape');
}

async function takeLimits(page: Page, coffer: CofferWindow): Promise<void> {
  await coffer.openSettings();
  await coffer.setLimit('Requests per second', '20');
  await coffer.setLimit('Upload at most', '5');
  await coffer.setLimit('Download at most', '10');
  await page.getByRole('switch', { name: 'Limit by the hour' }).press('Space');
  const hour = (name: string) => page.getByRole('grid', { name: 'Hours' }).getByRole('gridcell', { name });
  const paint = async (kind: string, from: string, to: string) => {
    await page.getByRole('radiogroup', { name: 'Paint hours as' }).getByText(kind, { exact: true }).click();
    await hour(from).hover();
    await page.mouse.down();
    await hour(to).hover();
    await page.mouse.up();
  };
  await paint('Unlimited', 'Monday 00:00', 'Sunday 23:00');
  await paint('Paused', 'Friday 22:00', 'Friday 23:00');
  await paint('Paused', 'Sunday 02:00', 'Sunday 05:00');
  await paint('Limited', 'Monday 08:00', 'Friday 17:00');
  await hour('Wednesday 09:00').focus();
  await page.mouse.move(0, 0);
  await take(page, 'limits');
}

async function upload(page: Page, coffer: CofferWindow, template: string, paths: string[]): Promise<void> {
  await dropFiles(page, paths);
  await coffer.unfoldOptions();
  const names = coffer.sheet.getByRole('textbox', { name: 'Name files by' });
  await names.fill(template);
  await names.press('Enter');
  await coffer.startUpload(paths.length);
}

/** Downloads an object, wherever it is in the list. */
async function download(coffer: CofferWindow, identifier: string): Promise<void> {
  await coffer.search.fill(identifier);
  await coffer.download(identifier);
  await coffer.search.fill('');
}
