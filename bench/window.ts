import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './parts/service.ts';
import { openWindow, type BenchWindow } from './parts/window.ts';
import { drop } from './window/drop.ts';
import { measureMillion } from './window/million.ts';

/** Each is a file in window/, and gets an empty folder and the number of rows. */
const parts: Readonly<Record<string, (folder: string, rows: number) => Promise<void>>> = {
  drop: (folder) => inWindow(folder, (window) => drop(window, folder)),
  million: measureMillion,
};

/** The window's responsiveness (the build, in Chromium). Arguments: the part (all), rows of the list (1,000,000). */
export async function run([only = 'all', rows = '1000000']: string[]): Promise<void> {
  if (only !== 'all' && !(only in parts)) {
    throw new Error(`There is no part "${only}". There are: all, ${Object.keys(parts).join(', ')}`);
  }
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== 'all' && only !== name) continue;
    const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
    try {
      await measure(folder, Number(rows));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function inWindow(folder: string, measure: (window: BenchWindow) => Promise<void>): Promise<void> {
  const service = await startService();
  const window = await openWindow(folder, service);
  try {
    await measure(window);
  } finally {
    await window.close();
    service.stop();
  }
}
