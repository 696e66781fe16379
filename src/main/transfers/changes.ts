import { measurePace, timeLeftMs, type Pace } from '../../shared/domain/progress.ts';
import type { TransferSummary } from '../../shared/domain/transfer.ts';
import type { Clock } from '../ports.ts';
import type { Entry } from './entry.ts';
import type { TransferList } from './transfer-list.ts';

/** Ten a second. */
const leastApartMs = 100;

/** Tells of changes, together and not too often, and measures speed while it does. */
export interface Changes {
  readonly touch: () => void;
  readonly summary: () => TransferSummary;
  readonly onChanged: (listener: (summary: TransferSummary) => void) => () => void;
}

export interface ChangesOptions {
  readonly clock: Clock;
  readonly closing: AbortSignal;
  readonly list: () => TransferList;
  readonly movedBytes: () => number;
  readonly tokenRefused: () => string[];
}

export function createChanges({ clock, closing, list, movedBytes, tokenRefused }: ChangesOptions): Changes {
  const listeners = new Set<(summary: TransferSummary) => void>();
  let revision = 0;
  let isPlanned = false;
  let pace: Pace | null = null;

  function touch(): void {
    revision += 1;
    if (isPlanned || closing.aborted) return;
    isPlanned = true;
    clock.delay(leastApartMs, closing).then(tell, () => undefined);
  }

  function tell(): void {
    isPlanned = false;
    const moving = list().group('moving');
    for (const entry of moving.values()) measure(entry);
    pace = moving.size > 0 ? measurePace(pace, clock.monotonicMs(), movedBytes()) : null;
    // What stands still must be seen to: its speed falls.
    if (moving.size > 0) touch();
    const current = summary();
    for (const listener of listeners) listener(current);
  }

  function measure(entry: Entry): void {
    const { transfer } = entry;
    entry.pace = measurePace(entry.pace, clock.monotonicMs(), transfer.doneBytes);
    const { bytesPerSecond } = entry.pace;
    const leftBytes = transfer.totalBytes === null ? null : transfer.totalBytes - transfer.doneBytes;
    Object.assign(transfer, { bytesPerSecond, leftMs: timeLeftMs(bytesPerSecond, leftBytes) });
  }

  function summary(): TransferSummary {
    const { doneBytes, totalBytes, unfinished } = list().totals();
    const sizeOf = (group: 'needsYou' | 'moving' | 'waiting' | 'done') => list().group(group).size;
    const failed = list().failed();
    const bytesPerSecond = pace?.bytesPerSecond ?? null;
    return {
      revision,
      counts: {
        needsYou: sizeOf('needsYou'),
        moving: sizeOf('moving'),
        waiting: sizeOf('waiting'),
        done: sizeOf('done'),
      },
      failed,
      unanswered: sizeOf('needsYou') - failed,
      bytesPerSecond,
      leftMs: timeLeftMs(bytesPerSecond, totalBytes - doneBytes),
      fraction: unfinished === 0 ? null : totalBytes === 0 ? 0 : Math.min(doneBytes / totalBytes, 1),
      tokenRefused: tokenRefused(),
    };
  }

  return {
    touch,
    summary,
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
