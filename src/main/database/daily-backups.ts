import { systemClock } from '../clock.ts';
import { everyHour } from '../lib/timers.ts';
import { listCopies } from './backups.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** @param elapsedMs until the copy was checked and had its name */
export type OnCopyMade = (elapsedMs: number, bytes: number) => void;

/** Makes a copy unless there is one of the last day; checks soon after the start, and every hour. */
export function keepDailyCopies({
  folder,
  nowMs,
  copy,
  firstCopyAfterMs = 60_000,
  onCopyMade,
  onCopyFailed,
}: {
  folder: string;
  nowMs: () => number;
  /** Resolves with the size of the copy in bytes. */
  copy: (signal: AbortSignal) => Promise<number>;
  firstCopyAfterMs?: number;
  onCopyMade?: OnCopyMade;
  onCopyFailed?: (error: unknown) => void;
}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function look(): Promise<void> {
    const atMs = nowMs();
    const isMade = listCopies(folder).some(({ madeAtMs }) => madeAtMs <= atMs && atMs - madeAtMs < dayMs);
    if (isMade) return;
    const begunMs = systemClock.monotonicMs();
    const bytes = await copy(stopping.signal);
    onCopyMade?.(Math.round(systemClock.monotonicMs() - begunMs), bytes);
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
