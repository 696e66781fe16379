import type { Client } from '../../../app/client.ts';

/** How much the page may grow while a document is drawn or a video is played. */
const limitBytes = 512 * 1024 * 1024;
/** Time in ms between two looks at the memory. */
const everyMs = 50;

/** The reason of the signal. */
export class MemoryExceeded extends Error {}

/**
 * Chromium limits no thread's or decoder's memory, and tells the page nothing of it: the process is measured from outside, from now until
 * a signal.
 * @returns a signal that is aborted when the page has grown too much, or cannot be measured
 */
export function limitMemory(client: Client, until: AbortSignal): AbortSignal {
  const exceeded = new AbortController();
  async function watch(): Promise<void> {
    let leastBytes = Infinity;
    while (!until.aborted) {
      const nowBytes = await client.memoryBytes();
      // What was ended before is still being freed.
      leastBytes = Math.min(leastBytes, nowBytes);
      if (nowBytes - leastBytes > limitBytes) throw new MemoryExceeded();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
  watch().catch((cause: unknown) => exceeded.abort(cause));
  return exceeded.signal;
}
