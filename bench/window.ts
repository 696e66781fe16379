import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './parts/service.ts';
import { openWindow, type BenchWindow } from './parts/window.ts';
import { drop } from './window/drop.ts';

/** Each is a file below window/, and gets a window of its own and an empty folder. */
const parts: Readonly<Record<string, (window: BenchWindow, folder: string) => Promise<void>>> = { drop };

/** What a person feels in the window (what was built, in Chromium). Arguments: the part (all of them). */
export async function run([only]: string[]): Promise<void> {
  if (only !== undefined && !(only in parts)) {
    throw new Error(`There is no part "${only}". There are: ${Object.keys(parts).join(', ')}`);
  }
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
    const service = await startService();
    const window = await openWindow(folder, service);
    try {
      await measure(window, folder);
    } finally {
      await window.close();
      service.stop();
      await rm(folder, { recursive: true });
    }
  }
}
