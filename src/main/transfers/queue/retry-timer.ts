import { Sleeper } from '../../lib/timers.ts';
import type { Clock } from '../../ports.ts';
import type { Limits } from './limits/limits.ts';
import type { TransferStore } from '../model/store-types.ts';

/** Wakes records in the database when their retry is due, and applies the hourly limits. */
export interface RetryTimer {
  begin(): void;
  /** A record waits in the database until then. @param atMs wall clock */
  expect(atMs: number): void;
  /** Resolves when it has stopped; `closing` must be aborted. */
  ended(): Promise<void>;
}

const leastNapMs = 100;
/** Checks at least this often, in case a clock has jumped. */
const longestNapMs = 60_000;

export function createRetryTimer(deps: {
  store: Pick<TransferStore, 'nextDueMs'>;
  limits: Pick<Limits, 'changesAtMs' | 'changed'>;
  clock: Clock;
  closing: AbortSignal;
  /** A retry is due, or the hours have changed. */
  onDue: () => void;
  onFailed: (cause: unknown) => void;
}): RetryTimer {
  const { store, limits, clock, closing, onDue, onFailed } = deps;
  let untilMs = Infinity;
  const sleeper = new Sleeper(clock);

  async function watch(): Promise<void> {
    while (!closing.aborted) {
      const hourMs = limits.changesAtMs() ?? Infinity;
      const dueMs = (await store.nextDueMs()) ?? Infinity;
      untilMs = Math.min(hourMs, dueMs);
      const napMs = Math.min(Math.max(untilMs - clock.nowMs(), leastNapMs), longestNapMs);
      await sleeper.sleep(napMs, closing);
      if (hourMs <= clock.nowMs()) limits.changed();
      if (untilMs <= clock.nowMs()) onDue();
    }
  }

  let watching: Promise<void> | null = null;
  return {
    begin() {
      watching ??= watch().catch((cause: unknown) => {
        if (!closing.aborted) onFailed(cause);
      });
    },
    expect(atMs) {
      if (atMs < untilMs) sleeper.wake();
    },
    async ended() {
      await watching;
    },
  };
}
