import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setImmediate as setImmediatePromise } from 'node:timers/promises';
import { maxParts, writeManifest } from '../src/main/transfers/parts/manifest.ts';
import { readManifest } from '../src/main/transfers/parts/read-manifest.ts';

/**
 * How long a large manifest, which anybody could store, blocks the main thread, compared with `JSON.parse` of the
 * same text. Argument: rounds (5).
 */
export async function run([rounds = '5']: string[]): Promise<void> {
  for (const count of [maxParts, 3 * maxParts]) {
    const text = writeManifest({
      base: 'films/launch.mov',
      size: count,
      sha256: hash('sha256', ''),
      split: { method: 'fixed', bytes: 1 },
      name: 'launch.mov',
      modified: '',
      classification: null,
      created: '',
      client: '',
      upload: '0'.repeat(32),
      digests: Array.from({ length: count }, (_, index) => hash('sha256', String(index))),
    });
    const bytes = Buffer.from(text);
    const ours: number[] = [];
    const parsed: number[] = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      ours.push(await longestHoldMs(() => readManifest(bytes, 'films/launch.mov')));
      parsed.push(await longestHoldMs(async () => JSON.parse(text) as unknown));
    }
    const [own, parse] = [Math.min(...ours), Math.min(...parsed)];
    console.log(
      `${count.toLocaleString('en')} entries, ${(bytes.length / 1e6).toFixed(0)} MB: the thread is held for ` +
        `${own.toFixed(0)} ms at the most, by JSON.parse ${parse.toFixed(0)} ms: ${(own / parse).toFixed(2)}`,
    );
  }
}

/** The longest time between two turns of the event loop, in ms. */
async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  let lastMs = performance.now();
  const look = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await setImmediatePromise();
  await work();
  await setImmediatePromise();
  isOver = true;
  return longestMs;
}
