import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect as expectSoon } from 'playwright/test';
import { dropFiles } from '../../chromium-shell/testing/files.ts';
import type { Launched } from '../../chromium-shell/testing/launch.ts';
import type { LocalService } from '../../src/local-service/service.ts';
import { writeFiles } from '../files.ts';
import { answerDialogs, findElectron, launchApp } from '../launch.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { requestData, startService } from '../service.ts';
import { closeMessages, large, small, sortNewestFirst, take } from './camera.ts';
import {
  asExportedList,
  classifications,
  deferredObjects,
  markAsChecked,
  passphrase,
  sampleObjects,
  secretObjects,
} from './meridian.ts';
import { takePrograms } from './programs.ts';
import { openWay, type Obstacle } from './way.ts';

const expect = expectSoon.configure({ timeout: 20_000 });
const token = 'meridian';
const mega = 1_000_000;
const minuteMs = 60_000;

/** Requests started in earlier runs of the application, and how long ago. */
const earlier = [
  { identifier: 'imaging/site-01/flightlines.laz', agoMs: 26.6 * minuteMs },
  { identifier: 'reports/2025/annual-review.pdf', agoMs: 19.6 * minuteMs },
  { identifier: 'imaging/site-03/ortho-south.tif', agoMs: 5.5 * minuteMs },
];
const obstacles = new Map<string, Obstacle>([
  ...earlier.map(({ identifier }) => [identifier, 'keepsProcessing'] as const),
  ['imaging/site-02/hillshade-5m.tif', 'forgotten'],
  ['imaging/site-03/ortho-north.tif', { standsAtBytes: 31.4 * mega }],
  ['telemetry/2026/07-15.parquet', { standsAtBytes: 8 * mega }],
  ['ci/deploy-key', 'keepsProcessing'],
]);

/** Deferred requests and secrets, over a connection on which some of them stall. */
export async function takeDeferred(folder: string): Promise<void> {
  const home = join(folder, 'home');
  mkdirSync(join(home, 'Downloads'), { recursive: true });
  const service = await startService(folder, { token, processingMs: 300 });
  const way = await openWay(service, obstacles);
  const lists = createServer((_request, response) => response.end(JSON.stringify(classifications)));
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve));
  const listAddress = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/classifications`;
  const list = await fill(service, folder);
  const dialogAnswers = join(folder, 'dialogs.json');

  async function launch(earlierMs: number): Promise<Launched> {
    const clock = `--require ${JSON.stringify(join(import.meta.dirname, 'earlier-clock.cjs'))}`;
    const launched = await launchApp({
      shell: findElectron() ? 'electron' : 'chromium',
      // The default data folder, where the command looks.
      userData: join(home, '.config', 'Coffer'),
      dialogAnswers,
      env: {
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        NODE_OPTIONS: clock,
        E2E_EARLIER_MS: String(earlierMs),
      },
    });
    await launched.page.setViewportSize(large);
    return launched;
  }

  let launched: Launched | null = null;
  try {
    for (const [at, { identifier, agoMs }] of earlier.entries()) {
      launched = await launch(agoMs);
      const coffer = new CofferWindow(launched.page);
      if (at === 0) {
        await connect(coffer, way.baseAddress, listAddress);
        answerDialogs(dialogAnswers, [[list]]);
        await takeNoJobs(coffer);
      }
      await coffer.expectReady('Meridian Archive');
      await startDownload(coffer, identifier);
      await expect(coffer.job(identifier, 'download', 'Processing')).toBeVisible();
      await launched.kill();
      markAsChecked(join(home, '.config', 'Coffer'));
    }
    launched = await launch(0);
    const coffer = new CofferWindow(launched.page);
    await coffer.expectReady('Meridian Archive');
    await takeJobs(coffer, folder);
    await takeSecrets(coffer);
    await takePrograms(coffer, home);
  } finally {
    await launched?.kill();
    await way.close();
    await service.close();
    lists.close();
  }
}

/** Fills the service. Returns the path of a list for Coffer to import. */
async function fill(service: LocalService, folder: string): Promise<string> {
  const nowMs = Date.now();
  const objects = deferredObjects(nowMs);
  const secrets = secretObjects(nowMs);
  for (const { identifier, bytes } of objects) {
    if (bytes) await requestData(service, token, 'POST', identifier, bytes);
  }
  for (const { identifier, lengthBytes, state } of secrets) {
    if (state === 'missing') continue;
    const isShown = identifier === 'backups/archive-passphrase';
    const path = `/api/secrets/deferred/start/${encodeURIComponent(identifier)}`;
    await fetch(`${service.baseAddress}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: isShown ? passphrase : 'k'.repeat(lengthBytes),
    });
  }
  const list = join(folder, 'meridian.jsonl');
  writeFileSync(list, asExportedList([...sampleObjects(nowMs), ...objects, ...secrets]));
  return list;
}

async function connect(coffer: CofferWindow, baseAddress: string, listAddress: string): Promise<void> {
  const { page } = coffer;
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ name: 'Meridian Archive', baseAddress, token });
  await page.getByRole('button', { name: 'Optional' }).click();
  await page.getByRole('radio', { name: 'Address', exact: true }).check({ force: true });
  await page.getByRole('textbox', { name: 'Classification address' }).fill(listAddress);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Meridian Archive');
}

async function takeNoJobs(coffer: CofferWindow): Promise<void> {
  const { page } = coffer;
  await coffer.openSettings();
  await page.getByRole('button', { name: 'Import…' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  // One slot for the download, one for an upload: the second upload waits.
  await coffer.setLimit('Files at once', '2');
  await coffer.collection('All objects').click();
  await sortNewestFirst(page);
  await coffer.showTab('Jobs');
  await expect(page.getByText('No deferred requests')).toBeVisible();
  await closeMessages(page);
  await take(page, 'jobs-empty');
}

async function startDownload(coffer: CofferWindow, identifier: string): Promise<void> {
  await expect(async () => {
    await coffer.search.fill(identifier);
    await expect(coffer.row(identifier)).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 10_000 });
  await coffer.downloadDeferred(identifier);
  await coffer.search.fill('');
  await coffer.showTab('Jobs');
}

async function takeJobs(coffer: CofferWindow, folder: string): Promise<void> {
  const { page } = coffer;
  for (const name of ['east', 'west']) {
    await startDownload(coffer, `imaging/site-03/mosaic-${name}.tif`);
    await expect(coffer.job(`imaging/site-03/mosaic-${name}.tif`, 'download', 'Done')).toBeAttached();
  }
  await startDownload(coffer, 'imaging/site-02/hillshade-5m.tif');
  // Shown only after three requests over one minute.
  await expect(coffer.job('imaging/site-02/hillshade-5m.tif', 'download', 'Result lost')).toBeVisible({
    timeout: 120_000,
  });
  await startDownload(coffer, 'imaging/site-03/ortho-north.tif');
  await expect(coffer.job('imaging/site-03/ortho-north.tif', 'download', 'Downloading')).toContainText('3');
  const files = writeFiles(join(folder, 'telemetry'), {
    '07-15.parquet': 24.6 * mega,
    '07-16.parquet': 23.9 * mega,
  });
  await dropFiles(page, Object.values(files));
  await coffer.unfoldOptions();
  const names = coffer.sheet.getByRole('textbox', { name: 'Name files by' });
  await names.fill('telemetry/2026/{name}');
  await names.press('Enter');
  await coffer.sheet
    .getByRole('radiogroup', { name: 'Request' })
    .getByText('Deferred', { exact: true })
    .click();
  await coffer.chooseClassification('Internal');
  await coffer.startUpload(2);
  await expect(coffer.job('telemetry/2026/07-15.parquet', 'upload', 'Uploading')).toBeAttached();
  await expect(coffer.row('telemetry/2026/07-16.parquet')).toContainText('Waiting');
  await closeMessages(page);
  await page.mouse.move(0, 0);
  await take(page, 'jobs');
  // In a small window the dock covers the list.
  await page.setViewportSize(small);
  await page.getByRole('button', { name: /^Show activity/ }).click();
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toBeHidden();
  await take(page, 'jobs-small', small);
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await expect(
    coffer.jobs.getByRole('listitem', { name: /(Uploading|Downloading|Waiting|Processing)$/ }),
  ).toHaveCount(0);
}

async function takeSecrets(coffer: CofferWindow): Promise<void> {
  const { page } = coffer;
  await coffer.collection('Secrets').click();
  await coffer.showTab('Details');
  await coffer.secret('api/maps-key').click();

  await page.getByRole('button', { name: 'New secret' }).first().click();
  const form = page.getByRole('dialog', { name: 'New secret' });
  await form.getByRole('textbox', { name: 'Identifier' }).fill('db/ledger/reporting-key');
  await form.getByRole('button', { name: 'Generate' }).click();
  await expect(form).toContainText('24 of 10,000 bytes');
  const picker = form.getByRole('combobox', { name: 'Classification' });
  await picker.click();
  await picker.fill('Secret');
  await page.getByRole('option', { name: /^Secret/ }).click();
  await closeMessages(page);
  await take(page, 'new-secret');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toBeHidden();

  await press(coffer, 'ci/registry-token', 'Copy value');
  await expect(coffer.secret('ci/registry-token')).toContainText('Copied');
  await press(coffer, 'ci/deploy-key', 'Reveal');
  await expect(coffer.secret('ci/deploy-key')).toContainText('Processing');
  await closeMessages(page);
  await coffer.secret('mail/smtp-relay').hover();
  await take(page, 'secrets');

  await coffer.secret('ci/deploy-key').getByRole('button', { name: 'Cancel' }).click();
  await press(coffer, 'backups/archive-passphrase', 'Reveal');
  const value = page.getByRole('textbox', { name: 'Value of backups/archive-passphrase' });
  await expect(value).toHaveText(passphrase);
  await page.mouse.move(0, 0);
  // Lets the ring of the countdown move visibly.
  await delay(2000);
  await take(page, 'secret-revealed');
}

async function press(coffer: CofferWindow, identifier: string, action: string): Promise<void> {
  const row = coffer.secret(identifier);
  await row.hover();
  await row.getByRole('button', { name: action }).click();
}
