import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { blackPng, heavyPdf, lyingAvif } from '../../test-support/preview-bombs.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

// /proc has the memory of a process.
const isLinux = process.platform === 'linux';

test('small files that decode to gigabytes do not take them @all', async ({ app }) => {
  test.skip(!isLinux, 'measures by /proc');
  const { page } = app;
  const coffer = new CofferWindow(page);
  const bombs = { 'wall.png': blackPng(16_000, 16_000), 'lie.avif': lyingAvif, 'book.pdf': heavyPdf() };
  mkdirSync(join(app.folder, 'mine'));
  const paths = Object.entries(bombs).map(([name, bytes]) => {
    const path = join(app.folder, 'mine', name);
    writeFileSync(path, bytes);
    return path;
  });
  for (const bytes of Object.values(bombs)) expect(bytes.length).toBeLessThan(40_000);
  await coffer.tryOnThisComputer();
  await app.drop(paths);
  await coffer.startUpload(3);
  for (const name of Object.keys(bombs)) await coffer.expectStored(name);
  const memory = await measure(page);

  await test.step('does not decode pictures', async () => {
    await coffer.row('wall.png').click();
    await expect(page.getByText('The picture has 256 megapixels')).toBeVisible();
    await coffer.row('lie.avif').click();
    await expect(page.getByText('The picture has 269 megapixels')).toBeVisible();
    await page.getByRole('button', { name: 'Show as a grid' }).click();
    await expect(coffer.row('wall.png')).toBeVisible();
    expect(memory.peakMegabytes() - memory.beforeMegabytes).toBeLessThan(200);
  });

  await test.step('ends a PDF at 512 MB, or after ten seconds', async () => {
    await coffer.row('book.pdf').click();
    // Whichever it reaches first on this computer.
    await expect(
      page.getByText(/first page can’t be shown: it (takes more than 10 seconds|needs more than 512 MB)/),
    ).toBeVisible();
    expect(memory.peakMegabytes() - memory.beforeMegabytes).toBeLessThan(700);
    await expect
      .poll(() => memory.megabytes() - memory.beforeMegabytes, { message: 'its memory is free again' })
      .toBeLessThan(200);
  });
});

/** The resident memory of the page's process, from now on. */
async function measure(page: Page) {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  const folders = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => `/proc/${String(id)}`);
  const largest = (field: string) =>
    Math.max(
      ...folders.map((folder) => {
        const status = readFileSync(`${folder}/status`, 'utf8');
        return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
      }),
    );
  // Forgets earlier peaks.
  for (const folder of folders) writeFileSync(`${folder}/clear_refs`, '5');
  return {
    beforeMegabytes: largest('VmRSS'),
    megabytes: () => largest('VmRSS'),
    peakMegabytes: () => largest('VmHWM'),
  };
}
