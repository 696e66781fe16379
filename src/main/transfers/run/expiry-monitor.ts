import { warnBeforeMs } from '../../../shared/domain/limits.ts';
import { Emitter } from '../../lib/emitter.ts';
import { Sleeper } from '../../lib/timers.ts';
import type { Context } from './context.ts';
import { isWindowClosing, windowLeftMs, type ActiveTransfer } from '../model/active-transfer.ts';
import { deferredOf } from '../model/record.ts';
import type { Runner } from './run.ts';

export interface ClosingWarning {
  transferId: number;
  identifier: string;
  leftMs: number;
}

/** Checks at least this often, in case a clock has jumped. */
const longestNapMs = 15_000;
const leastNapMs = 250;
const saveTimeEveryMs = 60_000;

/**
 * Watches the 30-minute window of every deferred request: warns before it ends, and gives up requests that got no
 * answer for that long.
 */
export function createExpiryMonitor(
  deps: Pick<Context, 'active' | 'clock' | 'closing' | 'batcher' | 'log' | 'breakers'> & {
    readonly runner: Pick<Runner, 'loseIfSilent' | 'note'>;
    /** `isClosing` of the transfer has changed. */
    readonly onTouched: (entry: ActiveTransfer) => void;
  },
) {
  const { active, clock, closing, batcher, log, breakers, runner, onTouched } = deps;
  const closingSoon = new Emitter<[warning: ClosingWarning]>();
  const sleeper = new Sleeper(clock);
  let savedAtMs = clock.monotonicMs();

  /** Returns how long to sleep until the next check. */
  async function check(): Promise<number> {
    const now = batcher.now();
    let nextMs = longestNapMs;
    const due: { entry: ActiveTransfer; leftMs: number; warned: number }[] = [];
    for (const entry of active.values()) {
      const leftMs = windowLeftMs(entry.record, now);
      const deferred = deferredOf(entry.record);
      if (leftMs === null || !deferred) continue;
      const isClosing = isWindowClosing(entry.record, now);
      if (isClosing !== entry.isClosing) {
        entry.isClosing = isClosing;
        onTouched(entry);
      }
      const warned = warnBeforeMs.filter((beforeMs) => leftMs <= beforeMs).length;
      if (leftMs > 0 && warned > deferred.warned) due.push({ entry, leftMs, warned });
      const untilMs = leftMs - (warnBeforeMs[warned] ?? 0);
      if (untilMs > 0) nextMs = Math.min(nextMs, untilMs);
      if (breakers.of(entry.record.serviceId).state() !== 'ready') await runner.loseIfSilent(entry);
    }
    for (const { entry, leftMs, warned } of due) {
      const { state, id, identifier } = entry.record;
      if (!('deferred' in state) || !state.deferred) continue;
      await runner.note(entry, { ...state, deferred: { ...state.deferred, warned } });
      closingSoon.fire({ transferId: id, identifier, leftMs });
    }
    if (clock.monotonicMs() - savedAtMs >= saveTimeEveryMs) {
      savedAtMs = clock.monotonicMs();
      await batcher.saveTime();
    }
    return nextMs;
  }

  async function keepLooking(): Promise<void> {
    while (!closing.aborted) {
      const nextMs = await check().catch((cause: unknown) => {
        if (!closing.aborted) log.error('windows were not looked at', { cause });
        return longestNapMs;
      });
      await sleeper.sleep(Math.max(nextMs, leastNapMs), closing).catch(() => undefined);
    }
  }

  const looking = keepLooking();
  return {
    onClosing: closingSoon.event,
    wake: () => sleeper.wake(),
    ended: () => looking,
  };
}
