import { dropFiles } from '../../chromium-shell/testing/files.ts';
import { systemClock } from '../../src/main/clock.ts';
import type { UploadItem } from '../../src/main/transfers/queue/record-factory.ts';
import { uploadBare } from '../parts/bare-client.ts';
import { postWithCurl } from '../parts/curl.ts';
import { openEngine } from '../parts/engine.ts';
import { cpuSeconds, type ByProcess } from '../parts/processes.ts';
import { startService, type BenchService } from '../parts/service.ts';
import {
  describeBlock,
  longestBlock,
  openWindow,
  watchMain,
  type BenchWindow,
  type MainBlock,
} from '../parts/window.ts';

const cases = [
  ['120 x 1 MB up', 120, 1_000_000],
  ['1,500 x 8 KB up', 1500, 8000],
  ['6 x 48 MB up', 6, 48_000_000],
] as const;

interface Figures {
  /** From the press of *Upload* to the last answer, and to the first request. */
  readonly ms: number;
  readonly firstMs: number;
  /** Of the whole application, by process. */
  readonly cpu: ByProcess;
  /** Of the main process. */
  readonly block: MainBlock;
}

/**
 * The same files dropped on the window, given to the engine alone, given to a bare client on Node, and posted by
 * `curl --parallel`, which sends no HEAD.
 */
export async function measureTransfers(folder: string, { rounds }: { rounds: number }): Promise<void> {
  const service = await startService();
  const transfersAtOnce = 4;
  const engine = await openEngine(folder, service.baseAddress, transfersAtOnce);
  const window = await openWindow(folder, service);
  try {
    for (const [name, number, sizeBytes] of cases) {
      const ours: Figures[] = [];
      const alone: number[] = [];
      const bare: number[] = [];
      const curl: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const items = await engine.makeItems(number, sizeBytes);
        const startMs = performance.now();
        await postWithCurl(folder, service.baseAddress, transfersAtOnce, items);
        curl.push(performance.now() - startMs);
        service.forget();
        const bareStartMs = performance.now();
        await uploadBare(service.baseAddress, transfersAtOnce, items);
        bare.push(performance.now() - bareStartMs);
        service.forget();
        await service.answered();
        await engine.upload(items);
        alone.push((await service.answered()).ms);
        service.forget();
        const forWindow = await engine.makeItems(number, sizeBytes);
        ours.push(await upload(window, service, forWindow));
        await engine.removeFiles();
        service.forget();
      }
      report(name, ours, {
        engineMs: Math.min(...alone),
        bareMs: Math.min(...bare),
        curlMs: Math.min(...curl),
      });
    }
  } finally {
    await window.close();
    await engine.close();
    service.stop();
  }
}

async function upload(
  { launched, page, pid, coffer }: BenchWindow,
  service: BenchService,
  items: readonly UploadItem[],
): Promise<Figures> {
  await dropFiles(
    page,
    items.map(({ path }) => path),
  );
  const label = `Upload ${items.length.toLocaleString('en')} objects`;
  const button = coffer.sheet.getByRole('button', { name: label, exact: true });
  await button.waitFor();
  // Hashing in the sheet is not part of the upload.
  await systemClock.delay(1000);
  await service.answered();
  const pressed = await page.evaluateHandle(() => {
    const noted = { atMs: 0 };
    const note = () => (noted.atMs = performance.timeOrigin + performance.now());
    addEventListener('click', note, { capture: true, once: true });
    return noted;
  });
  watchMain(launched);
  const cpuBefore = cpuSeconds(pid);
  await button.click();
  await service.requested(items.length * 2);
  await systemClock.delay(500);
  const cpu = cpuSeconds(pid, cpuBefore);
  const block = await longestBlock(launched);
  const { atMs } = await pressed.jsonValue();
  const { requests, firstAtMs, lastAtMs } = await service.answered();
  if (requests !== items.length * 2) throw new Error(`${String(requests)} requests`);
  await page.getByRole('button', { name: 'No transfers' }).waitFor();
  return { ms: lastAtMs - atMs, firstMs: firstAtMs - atMs, cpu, block };
}

function report(
  name: string,
  ours: readonly Figures[],
  { engineMs, bareMs, curlMs }: { engineMs: number; bareMs: number; curlMs: number },
): void {
  const ms = Math.min(...ours.map((each) => each.ms));
  const firstMs = Math.min(...ours.map((each) => each.firstMs));
  const [best] = ours.toSorted((a, b) => a.cpu.all - b.cpu.all);
  console.log(
    [
      name.padEnd(17),
      `${ms.toFixed(0)} ms`.padStart(9),
      `   curl ${curlMs.toFixed(0)} ms, ratio ${(ms / curlMs).toFixed(2)}`,
      `   bare ${bareMs.toFixed(0)} ms, ratio ${(ms / bareMs).toFixed(2)}`,
      `   engine alone ${engineMs.toFixed(0)} ms`,
      `   first request after ${firstMs.toFixed(0)} ms`,
      `   CPU ${
        best
          ? Object.entries(best.cpu)
              .map(([of, seconds]) => `${of} ${seconds.toFixed(2)}`)
              .join(', ')
          : ''
      } s`,
      `   longest block of main ${describeBlock(ours.map((each) => each.block))}`,
    ].join(''),
  );
}
