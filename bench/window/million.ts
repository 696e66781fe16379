import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect as expectSoon } from 'playwright/test';
import { answerDialogs, type LaunchedApp } from '../../e2e/launch.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { dialogsOf, launchIn } from '../parts/window.ts';
import { describe, pageMegabytes, report, timed, watch } from './probe.ts';

const expect = expectSoon.configure({ timeout: 120_000 });
const token = 'bench-token';
const objectBytes = 1000;
const rowPx = 32;
const targets = {
  importMs: 25_000,
  startMs: 2500,
  openMs: 50,
  frameMs: 50,
  actMs: 1000,
  latencyMs: 100,
  pageMb: 320,
};
/** The folders of the list are all in one folder. */
const folderCount = 10_000;

/** Imports, opens, scrolls, sorts, downloads and cancels a long list, and opens its folders. */
export async function measureMillion(folder: string, { rows }: { rows: number }): Promise<void> {
  const service = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end();
    // Running downloads never end, so waiting ones keep waiting.
    else if (request.method === 'HEAD') response.writeHead(404).end();
    else if (request.method === 'GET') response.writeHead(200, { 'content-length': objectBytes }).write('x');
    else response.writeHead(405).end();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const baseAddress = `http://127.0.0.1:${String((service.address() as AddressInfo).port)}`;
  const open = () => launchIn(folder);
  try {
    const list = join(folder, 'list.jsonl');
    await pipeline(Readable.from(linesOf(rows)), createWriteStream(list));
    await mkdir(join(folder, 'home', 'Downloads'), { recursive: true });
    let launched = await open();
    await new CofferWindow(launched.page).connect({ name: 'Bench', baseAddress, token });
    await launched.end();
    const { ms: emptyMs } = await start(open, (page) => page.getByText('Nothing in this list yet'));
    launched = await open();
    await importList(launched, dialogsOf(folder), list, rows);
    await launched.end();
    const again = await start(open, (page) =>
      page.getByRole('grid', { name: 'Objects' }).getByRole('row').nth(5),
    );
    report(
      'start, until rows are shown',
      again.ms,
      'ms',
      targets.startMs,
      `with an empty list ${emptyMs.toFixed(0)} ms`,
    );
    launched = await open();
    await openFolders(launched);
    await scroll(launched);
    await sort(launched);
    await downloadAll(launched, rows);
    await launched.end();
  } finally {
    service.closeAllConnections();
    service.close();
  }
}

/** Time from process start. */
async function start(
  open: () => Promise<LaunchedApp>,
  shown: (page: LaunchedApp['page']) => ReturnType<LaunchedApp['page']['locator']>,
): Promise<{ ms: number }> {
  let launched: LaunchedApp | null = null;
  const ms = await timed(async () => {
    launched = await open();
    await expect(shown(launched.page)).toBeVisible();
  });
  await (launched as LaunchedApp | null)?.end();
  return { ms };
}

async function importList({ page }: LaunchedApp, dialogs: string, list: string, rows: number): Promise<void> {
  const coffer = new CofferWindow(page);
  await coffer.openSettings();
  answerDialogs(dialogs, [[list]]);
  const done = page.getByRole('dialog', { name: /^Imported/ }).getByRole('button', { name: 'Done' });
  let ms = 0;
  const smooth = await watch(page, async () => {
    ms = await timed(async () => {
      await page.getByRole('button', { name: 'Import…' }).click();
      await expect(done).toBeVisible();
    });
  });
  await done.click();
  report(`import ${rows.toLocaleString('en')} lines`, ms, 'ms', targets.importMs, describe(smooth));
  await coffer.collection('All objects').click();
}

/** Opens the folder of all folders, and one of these, for the first time and again. */
async function openFolders({ page }: LaunchedApp): Promise<void> {
  const coffer = new CofferWindow(page);
  await coffer.showFiles();
  await coffer.folder('reports').click();
  for (const time of ['first', 'second']) {
    const opened = await msUntilShown(page, 'Enter', '0, folder');
    report(`open ${folderCount.toLocaleString('en')} folders, ${time} time`, opened, 'ms', targets.openMs);
    await page.keyboard.press('Home');
    report(
      `open one of them, ${time} time`,
      await msUntilShown(page, 'Enter', 'quarter-0.pdf'),
      'ms',
      targets.openMs,
    );
    await msUntilShown(page, 'Backspace', '0, folder');
    await msUntilShown(page, 'Backspace', 'reports, folder');
  }
  await coffer.collection('All objects').click();
}

/** Time from a key press until the first row begins with this name, in ms by the page's clock. */
async function msUntilShown(page: LaunchedApp['page'], key: string, name: string): Promise<number> {
  const shown = await page.evaluateHandle((wanted) => {
    let pressedMs = 0;
    addEventListener('keydown', ({ timeStamp }) => (pressedMs = timeStamp), { capture: true, once: true });
    const ms = new Promise<number>((resolve) => {
      const look = (nowMs: number) => {
        const first = document.querySelector('[role="grid"] [data-row-index]')?.getAttribute('aria-label');
        if (pressedMs > 0 && first?.startsWith(wanted)) resolve(nowMs - pressedMs);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    return { ms };
  }, name);
  await page.keyboard.press(key);
  return shown.evaluate(({ ms }) => ms);
}

async function scroll({ page }: LaunchedApp): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Objects' });
  await expect(grid.getByRole('row').nth(5)).toBeVisible();
  await grid.hover();
  for (const [how, rows, turns] of [
    ['50,000 rows', 50_000, 200],
    ['all rows', 600_000, 60],
  ] as const) {
    const smooth = await watch(page, async () => {
      for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, (rows * rowPx) / turns);
    });
    report(`scroll ${how}, worst frame`, smooth.worstFrameMs, 'ms', targets.frameMs, describe(smooth));
  }
}

async function sort({ page }: LaunchedApp): Promise<void> {
  for (const column of ['Size', 'Classification', 'Name', 'Date stored']) {
    const head = page.getByRole('columnheader', { name: column });
    const before = await firstRow(page);
    const ms = await timed(async () => {
      await head.getByRole('button').first().click();
      await expect.poll(() => firstRow(page), { intervals: [10] }).not.toBe(before);
    });
    report(`sort by ${column}`, ms, 'ms', targets.actMs);
  }
}

const firstRow = (page: LaunchedApp['page']) =>
  page.getByRole('grid', { name: 'Objects' }).getByRole('row').nth(1).getAttribute('aria-label');

async function downloadAll(launched: LaunchedApp, rows: number): Promise<void> {
  const { page } = launched;
  const coffer = new CofferWindow(page);
  await coffer.objects.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+d');
  const question = page.getByRole('alertdialog', { name: `Download ${rows.toLocaleString('en')} objects?` });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Download' }).click();
  let worstLatencyMs = 0;
  let worstMb = 0;
  const ask = async () => {
    worstLatencyMs = Math.max(worstLatencyMs, await timed(() => page.evaluate(() => undefined)));
    worstMb = Math.max(worstMb, pageMegabytes(launched));
  };
  await coffer.showTab('Transfers');
  const smooth = await watch(page, async () => {
    for (let turn = 0; turn < 200; turn += 1) {
      await ask();
      await page.waitForTimeout(50);
    }
  });
  report('latency while they are listed', worstLatencyMs, 'ms', targets.latencyMs, describe(smooth));
  const cancelMs = await timed(async () => {
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel all' }).click();
    // Checked once: an assertion would retry at growing intervals.
    await page.getByRole('button', { name: 'No transfers' }).waitFor();
  });
  report('cancel all', cancelMs, 'ms', targets.actMs);
  for (let turn = 0; turn < 100; turn += 1) {
    await ask();
    await page.waitForTimeout(50);
  }
  report('latency, with what comes after', worstLatencyMs, 'ms', targets.latencyMs);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  // At most: with what is not collected while rows scroll by.
  report(
    'memory of the page',
    pageMegabytes(launched),
    'MB',
    targets.pageMb,
    `at most ${worstMb.toFixed(0)} MB`,
  );
}

function* linesOf(rows: number): Generator<string> {
  yield `${JSON.stringify({ cofferCatalogue: 1 })}\n`;
  const classes = ['Public', 'Internal', 'Confidential'];
  for (let n = 0; n < rows; n += 1) {
    const row = {
      kind: 'data',
      identifier: `reports/${String(n % folderCount)}/quarter-${String(n)}.pdf`,
      lengthBytes: objectBytes + (n % 9973),
      classification: classes[n % classes.length],
      state: 'stored',
      storedAtMs: 1_700_000_000_000 + n * 1000,
    };
    yield `${JSON.stringify(row)}\n`;
  }
}
