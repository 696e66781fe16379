import { systemClock } from '../clock.ts';
import { everyHour } from '../lib/timers.ts';
import { listCopies } from './backups.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Makes a copy unless there is one of the last day; checks soon after the start, and every hour. */
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
  async function look(): Promise<void> {
    const atMs = nowMs();
    const isMade = listCopies(folder).some(({ madeAtMs }) => madeAtMs <= atMs && atMs - madeAtMs < dayMs);
    if (!isMade) await copy(stopping.signal);
  }
  const looking = everyHour(
    systemClock,
    look,
    (cause) => {
      if (!stopping.signal.aborted) onCopyFailed?.(cause);
    },
    firstCopyAfterMs,
  );
  return {
    async stop() {
      stopping.abort();
      await looking.close();
    },
  };
}
