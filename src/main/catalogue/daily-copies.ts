import { listCopies } from './copies.ts';

const dayMs = 24 * 60 * 60 * 1000;
const lookEveryMs = 60 * 60 * 1000;

/** Looks soon after the start, and every hour, whether the newest copy is a day old, and makes another. */
export function keepDailyCopies({
  folder,
  nowMs,
  copy,
  firstCopyAfterMs = 60_000,
  onCopyFailed,
}: {
  folder: string;
  nowMs: () => number;
  copy: (signal: AbortSignal) => Promise<void>;
  firstCopyAfterMs?: number;
  onCopyFailed?: (error: unknown) => void;
}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();
  const lookIn = (delayMs: number) => {
    timer = setTimeout(() => {
      running = look().finally(() => {
        if (!stopping.signal.aborted) lookIn(lookEveryMs);
      });
    }, delayMs);
    timer.unref();
  };
  const look = async () => {
    try {
      const newest = listCopies(folder)[0];
      if (newest === undefined || nowMs() - newest.madeAtMs >= dayMs) await copy(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) onCopyFailed?.(error);
    }
  };
  lookIn(firstCopyAfterMs);
  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}
