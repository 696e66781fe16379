import { listCopies } from './copies.ts';

const dayMs = 24 * 60 * 60 * 1000;
const lookEveryMs = 60 * 60 * 1000;

/** Looks soon after the start, and every hour, whether there is a copy of the last day, and if not makes one. */
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
      const atMs = nowMs();
      const isMade = listCopies(folder).some(({ madeAtMs }) => madeAtMs <= atMs && atMs - madeAtMs < dayMs);
      if (!isMade) await copy(stopping.signal);
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
