import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaultServer, type FaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

async function connect(app: App, service: FaultServer): Promise<CofferWindow> {
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  return coffer;
}

async function drop(app: App, coffer: CofferWindow, paths: string[]): Promise<void> {
  await app.drop(paths);
  await coffer.startUpload(paths.length);
}

/** A service that receives uploads and answers none until released. */
async function startHolding(): Promise<{ service: FaultServer; letGo: () => void }> {
  let isHeld = true;
  const service = await startFaultServer({
    plan: ({ method }) => (method === 'POST' ? { holdRequest: () => !isHeld } : null),
  });
  return { service, letGo: () => (isHeld = false) };
}

/** Uploads files with these names one at a time: the first is running, the others wait. */
async function queue(app: App, service: FaultServer, names: string[]): Promise<CofferWindow> {
  const lengths = names.map((name) => [name, 1000]);
  const files = Object.values(writeFiles(join(app.folder, 'mine'), Object.fromEntries(lengths)));
  const coffer = await connect(app, service);
  await coffer.openSettings();
  await coffer.setLimit('Files at once', '1');
  await coffer.showAll();
  await drop(app, coffer, files.slice(0, 1));
  await expect.poll(() => service.openUploads()).toBe(1);
  await drop(app, coffer, files.slice(1));
  return coffer;
}

const uploadsOf = ({ requests }: FaultServer) =>
  requests.filter(({ method }) => method === 'POST').map(({ identifier }) => identifier);

test('60 files arrive despite three kills, without a question @all', async ({ app }) => {
  let maxStored = 0;
  const service = await startFaultServer();
  service.plan = ({ method }) =>
    method === 'POST' ? { holdRequest: () => service.objects.size < maxStored } : null;
  const lengths = Array.from({ length: 60 }, (_, at) => [`part-${at + 10}.bin`, 20_000 + at]);
  const files = writeFiles(join(app.folder, 'mine'), Object.fromEntries(lengths));
  await drop(app, await connect(app, service), Object.values(files));

  for (const most of [10, 25, 40]) {
    maxStored = most;
    await expect.poll(() => service.objects.size).toBeGreaterThanOrEqual(most);
    await app.kill();
    await app.restart();
  }
  maxStored = Infinity;
  await expect.poll(() => service.objects.size).toBe(60);
  for (const [name, path] of Object.entries(files))
    expect(service.objects.get(name)?.bytes.equals(readFileSync(path)), name).toBe(true);
  const coffer = new CofferWindow(app.page);
  await coffer.expectReady('Archive');
  await expect(coffer.statusLine).toContainText('No transfers');
  await expect(coffer.statusLine).not.toContainText(/failed|answer/);
  await coffer.search.fill('state:stored');
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '61');
  await expect(app.page.getByRole('dialog')).toHaveCount(0);
  await service.close();
});

test('Pause lets running transfers finish and new ones wait, also after a restart, until Resume @all', async ({
  app,
}) => {
  const { service, letGo } = await startHolding();
  const lengths = Array.from({ length: 6 }, (_, at) => [`${at}.bin`, 20_000 + at]);
  const files = Object.values(writeFiles(join(app.folder, 'mine'), Object.fromEntries(lengths)));
  const coffer = await connect(app, service);
  await coffer.limitFiles(4);
  await drop(app, coffer, files.slice(0, 5));
  await coffer.showTab('Transfers');
  await expect.poll(() => service.openUploads()).toBe(4);
  await app.page.getByRole('button', { name: 'Pause all' }).click();
  const bar = app.page.getByRole('region', { name: 'Everything is paused' });
  await expect(bar).toContainText('4 already started and will finish.');
  await expect(coffer.statusLine).toContainText('Paused, 4 finish first');

  await drop(app, coffer, files.slice(5));
  letGo();
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(4);
  await expect(coffer.transfersThat('upload', 'Waiting')).toHaveCount(2);
  await expect(bar).toContainText('New transfers wait, too.');
  expect(service.objects.size).toBe(4);

  await app.restart();
  const again = new CofferWindow(app.page);
  await again.expectReady('Archive');
  await again.showTab('Transfers');
  await expect(again.statusLine).toContainText('Paused');
  await expect(again.transfersThat('upload', 'Waiting')).toHaveCount(2);
  expect(uploadsOf(service)).toHaveLength(4);
  await app.page.getByRole('button', { name: 'Resume all' }).click();
  await expect(again.transfersThat('upload', 'Done')).toHaveCount(6);
  expect(uploadsOf(service)).toHaveLength(6);
  await expect(again.statusLine).not.toContainText('Paused');
  await service.close();
});

test('Stop now aborts running transfers, which restart from the beginning on Resume @all', async ({
  app,
}) => {
  const { service, letGo } = await startHolding();
  const files = writeFiles(join(app.folder, 'mine'), { 'a.bin': 30_000_000, 'b.bin': 20_000 });
  const coffer = await connect(app, service);
  await drop(app, coffer, Object.values(files));
  await coffer.showTab('Transfers');
  await expect.poll(() => service.openUploads()).toBe(2);
  await app.page.getByRole('button', { name: 'Pause all' }).click();
  await app.page.getByRole('button', { name: 'Stop now' }).click();
  await expect(coffer.transfersThat('upload', 'Waiting')).toHaveCount(2);
  await expect(app.page.getByRole('button', { name: 'Stop now' })).toBeHidden();
  letGo();
  await expect.poll(() => service.openUploads()).toBe(0);
  expect(service.objects.size).toBe(0);

  await app.page.getByRole('button', { name: 'Resume all' }).click();
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(2);
  for (const [name, path] of Object.entries(files))
    expect(service.objects.get(name)?.bytes.equals(readFileSync(path)), name).toBe(true);
  await service.close();
});

test('Move to top goes next, low priority goes last @all', async ({ app }) => {
  const { service, letGo } = await startHolding();
  const coffer = await queue(app, service, ['first.bin', 'a.bin', 'b.bin', 'c.bin', 'd.bin']);
  await coffer.showTab('Transfers');
  const waiting = (name: string) => coffer.transfer(name, 'upload', 'Waiting');
  await expect(waiting('a.bin')).toContainText('1st in line');
  await coffer.chooseForTransfer(waiting('c.bin'), 'Move to top');
  await expect(waiting('c.bin')).toContainText('1st in line');
  await coffer.chooseForTransfer(waiting('a.bin'), 'When idle');
  await expect(waiting('a.bin')).toContainText('When nothing else is waiting');
  await coffer.chooseForTransfer(waiting('d.bin'), 'Now');
  await expect(waiting('d.bin')).toContainText('1st in line');
  letGo();
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(5);
  expect(uploadsOf(service)).toEqual(['first.bin', 'd.bin', 'c.bin', 'b.bin', 'a.bin']);
  await service.close();
});

test('pauses and moves by keyboard alone @all', async ({ app }) => {
  const { service, letGo } = await startHolding();
  const coffer = await queue(app, service, ['first.bin', 'a.bin', 'b.bin', 'c.bin']);
  const { keyboard } = app.page;
  await keyboard.press('ControlOrMeta+2');
  const waiting = (name: string) => coffer.transfer(name, 'upload', 'Waiting');
  await expect(waiting('c.bin')).toBeVisible();
  await expect(async () => {
    await keyboard.press('Tab');
    expect(await app.page.evaluate(() => document.activeElement?.ariaLabel)).toBe(
      'first.bin, upload, Uploading',
    );
  }).toPass({ intervals: [0] });
  for (const name of ['a.bin', 'b.bin', 'c.bin']) {
    await keyboard.press('ArrowDown');
    await expect(waiting(name)).toBeFocused();
  }
  await keyboard.press('Alt+ArrowUp');
  await expect(waiting('c.bin')).toContainText('2nd in line');
  await expect(waiting('c.bin')).toBeFocused();
  await keyboard.press('Alt+Shift+ArrowUp');
  await expect(waiting('c.bin')).toContainText('1st in line');
  await keyboard.press('ArrowDown');
  await expect(waiting('a.bin')).toBeFocused();
  await keyboard.press('Space');
  await expect(waiting('a.bin')).toContainText('Paused');

  letGo();
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(3);
  expect(uploadsOf(service)).toEqual(['first.bin', 'c.bin', 'b.bin']);
  await waiting('a.bin').focus();
  await keyboard.press('Space');
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(4);
  await service.close();
});

test('pauses what is selected, by mouse and by keyboard @all', async ({ app }) => {
  const { service, letGo } = await startHolding();
  const coffer = await queue(app, service, ['first.bin', 'a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin']);
  const { page } = app;
  await coffer.showTab('Transfers');
  const waiting = (name: string) => coffer.transfer(name, 'upload', 'Waiting');
  const selected = page.locator('[data-entry].is-selected');
  const paused = coffer.transfersThat('upload', 'Waiting').filter({ hasText: 'Paused' });

  await waiting('a.bin').click();
  await waiting('c.bin').click({ modifiers: ['Shift'] });
  await waiting('b.bin').click({ modifiers: ['ControlOrMeta'] });
  await expect(selected).toHaveCount(2);
  await waiting('c.bin').click({ button: 'right' });
  await page.getByRole('menu', { name: '2 selected' }).getByRole('menuitem', { name: 'Pause 2' }).click();
  await expect(paused).toHaveCount(2);
  await expect(waiting('b.bin')).toContainText('in line');

  await page.keyboard.press('Escape');
  await expect(selected).toHaveCount(0);
  await waiting('d.bin').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selected).toHaveCount(2);
  await page.keyboard.press('Space');
  await expect(paused).toHaveCount(4);

  // In a small window the dock is beside the list, and the bottom line is complete.
  await page.setViewportSize({ width: 900, height: 600 });
  await page.getByRole('button', { name: /^Show activity/ }).click();
  const overLine = await page.evaluate(() => {
    const dock = document.querySelector('.dock')?.getBoundingClientRect();
    const line = document.querySelector('footer.status')?.getBoundingClientRect();
    return dock && line ? line.right - dock.left : null;
  });
  expect(overLine).toBeLessThanOrEqual(0);
  await waiting('b.bin').click();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(selected).toHaveCount(6);
  await waiting('d.bin').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Resume 4 of 6' }).click();
  await expect(paused).toHaveCount(0);

  letGo();
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(6);
  await page.keyboard.press('Escape');
  await expect(selected).toHaveCount(0);
  await service.close();
});
