import { warnBeforeMs } from '../../shared/domain/job.ts';
import type { Context } from './context.ts';
import { isFollowed, windowLeftMs, type Entry } from './entry.ts';

export interface Warning {
  jobId: string;
  identifier: string;
  leftMs: number;
}

/** Keeps an eye on all windows, and writes down what changes without a change of state. */
export interface Minder {
  readonly onClosing: (listener: (warning: Warning) => void) => () => void;
  /** Looks at once. */
  readonly wake: () => void;
  /** `closing` must be aborted. */
  readonly ended: () => Promise<void>;
}

/** Windows are looked at this often at the least: clocks may jump. */
const longestNapMs = 15_000;
const leastNapMs = 250;
/** Checks and uses of tokens are written down together, this far apart. */
const writeEveryMs = 60_000;

export function createMinder({ clock, closing, journal, list, log }: Omit<Context, 'lanes'>): Minder {
  const listeners = new Set<(warning: Warning) => void>();
  let alarm = new AbortController();
  let writtenAtMs = clock.monotonicMs();

  /** Answers how long nothing new is to be expected. */
  async function look(): Promise<number> {
    const now = journal.now();
    let nextMs = longestNapMs;
    const due: { entry: Entry; leftMs: number; warned: number }[] = [];
    list.judgeClosing();
    for (const entry of list.all()) {
      const leftMs = windowLeftMs(entry.record, now);
      if (leftMs === null) continue;
      const warned = warnBeforeMs.filter((beforeMs) => leftMs <= beforeMs).length;
      if (leftMs > 0 && warned > entry.record.warned) due.push({ entry, leftMs, warned });
      const untilMs = leftMs - (warnBeforeMs[warned] ?? 0);
      if (untilMs > 0) nextMs = Math.min(nextMs, untilMs);
    }
    for (const { entry, leftMs, warned } of due) {
      await list.note(entry, { warned });
      if (!isFollowed(entry.record)) continue;
      const { id: jobId, identifier } = entry.record;
      for (const listener of listeners) listener({ jobId, identifier, leftMs });
    }
    if (clock.monotonicMs() - writtenAtMs >= writeEveryMs) await writeDown();
    return nextMs;
  }

  async function writeDown(): Promise<void> {
    writtenAtMs = clock.monotonicMs();
    const unwritten = [...list.all()].filter((entry) => entry.isUnwritten);
    for (const entry of unwritten) entry.isUnwritten = false;
    if (unwritten.length > 0) await journal.write(unwritten.map(({ record }) => record));
  }

  async function keepLooking(): Promise<void> {
    while (!closing.aborted) {
      alarm = new AbortController();
      const signal = AbortSignal.any([closing, alarm.signal]);
      const nextMs = await look().catch((cause: unknown) => {
        if (!closing.aborted) log.error('windows were not looked at', { cause });
        return longestNapMs;
      });
      await clock.delay(Math.max(nextMs, leastNapMs), signal).catch(() => undefined);
    }
  }

  const looking = keepLooking();
  return {
    onClosing(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wake: () => alarm.abort(),
    async ended() {
      await looking;
      await writeDown().catch((cause: unknown) => log.error('jobs are not written down', { cause }));
    },
  };
}
