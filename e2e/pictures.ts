import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as expectSoon, type Page } from 'playwright/test';
import { dropFiles, hoverFiles } from '../chromium-shell/testing/files.ts';
import { startFaultServer, type Fault, type FaultServer } from './faults/fault-server.ts';
import { writeFiles } from './files.ts';
import { answerDialogs, findElectron, launchApp } from './launch.ts';
import { CofferWindow } from './pages/coffer-window.ts';
import {
  closeMessages,
  large,
  requireNoBarriers,
  requireShownPictures,
  small,
  sortNewestFirst,
  take,
} from './pictures/camera.ts';
import { takeDeferred } from './pictures/deferred.ts';
import { filmMainJob } from './pictures/main-job.ts';
import { asExportedList, classifications, markAsChecked, sampleObjects } from './pictures/meridian.ts';
import { takeChanges } from './pictures/changes.ts';
import { writeShown } from './pictures/shown.ts';
import { takeTeam } from './pictures/team.ts';
import { takeQueue } from './pictures/transfers.ts';

/*
 * `npm run pictures` drives the window through its screens and states and writes the pictures shown in the documentation;
 * `-- all` takes every screen in every look and language. Every state is real: whatever waits, fails or stalls does so
 * because its service injects a fault.
 */
const expect = expectSoon.configure({ timeout: 20_000 });

const folder = mkdtempSync(join(tmpdir(), 'coffer-pictures-'));
const home = join(folder, 'home');
mkdirSync(join(home, 'Downloads'), { recursive: true });
const dialogAnswers = join(folder, 'dialogs.json');

/** The service reads this many bytes of an upload, then stalls. */
const takes = (bytes: number): Fault => ({ cutRequestAtBytes: bytes, cutBy: 'hold' });
const sends = (bytes: number): Fault => ({ cutAnswerAtBytes: bytes, cutBy: 'stall' });

async function takeDirect(): Promise<void> {
  const service = await startFaultServer({ token: 'meridian' });
  const lists = createHttpServer((_request, response) => response.end(JSON.stringify(classifications)));
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve));
  const listAddress = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/classifications`;

  const shell = findElectron() ? 'electron' : 'chromium';
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  const launched = await launchApp({ shell, userData: join(folder, 'user data'), dialogAnswers, env });
  try {
    const { page } = launched;
    const coffer = new CofferWindow(page);
    await page.setViewportSize(large);
    await takeFirstRun(page, coffer, service, listAddress);
    await takeLists(page, coffer, service);
    await filmMainJob(page, coffer, folder);
    await takeUpload(page, coffer);
    await takeQuestion(page, coffer, service);
    await takeTransfers(page, coffer, service);
    await takeRefusedToken(page, coffer, service);
  } finally {
    await launched.kill();
    await service.close();
    lists.close();
  }
}

async function takeAll(): Promise<void> {
  try {
    await takeDeferred(join(folder, 'deferred'));
    await takeDirect();
    await takeQueue(join(folder, 'queue'));
    await takeChanges(join(folder, 'changes'));
    await takeTeam(join(folder, 'team'));
    requireNoBarriers();
    requireShownPictures();
    if (!process.argv.includes('all')) await writeShown();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takeFirstRun(
  page: Page,
  coffer: CofferWindow,
  service: FaultServer,
  listAddress: string,
): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
  await take(page, 'welcome');
  await take(page, 'welcome-small', small);

  const pem = readFileSync(join(import.meta.dirname, '../src/main/service/fixtures/trusted.pem'));
  const stranger = createServer({ key: pem, cert: pem }, (_request, response) => response.end());
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  const connection = { name: 'Meridian Archive', token: service.token };
  await coffer.fillConnection({ ...connection, baseAddress: `https://localhost:${port}` });
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Certificate not trusted')).toBeVisible();
  await take(page, 'connect');
  await take(page, 'connect-small', small);
  stranger.close();

  await coffer.fillConnection({ ...connection, baseAddress: service.baseAddress });
  await page.getByRole('button', { name: 'Optional' }).click();
  await page.getByRole('radio', { name: 'Address', exact: true }).check({ force: true });
  await page.getByRole('textbox', { name: 'Classification address' }).fill(listAddress);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Token accepted')).toBeVisible();
  await take(page, 'connect-passed');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Meridian Archive');
  await expect(coffer.collection('Restricted')).toBeVisible();
  await expect(coffer.messages).toHaveText('');
  await take(page, 'empty');
  await take(page, 'empty-small', small);
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('combobox').fill('save a report');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'The report' })).toContainText('1: http');
  await take(page, 'report', small);
  await page.keyboard.press('Escape');
}

async function takeLists(page: Page, coffer: CofferWindow, service: FaultServer): Promise<void> {
  const objects = sampleObjects(Date.now());
  const list = join(folder, 'meridian.jsonl');
  writeFileSync(list, asExportedList(objects));
  for (const { identifier, lengthBytes, classification, state, bytes } of objects) {
    // Only a few need content; all of them would not fit into memory.
    if (state !== 'missing' && (bytes ?? identifier.includes('/site-02/')))
      service.objects.set(identifier, {
        bytes: Buffer.from(bytes ?? Buffer.alloc(lengthBytes)),
        classification,
      });
  }
  await coffer.openSettings();
  answerDialogs(dialogAnswers, [[list]]);
  await page.getByRole('button', { name: 'Import…' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  markAsChecked(join(folder, 'user data'));
  await take(page, 'settings');
  await take(page, 'settings-small', small);
  await page.getByRole('button', { name: 'Edit Meridian Archive' }).click();
  await page.getByRole('button', { name: 'Previews and editing' }).click();
  const previews = page.getByRole('group', { name: 'Always preview' });
  for (const tick of await previews.getByRole('checkbox').all()) await tick.check({ force: true });
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  await coffer.collection('All objects').click();
  await sortNewestFirst(page);
  for (const name of ['reports', '2026']) await page.getByRole('button', { name: `Open ${name}` }).click();
  await coffer.row('imaging/site-04/contours.png').click();
  await coffer.showTab('Details');
  await expect(page.getByAltText('Preview of imaging/site-04/contours.png')).toBeVisible();
  await take(page, 'details');
  await coffer.row('handover-notes.md').click();
  await expect(page.getByLabel('Preview of handover-notes.md')).toBeVisible();
  await take(page, 'details-text');

  await coffer.search.fill('class:secret before:2020-01-01');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await take(page, 'nothing-found');
  await coffer.search.fill('');

  await page.getByRole('button', { name: 'More ways to add' }).click();
  await page.getByRole('menuitem', { name: /^Add known identifiers/ }).click();
  const known = page.getByRole('dialog', { name: 'Add known identifiers' });
  await known
    .getByRole('textbox')
    .fill('reports/2024/q4/board-pack.pdf\nreports/2024/q4/minutes.docx\nimaging/site-00/orthophoto.tif');
  await take(page, 'add-known');
  await page.keyboard.press('Escape');

  await coffer.row('handover-notes.md').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await take(page, 'delete');
  await page.keyboard.press('Escape');

  await expect(page.getByRole('alertdialog')).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('se');
  await take(page, 'palette');
  await page.keyboard.press('Escape');
}

async function selectPress(page: Page, coffer: CofferWindow): Promise<void> {
  await coffer.row('press/launch-hero.jpg').click();
  await coffer.row('press/fact-sheet.pdf').click({ modifiers: ['Shift'] });
  await expect(coffer.selectionBar).toContainText('3 selected');
  await page.mouse.move(0, 0);
}

async function takeUpload(page: Page, coffer: CofferWindow): Promise<void> {
  const kilo = 1000;
  const mega = 1_000_000;
  const files = writeFiles(join(folder, 'Site 04 handover'), {
    'flight-log.csv': 212 * kilo,
    'contours-05m.png': 5.2 * mega,
    'orthophoto.tif': 64.3 * mega,
    'ground-control.csv': 18 * kilo,
    'report.docx': 1.6 * mega,
    'drafts/report.docx': 1.4 * mega,
    'cover-photo.jpg': 6.9 * mega,
    'point-cloud.laz': 47.2 * mega,
    'readme.md': 3 * kilo,
  });
  await page.getByRole('button', { name: 'Open imaging' }).click();
  await coffer.collection('site-04').click();
  const paths = [
    ...Object.values(files).filter((path) => !path.includes('drafts')),
    join(folder, 'Site 04 handover', 'drafts'),
  ];
  const stopHovering = await hoverFiles(page, paths, page.locator('main'));
  await expect(page.getByText(new RegExp(`^Drop ${paths.length} (files|items) into`))).toBeVisible();
  await take(page, 'drag-over');
  await stopHovering();

  await dropFiles(page, paths);
  await nameAll(coffer, '{name}');
  const photo = coffer.sheet.getByRole('textbox', { name: 'Identifier of cover-photo.jpg' });
  await photo.fill('imaging/site-04/cover.jpg');
  await photo.press('Enter');
  const picker = coffer.sheet.getByRole('combobox', { name: 'Classification' });
  await coffer.chooseClassification('Internal');
  await picker.press('ArrowDown');
  await expect(page.getByRole('option', { name: /^Secret/ })).toBeVisible();
  await take(page, 'upload-sheet');
  await take(page, 'upload-sheet-small', small);
  await page.keyboard.press('Escape');
  await coffer.sheet.getByRole('button', { name: 'Cancel' }).click();
  await expect(coffer.sheet).toBeHidden();
  await coffer.collection('All objects').click();
}

/** All states at once: running transfers stall until the picture is taken. */
async function takeTransfers(page: Page, coffer: CofferWindow, service: FaultServer): Promise<void> {
  const mega = 1_000_000;
  const files = writeFiles(join(folder, 'q2'), {
    'board-pack.pdf': 38.4 * mega,
    'board-pack-annex.pdf': 12.9 * mega,
    'dem-1m.tif': 9.4 * mega,
    // Small, because large bodies are held back while so many bytes are under way.
    'survey-0714.csv': 0.9 * mega,
    'minutes.docx': 1.3 * mega,
  });
  const path = (name: keyof typeof files) => files[name] ?? '';
  let isRateReached = false;
  service.plan = ({ method, identifier }) => {
    const name = identifier.split('/').at(-1);
    if (name === 'board-pack.pdf' && method === 'POST') return takes(14 * mega);
    if (name === 'board-pack-annex.pdf' && method === 'HEAD') return sends(0);
    if (name === 'orthophoto.tif' && method === 'GET') return sends(17.5 * mega);
    if (name === 'dem-1m.tif' && method === 'POST')
      return { storeOnlyBytes: 8.4 * mega, activityToken: '9b41c07e' };
    if (name === 'old-logo-pack.zip')
      return {
        status: 200,
        body: '{"success":true,"status":200,"message":"","activityToken":"5c1d"}',
        headers: { 'x-orginal-length': String(14 * mega) },
      };
    if (isRateReached && method === 'POST') return { status: 429, headers: { 'retry-after': '42' } };
    return null;
  };

  await coffer.row('press/old-logo-pack.zip').click();
  await page.keyboard.press('Shift+Delete');
  await expect(coffer.row('press/old-logo-pack.zip')).toContainText('Deleting');

  await coffer.collection('All objects').click();
  await upload(page, coffer, 'reports/2026/q2/{name}', 'Confidential', [path('minutes.docx')]);
  await coffer.expectStored('reports/2026/q2/minutes.docx');
  await upload(page, coffer, 'imaging/site-02/{name}', 'Internal', [path('dem-1m.tif')]);
  await expect(coffer.transfer('imaging/site-02/dem-1m.tif', 'upload', 'Failed')).toBeVisible();
  await coffer.download('handover-notes.md');
  await expect(coffer.transfer('handover-notes.md', 'download', 'Done')).toBeVisible();
  // Announced at once only while nothing else is running.
  await expect(coffer.messages).toContainText('handover-notes.md downloaded to');
  await coffer.download('imaging/site-02/orthophoto.tif');
  // The receive buffer of a connection that has carried much takes the rest of the next file.
  service.closeIdleConnections();
  await upload(page, coffer, 'reports/2026/q2/{name}', 'Confidential', [path('board-pack-annex.pdf')]);
  await expect(coffer.transfer('reports/2026/q2/board-pack-annex.pdf', 'upload', 'Verifying')).toBeVisible();
  await upload(page, coffer, 'reports/2026/q2/{name}', 'Confidential', [path('board-pack.pdf')]);
  // Selecting a row below has scrolled the list, whose newest rows are at the top.
  await coffer.objects.press('Home');
  await expect(coffer.row('reports/2026/q2/board-pack.pdf')).toContainText(/[3-9]\d%/);
  isRateReached = true;
  await upload(page, coffer, 'imaging/site-04/{name}', 'Internal', [path('survey-0714.csv')]);
  await expect(coffer.transfer('imaging/site-04/survey-0714.csv', 'upload', 'Waiting')).toContainText(
    'too many',
  );
  await closeMessages(page);
  await selectPress(page, coffer);
  await coffer.showTab('Transfers');
  await take(page, 'browser');
  await page.getByRole('button', { name: 'Hide activity' }).click();
  await take(page, 'browser-small', small);
  await page.getByRole('button', { name: /^Show activity/ }).click();
  await coffer.showTab('Transfers');
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await page.getByRole('button', { name: 'Clear failed' }).click();
  await page.getByRole('button', { name: 'Clear done' }).click();
  service.plan = () => null;
}

async function upload(
  page: Page,
  coffer: CofferWindow,
  template: string,
  classification: string,
  paths: string[],
): Promise<void> {
  await dropFiles(page, paths);
  await nameAll(coffer, template);
  await coffer.chooseClassification(classification);
  await coffer.startUpload(paths.length);
}

async function nameAll(coffer: CofferWindow, template: string): Promise<void> {
  await coffer.unfoldOptions();
  const names = coffer.sheet.getByRole('textbox', { name: 'Name files by' });
  await names.fill(template);
  await names.press('Enter');
}

async function takeQuestion(page: Page, coffer: CofferWindow, service: FaultServer): Promise<void> {
  service.objects.set('contracts/halden-msa-signed.pdf', {
    bytes: Buffer.alloc(1_100_000),
    classification: 'Restricted',
  });
  service.objects.set('README.txt', { bytes: Buffer.alloc(4000), classification: null });
  const files = writeFiles(join(folder, 'contracts'), {
    'halden-msa-signed.pdf': 1_240_000,
    'README.txt': 4000,
  });
  await dropFiles(page, Object.values(files));
  const identifier = coffer.sheet.getByRole('textbox', { name: 'Identifier of halden-msa-signed.pdf' });
  await identifier.fill('contracts/halden-msa-signed.pdf');
  await identifier.press('Enter');
  await coffer.chooseClassification('Restricted');
  await coffer.startUpload(2);
  const question = page.getByRole('dialog', { name: /already exists$/ });
  await question.getByRole('radio', { name: /^Replace/ }).click();
  await expect(question).toContainText('1 of 2');
  await closeMessages(page);
  await take(page, 'question');
  await question.getByRole('checkbox').click();
  await question.getByRole('radio', { name: /^Skip/ }).click();
  await question.getByRole('button', { name: 'Skip 2 objects' }).click();
  await page.getByRole('button', { name: 'Clear done' }).click();
}

async function takeRefusedToken(page: Page, coffer: CofferWindow, service: FaultServer): Promise<void> {
  service.token = 'another';
  const files = writeFiles(join(folder, 'annex'), { 'annex-a.pdf': 2_400_000, 'annex-b.pdf': 1_900_000 });
  await upload(page, coffer, 'reports/2026/q2/{name}', 'Confidential', Object.values(files));
  // The wait after the previous picture's 429 must end first.
  await expect(page.getByRole('alert').filter({ hasText: 'Everything is paused' })).toContainText(
    '2 transfers',
    { timeout: 60_000 },
  );
  await expect(coffer.transfers.getByRole('listitem', { name: /^2 waiting for a new token/ })).toBeVisible();
  await closeMessages(page);
  await take(page, 'token-refused');
  await take(page, 'token-refused-small', small);
  await page.getByRole('button', { name: 'Enter a new token' }).click();
  await take(page, 'new-token');
}

await takeAll();
