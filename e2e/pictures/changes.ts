import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect as expectSoon, type Page } from 'playwright/test';
import { dropFiles } from '../../chromium-shell/testing/files.ts';
import { startFaultServer, type FaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { answerDialogs, findElectron, launchApp } from '../launch.ts';
import { noteOpenedFiles } from '../opened-files.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { closeMessages, large, small, take } from './camera.ts';
import { asExportedList, markAsChecked, sampleObjects } from './meridian.ts';

const expect = expectSoon.configure({ timeout: 30_000 });
const token = 'meridian';
const notes = 'reports/2026/q2/field-notes.md';

/** Versions of an object, edits (one in conflict with a stranger's change), a file in parts, and a Replace. */
export async function takeChanges(folder: string): Promise<void> {
  const home = join(folder, 'home');
  const userData = join(folder, 'user data');
  mkdirSync(join(home, 'Downloads'), { recursive: true });
  const { env } = noteOpenedFiles(join(folder, 'programs'));
  const dialogAnswers = join(folder, 'dialogs.json');
  const service = await startFaultServer({ token });
  const launched = await launchApp({
    shell: findElectron() ? 'electron' : 'chromium',
    userData,
    dialogAnswers,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      ...env,
    },
  });
  try {
    const { page } = launched;
    const coffer = new CofferWindow(page);
    await page.setViewportSize(large);
    await coffer.connect({ name: 'Meridian Archive', baseAddress: service.baseAddress, token });
    const objects = sampleObjects(Date.now());
    for (const { identifier, classification, bytes } of objects)
      if (bytes) service.objects.set(identifier, { bytes: Buffer.from(bytes), classification });
    const list = join(folder, 'meridian.jsonl');
    writeFileSync(list, asExportedList(objects));
    answerDialogs(dialogAnswers, [[list]]);
    await coffer.openSettings();
    await page.getByRole('button', { name: 'Import…' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    markAsChecked(userData);
    await coffer.collection('All objects').click();
    await takeVersions(page, coffer, service, folder);
    await takeEdits(page, coffer, service, join(userData, 'edits'));
    await takeParts(page, coffer, folder);
    await takeReplace(page, coffer, folder);
  } finally {
    await launched.kill();
    await service.close();
  }
}

const linesOf = (version: number) =>
  Array.from({ length: 30 }, (_, at) => (at === 12 ? `changed in ${version}` : `line ${at} of the notes`));

async function takeVersions(
  page: Page,
  coffer: CofferWindow,
  service: FaultServer,
  folder: string,
): Promise<void> {
  for (const version of [1, 2, 3, 4]) {
    const name = join(folder, String(version));
    const files = writeFiles(name, { 'field-notes.md': 1 });
    writeFileSync(files['field-notes.md'] ?? '', linesOf(version).join('\n'));
    await dropFiles(page, Object.values(files));
    await coffer.unfoldOptions();
    const names = coffer.sheet.getByRole('textbox', { name: 'Name files by' });
    await names.fill('reports/2026/q2/{name}');
    await names.press('Enter');
    await coffer.chooseIfExists('New version');
    await coffer.startUpload(1);
    const stored = version === 1 ? notes : notes.replace('.md', `@${version}.md`);
    await expect.poll(() => service.objects.has(stored)).toBe(true);
  }
  await coffer.row(notes).first().click();
  await coffer.showTab('Details');
  await expect(page.getByRole('region', { name: 'Versions' }).getByRole('listitem')).toHaveCount(4);
  await closeMessages(page);
  await take(page, 'versions');
  await page.getByRole('button', { name: 'Compare…' }).click();
  await expect(page.getByText('changed in 3')).toBeVisible();
  await take(page, 'versions-compare');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}

async function takeEdits(
  page: Page,
  coffer: CofferWindow,
  service: FaultServer,
  edits: string,
): Promise<void> {
  for (const name of ['handover-notes.md', notes]) {
    await coffer.row(name).first().click();
    await page.keyboard.press('ControlOrMeta+E');
    await expect(coffer.row(name).first()).toContainText('Editing');
  }
  const copy = readdirSync(edits, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('handover-notes.md'),
  );
  const bytes = Buffer.from('by somebody else, and longer than it was');
  service.objects.set('handover-notes.md', { bytes, classification: 'Internal' });
  writeFileSync(join(edits, copy ?? ''), 'mine');
  await expect(coffer.row('handover-notes.md')).toContainText('Needs your answer');
  await page.getByRole('button', { name: /2 open edits/ }).click();
  await expect(page.getByRole('dialog', { name: 'Open edits' })).toBeVisible();
  await closeMessages(page);
  await take(page, 'editing');
  await take(page, 'editing-small', small);
}

async function takeParts(page: Page, coffer: CofferWindow, folder: string): Promise<void> {
  await page.keyboard.press('Escape');
  await coffer.limitObjects(500_000);
  await coffer.collection('All objects').click();
  await dropFiles(
    page,
    Object.values(writeFiles(join(folder, 'film'), { 'harbour-flyover.mov': 3_000_000 })),
  );
  await coffer.startUpload(1);
  await coffer.expectStored('harbour-flyover.mov');
  await coffer.row('harbour-flyover.mov').click();
  await coffer.showTab('Details');
  await expect(page.getByRole('region', { name: 'Parts' })).toContainText('12 stored');
  await closeMessages(page);
  await take(page, 'parts');
}

/** A Replace during its second check of the new version, and afterwards, when it can be undone. */
async function takeReplace(page: Page, coffer: CofferWindow, folder: string): Promise<void> {
  const name = 'board-pack-july.pdf';
  for (const sizeBytes of [48_000, 61_000]) {
    const files = writeFiles(join(folder, String(sizeBytes)), { [name]: sizeBytes });
    await dropFiles(page, Object.values(files));
    if (sizeBytes > 48_000) await coffer.chooseIfExists('Replace');
    await coffer.startUpload(1);
    if (sizeBytes === 48_000) await coffer.expectStored(name);
  }
  await coffer.showTab('Transfers');
  await expect(coffer.transfers).toContainText('Replaced, final check');
  await coffer.row(name).click();
  await coffer.showTab('Transfers');
  await closeMessages(page);
  await take(page, 'replacing');
  await take(page, 'replacing-small', small);
  await expect(coffer.transfers).toContainText('replaced, the old version is kept', { timeout: 90_000 });
  await coffer.showTab('Details');
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText('kept until');
  await closeMessages(page);
  await take(page, 'replaced');
}
