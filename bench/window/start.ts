import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { LaunchedApp } from '../../e2e/launch.ts';
import { cpuSeconds, memoryMb, type ByProcess } from '../parts/processes.ts';
import { startService } from '../parts/service.ts';
import {
  describeBlock,
  describeShell,
  launchIn,
  longestBlock,
  openWindow,
  watchMain,
  type MainBlock,
} from '../parts/window.ts';

/** After a start V8 collects its garbage, and a minute later the list is copied: idling begins after both. */
const settleMs = 80_000;
const idleMs = 20_000;

interface Start {
  /** From the start of the process to the first text, and to the last large one: the list has said that it is empty. */
  readonly paintMs: number;
  readonly usableMs: number;
  /** CPU time until the list could be read, in seconds. */
  readonly cpu: ByProcess;
  readonly block: MainBlock;
}

/**
 * The start with an empty list, then what the window costs while nothing happens, beside a window with one line of text in the
 * same shell. Medians.
 */
export async function measureStart(folder: string, { rounds }: { rounds: number }): Promise<void> {
  const service = await startService();
  try {
    await (await openWindow(folder, service)).close();
  } finally {
    service.stop();
  }
  const bareFolder = join(folder, 'bare');
  const bareApp = join(bareFolder, 'app');
  await mkdir(join(bareApp, 'out', 'main'), { recursive: true });
  await copyFile(join(import.meta.dirname, 'bare-app.js'), join(bareApp, 'out', 'main', 'index.js'));
  await writeFile(join(bareApp, 'package.json'), '{ "type": "module", "main": "out/main/index.js" }');

  const starts: Record<'ours' | 'bare', Start[]> = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    const bare = await start(() => launchIn(bareFolder, bareApp), 'A page');
    starts.bare.push(bare.figures);
    await bare.launched.end();
    const ours = await start(() => launchIn(folder), 'Nothing in this list yet');
    starts.ours.push(ours.figures);
    if (round === 0) console.log(`${await describeShell(ours.launched.page)}; ${String(rounds)} starts\n`);
    await ours.launched.end();
  }
  for (const [name, figure] of [
    ['start, first text (ms)', ({ paintMs }) => paintMs],
    ['start, list shown (ms)', ({ usableMs }) => usableMs],
    ['start, CPU of all (ms)', ({ cpu }) => cpu.all * 1000],
    ['start, CPU of main (ms)', ({ cpu }) => cpu.main * 1000],
    ['start, CPU of the page (ms)', ({ cpu }) => cpu.page * 1000],
  ] satisfies [string, (start: Start) => number][])
    report(name, median(starts.ours.map(figure)), median(starts.bare.map(figure)));
  console.log(`start, longest block of main  ${describeBlock(starts.ours.map(({ block }) => block))}`);

  const bareStart = await start(() => launchIn(bareFolder, bareApp), 'A page');
  const oursStart = await start(() => launchIn(folder), 'Nothing in this list yet');
  const [bare, ours] = await Promise.all([idle(bareStart.launched), idle(oursStart.launched)]);
  for (const part of ['all', 'main', 'page', 'graphics'] as const)
    report(`memory, ${part} (MB)`, ours.memory[part], bare.memory[part]);
  report('idle, CPU of all (%)', ours.cpuPercent, bare.cpuPercent, 2);
  console.log(`idle, longest block of main   ${describeBlock([ours.block])}`);
}

/** @param text shown when the window can be used */
async function start(
  open: () => Promise<LaunchedApp>,
  text: string,
): Promise<{ launched: LaunchedApp; figures: Start }> {
  const startMs = Date.now();
  const launched = await open();
  await launched.page.getByText(text).waitFor();
  const block = await longestBlock(launched);
  const cpu = cpuSeconds(launched.process.pid ?? 0);
  const { paintAtMs, usableAtMs } = await paints(launched.page);
  return {
    launched,
    figures: { paintMs: paintAtMs - startMs, usableMs: usableAtMs - startMs, cpu, block },
  };
}

/** The first and the last of the page's contentful paints, by the wall clock. They are kept for whoever asks later. */
function paints(page: Page): Promise<{ paintAtMs: number; usableAtMs: number }> {
  return page.evaluate(
    () =>
      new Promise<{ paintAtMs: number; usableAtMs: number }>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const atMs = list.getEntries().map(({ startTime }) => performance.timeOrigin + startTime);
          resolve({ paintAtMs: Math.min(...atMs), usableAtMs: Math.max(...atMs) });
        });
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

async function idle(launched: LaunchedApp) {
  const { page, process } = launched;
  const pid = process.pid ?? 0;
  // The debugger costs CPU as well.
  await page.context().browser()?.close();
  await delay(settleMs);
  const [before, startMs] = [cpuSeconds(pid), performance.now()];
  await delay(idleMs);
  const cpuPercent = cpuSeconds(pid, before).all / ((performance.now() - startMs) / 100_000);
  const memory = memoryMb(pid);
  watchMain(launched);
  await delay(idleMs);
  const block = await longestBlock(launched);
  await launched.end();
  return { cpuPercent, memory, block };
}

const median = (figures: number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

function report(name: string, ours: number, bare: number, digits = 0): void {
  const [here, there] = [ours, bare].map((figure) => figure.toFixed(digits).padStart(7));
  console.log(`${name.padEnd(28)}${here}   bare window${there}   ratio ${(ours / bare).toFixed(1)}`);
}
