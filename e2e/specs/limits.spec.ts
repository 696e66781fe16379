import { join } from 'node:path';
import { startFaultServer, type FaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

const megaBytes = 1_000_000;

async function connect(app: App, service: FaultServer): Promise<CofferWindow> {
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  return coffer;
}

async function drop(app: App, coffer: CofferWindow, lengths: Record<string, number>): Promise<void> {
  const files = Object.values(writeFiles(join(app.folder, 'mine'), lengths));
  await coffer.showAll();
  await app.drop(files);
  await coffer.startUpload(files.length);
  await coffer.showTab('Transfers');
}

/** The speed over the next bytes, in bytes per second. */
async function speedOver(service: FaultServer, bytes: number): Promise<number> {
  const startMs = performance.now();
  const startBytes = service.receivedBytes();
  await expect
    .poll(() => service.receivedBytes() - startBytes, { intervals: [20], timeout: 30_000 })
    .toBeGreaterThanOrEqual(bytes);
  return ((service.receivedBytes() - startBytes) / (performance.now() - startMs)) * 1000;
}

test('transfers as many files at once as set, and applies changes immediately @all', async ({ app }) => {
  let most = 0;
  let mayStore = 0;
  const service = await startFaultServer();
  service.plan = ({ method }) => {
    if (method !== 'POST') return null;
    most = Math.max(most, service.openUploads() + 1);
    return { holdRequest: () => service.objects.size < mayStore, delayMs: 30 };
  };
  const coffer = await connect(app, service);
  await coffer.openSettings();
  await coffer.setLimit('Files at once', '1');
  await drop(app, coffer, Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.bin`, 5000])));
  await expect(coffer.statusLine).toContainText('11 waiting');
  await expect.poll(() => service.openUploads()).toBe(1);
  mayStore = 4;
  await expect.poll(() => service.objects.size).toBe(4);
  expect(most).toBe(1);

  await coffer.openSettings();
  await coffer.setLimit('Files at once', '3');
  await expect.poll(() => service.openUploads()).toBe(3);
  await expect(coffer.statusLine).toContainText('3 moving');
  mayStore = 12;
  await expect(coffer.transfers.getByRole('listitem', { name: /^12 files uploaded/ })).toBeVisible();
  expect(most).toBe(3);
  await service.close();
});

test('obeys the bandwidth limit, and applies changes to running transfers @all', async ({ app }) => {
  const service = await startFaultServer();
  const coffer = await connect(app, service);
  await coffer.openSettings();
  await coffer.setLimit('Upload at most', '1');
  await drop(app, coffer, { 'large.bin': 40 * megaBytes });
  await expect(coffer.statusLine).toContainText('At most 1 MB/s up');
  const limited = await speedOver(service, 2.5 * megaBytes);
  expect(limited).toBeGreaterThan(0.4 * megaBytes);
  expect(limited).toBeLessThan(2 * megaBytes);

  await coffer.openSettings();
  await coffer.setLimit('Upload at most', '6');
  await expect(coffer.statusLine).toContainText('At most 6 MB/s up');
  const faster = await speedOver(service, 10 * megaBytes);
  expect(faster).toBeGreaterThan(2.4 * megaBytes);
  expect(faster).toBeLessThan(10 * megaBytes);

  await coffer.setLimit('Upload at most', '');
  await expect(coffer.transfer('large.bin', 'upload', 'Done')).toBeVisible({ timeout: 8000 });
  expect(service.objects.get('large.bin')?.bytes.length).toBe(40 * megaBytes);
  await service.close();
});

test('pauses in hours painted as paused, and resumes when they are painted as unlimited @all', async ({
  app,
}) => {
  const service = await startFaultServer();
  const coffer = await connect(app, service);
  await coffer.openSettings();
  const { page } = app;
  await page.getByRole('switch', { name: 'Limit by the hour' }).press('Space');
  const hours = page.getByRole('grid', { name: 'Hours' });
  const hour = (name: string) => hours.getByRole('gridcell', { name });
  const paintAll = async (kind: string) => {
    await page.getByRole('radiogroup', { name: 'Paint hours as' }).getByText(kind, { exact: true }).click();
    await hour('Monday 00:00').hover();
    await page.mouse.down();
    await hour('Sunday 23:00').hover();
    await page.mouse.up();
    await expect(hours.getByRole('gridcell', { name: `, ${kind}` })).toHaveCount(7 * 24);
  };
  await paintAll('Paused');
  await drop(app, coffer, { 'a.bin': 4000, 'b.bin': 3 * megaBytes });
  await expect(page.getByRole('region', { name: 'Paused by the schedule' })).toBeVisible();
  await expect(coffer.statusLine).toContainText('Paused');
  await expect(coffer.transfersThat('upload', 'Waiting')).toHaveCount(2);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);

  await page.getByRole('button', { name: 'Change hours…' }).click();
  await paintAll('Unlimited');
  await expect(coffer.transfersThat('upload', 'Done')).toHaveCount(2);
  await expect(coffer.statusLine).not.toContainText('Paused');

  // With the keyboard; the current hour is enough.
  await page.getByRole('radio', { name: 'Paused' }).press('Space');
  await hour('Monday 00:00').focus();
  for (let day = 0; day < 7; day += 1) {
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowDown');
  }
  await expect(hours.getByRole('gridcell', { name: ', Paused' })).toHaveCount(14);
  await service.close();
});
