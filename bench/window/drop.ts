import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dropFiles } from '../../chromium-shell/testing/files.ts';
import { watchBlocks } from '../parts/blocks.ts';
import { startService } from '../parts/service.ts';
import { openWindow } from '../parts/window.ts';

const number = 10_000;

/**
 * 10,000 files dropped one by one, compared with dropping their folder: the time until all can be uploaded, and the
 * longest time in which the page does not respond. The time that Chromium needs before the page gets the drop is
 * reported separately.
 */
export async function measureDrop(folder: string): Promise<void> {
  const service = await startService();
  const window = await openWindow(folder, service);
  const { page, coffer } = window;
  const below = join(folder, 'many');
  await mkdir(below);
  const paths = Array.from({ length: number }, (_, at) => join(below, `file-${at}.txt`));
  for (const path of paths) await writeFile(path, path);

  async function measure(name: string, dropped: string[]): Promise<void> {
    const blocksSoFar = await watchBlocks(page);
    const heard = await page.evaluateHandle(() => {
      const drop = { atMs: 0 };
      addEventListener('drop', () => (drop.atMs = performance.now()), { capture: true, once: true });
      return drop;
    });
    await dropFiles(page, dropped);
    const ended = await page.waitForFunction(
      (label) => {
        const button = document.querySelector<HTMLButtonElement>('[role="dialog"] .btn--primary');
        return button?.textContent.startsWith(label) === true && !button.disabled && performance.now();
      },
      `Upload ${number.toLocaleString('en')} objects`,
      { polling: 20, timeout: 120_000 },
    );
    const usableMs = Number(await ended.jsonValue());
    const { atMs } = await heard.jsonValue();
    const all = await blocksSoFar();
    const madeMs =
      atMs - Math.min(atMs, ...all.filter(({ endMs }) => endMs > atMs).map(({ startMs }) => startMs));
    const blocks = all
      .filter((each) => each.endMs > atMs + 50)
      .map((each) => each.endMs - Math.max(atMs, each.startMs));
    console.log(
      `${name.padEnd(24)}${(usableMs - atMs).toFixed(0).padStart(6)} ms   longest block ${Math.max(
        0,
        ...blocks,
      )
        .toFixed(0)
        .padStart(4)} ms   ` +
        `${String(blocks.length).padStart(3)} over 50 ms   before it ${madeMs.toFixed(0)} ms`,
    );
    await coffer.sheet.getByRole('button', { name: 'Cancel' }).click();
    await coffer.sheet.waitFor({ state: 'hidden' });
  }

  try {
    await measure('10,000 files', paths);
    await measure('a folder of 10,000', [below]);
  } finally {
    await window.close();
    service.stop();
  }
}
