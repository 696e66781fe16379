import type { TransferProgress, TransferSummary } from '../../../shared/domain/transfer.ts';
import { measureThroughput, timeLeftMs, type Throughput } from '../../../shared/domain/progress.ts';
import { Emitter } from '../../lib/emitter.ts';
import { Alarm } from '../../lib/timers.ts';
import type { Clock } from '../../ports.ts';
import { leftMsOf, measure, type ActiveTransfer } from '../model/active-transfer.ts';

/** Progress of moving transfers: measured four times a second, and sent as a delta for what is on screen. */
export interface Progress {
  readonly moved: (entry: ActiveTransfer) => void;
  finished(totalBytes: number): void;
  overall(
    unfinished: number,
    unfinishedBytes: number,
  ): Pick<TransferSummary, 'bytesPerSecond' | 'leftMs' | 'fraction'>;
  readonly onProgress: (listener: (progress: TransferProgress) => void) => () => void;
}

const everyMs = 250;

export function createProgress(deps: {
  clock: Clock;
  closing: AbortSignal;
  running: () => Iterable<ActiveTransfer>;
}): Progress {
  const { clock, closing, running } = deps;
  const measured = new Emitter<[progress: TransferProgress]>();
  const seenBytes = new WeakMap<ActiveTransfer, number>();
  let movedBytes = 0;
  /** Bytes of transfers finished since the list was last idle, so that the overall bar never goes back when a file is done. */
  let finishedBytes = 0;
  let last = { unfinished: 0, unfinishedBytes: 0 };
  let pace: Throughput | null = null;
  const alarm = new Alarm(clock, tell);
  closing.addEventListener('abort', () => alarm.cancel(), { once: true });

  function plan(): void {
    if (!alarm.isSet && !closing.aborted) alarm.setAfter(everyMs);
  }

  function tell(): void {
    const nowMs = clock.monotonicMs();
    const begun = [...running()].filter(({ doneBytes }) => doneBytes > 0);
    const moving = begun.filter(({ run }) => !run?.hasMoved);
    for (const entry of moving) measure(entry, nowMs);
    pace = moving.length > 0 ? measureThroughput(pace, nowMs, movedBytes) : null;
    // Keep measuring a stalled transfer, so that its speed falls, and telling of one that only waits for its end.
    if (begun.length > 0) plan();
    const entries = begun.map((entry) => ({
      id: entry.record.id,
      objectId: entry.record.objectId,
      doneBytes: entry.doneBytes,
      totalBytes: entry.totalBytes,
      bytesPerSecond: entry.pace?.bytesPerSecond ?? null,
      leftMs: leftMsOf(entry),
    }));
    const progress = { entries, ...overall(last.unfinished, last.unfinishedBytes) };
    measured.fire(progress);
  }

  function overall(unfinished: number, unfinishedBytes: number): ReturnType<Progress['overall']> {
    last = { unfinished, unfinishedBytes };
    if (unfinished === 0) finishedBytes = 0;
    let doneBytes = finishedBytes;
    for (const entry of running()) doneBytes += entry.doneBytes;
    const totalBytes = finishedBytes + unfinishedBytes;
    const bytesPerSecond = pace?.bytesPerSecond ?? null;
    return {
      bytesPerSecond,
      leftMs: timeLeftMs(bytesPerSecond, Math.max(totalBytes - doneBytes, 0)),
      fraction: unfinished === 0 ? null : totalBytes === 0 ? 0 : Math.min(doneBytes / totalBytes, 1),
    };
  }

  return {
    moved(entry) {
      movedBytes += Math.max(entry.doneBytes - (seenBytes.get(entry) ?? 0), 0);
      seenBytes.set(entry, entry.doneBytes);
      plan();
    },
    finished(totalBytes) {
      finishedBytes += totalBytes;
    },
    overall,
    onProgress: measured.event,
  };
}
