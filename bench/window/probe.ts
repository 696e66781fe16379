import type { Page } from 'playwright';
import { watchBlocks } from '../parts/blocks.ts';
import { processesOf, read } from '../parts/processes.ts';
import type { Launched } from '../../chromium-shell/testing/launch.ts';

/** Smoothness of the page: time between frames, and its longest task. */
export interface Smoothness {
  readonly frames: number;
  readonly worstFrameMs: number;
  readonly longTasks: number;
  readonly worstTaskMs: number;
}

/** Observes the page during `work`. Chromium reports tasks from 50 ms on. */
export async function watch(page: Page, work: () => Promise<void>): Promise<Smoothness> {
  const blocksSoFar = await watchBlocks(page);
  const seen = await page.evaluateHandle(() => {
    const noted = { frames: 0, worstFrameMs: 0, isOver: false };
    let lastMs = performance.now();
    const frame = (nowMs: number) => {
      noted.frames += 1;
      noted.worstFrameMs = Math.max(noted.worstFrameMs, nowMs - lastMs);
      lastMs = nowMs;
      if (!noted.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return noted;
  });
  await work();
  const { frames, worstFrameMs } = await seen.jsonValue();
  await seen.evaluate((noted) => (noted.isOver = true));
  const blocks = await blocksSoFar();
  const worstTaskMs = Math.max(0, ...blocks.map(({ startMs, endMs }) => endMs - startMs));
  return { frames, worstFrameMs, longTasks: blocks.length, worstTaskMs };
}

/** Resident memory of the window's page in MB: the largest renderer among its processes (Linux). */
export function pageMegabytes({ process: { pid = -1 } }: Launched): number {
  const renderers = [...processesOf(pid)].filter(([, command]) => command.includes('--type=renderer'));
  const residentKb = renderers.map(([id]) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${String(id)}/status`))?.[1] ?? 0),
  );
  return Math.max(0, ...residentKb) / 1000;
}

export function describe({ frames, worstFrameMs, longTasks, worstTaskMs }: Smoothness): string {
  return `${String(frames)} frames, worst ${worstFrameMs.toFixed(0)} ms; ${String(longTasks)} long tasks, worst ${worstTaskMs.toFixed(0)} ms`;
}

/** A line of the report, with the target if it was missed. */
export function report(name: string, value: number, unit: 'ms' | 'MB', target: number, more = ''): void {
  const verdict = value <= target ? '' : `   OVER ${String(target)} ${unit}`;
  console.log(`${name.padEnd(36)}${value.toFixed(0).padStart(8)} ${unit}${verdict}${more && `   ${more}`}`);
}

export async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
