import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropFiles } from '../chromium-shell/testing/files.ts';
import { systemClock } from '../src/main/clock.ts';
import { settingsDefault } from '../src/shared/domain/settings.ts';
import type { UploadItem } from '../src/main/transfers/queue/record-factory.ts';
import { openEngine } from './parts/engine.ts';
import { startService, type BenchService } from './parts/service.ts';
import { openWindow, type BenchWindow } from './parts/window.ts';

const cases = [
  ['200 x 1 MB up', 200, 1_000_000],
  ['1,000 x 10 KB up', 1000, 10_000],
] as const;

/**
 * The same files dropped on the window (the build, in Chromium) and given to the engine alone: the time from the
 * first request to the last at the service. Arguments: rounds (3), and a substring of the measurements to run.
 */
export async function run([rounds = '3', part = '']: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = await startService();
  const engine = await openEngine(folder, service.baseAddress, settingsDefault.transfersAtOnce);
  const window = await openWindow(folder, service);
  try {
    for (const [name, number, sizeBytes] of cases.filter(([each]) => each.includes(part))) {
      const ours: number[] = [];
      const alone: number[] = [];
      for (let round = 0; round < Number(rounds); round += 1) {
        const forWindow = await engine.makeItems(number, sizeBytes);
        const forEngine = await engine.makeItems(number, sizeBytes);
        await service.answered();
        await engine.upload(forEngine);
        alone.push((await service.answered()).ms);
        ours.push(await upload(window, service, forWindow));
        await engine.removeFiles();
        service.forget();
      }
      report(name, Math.min(...ours), Math.min(...alone));
    }
  } finally {
    await window.close();
    await engine.close();
    service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Resolves to the time in which the service received requests, in ms. */
async function upload(
  { page, coffer }: BenchWindow,
  service: BenchService,
  items: readonly UploadItem[],
): Promise<number> {
  await dropFiles(
    page,
    items.map(({ path }) => path),
  );
  const label = `Upload ${items.length.toLocaleString('en')} objects`;
  const button = coffer.sheet.getByRole('button', { name: label, exact: true });
  await button.waitFor();
  await service.answered();
  await button.click();
  await coffer.showTab('Transfers');
  const done = page.getByRole('button', { name: 'Nothing is moving' });
  await coffer.transfersThat('upload', 'Done').first().waitFor();
  await done.waitFor({ timeout: 120_000 });
  // The last event arrives a moment later.
  await systemClock.delay(500);
  const { requests, ms } = await service.answered();
  if (requests !== items.length * 2) throw new Error(`${String(requests)} requests`);
  return ms;
}

function report(name: string, windowMs: number, engineMs: number): void {
  const ratio = (windowMs / engineMs).toFixed(2);
  console.log(
    `${name.padEnd(20)}${windowMs.toFixed(0).padStart(6)} ms   engine alone ${engineMs.toFixed(0)} ms   ratio ${ratio}`,
  );
}
