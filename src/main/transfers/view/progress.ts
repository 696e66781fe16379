import type { TransferProgress, TransferSummary } from '../../../shared/domain/transfer-summary.ts';
import { measureThroughput, timeLeftMs, type Throughput } from '../../../shared/domain/progress.ts';
import { Emitter } from '../../lib/emitter.ts';
import { Alarm } from '../../lib/timers.ts';
import type { Clock } from '../../ports.ts';
import { leftMsOf, type ActiveTransfer } from '../model/active-transfer.ts';
import { isFinishedState, storedTabOf, type EngineDirection } from '../model/record.ts';
import { type StateName, traitsOf } from '../model/state.ts';
import type { TransferCounts } from '../model/store-queries.ts';

/** Progress of running transfers, measured and sent four times a second. */
export interface Progress {
  readonly transferred: (entry: ActiveTransfer) => void;
  /** The result of a step is on the disk and in the counts. */
  readonly written: (entry: ActiveTransfer) => void;
  /** What the running transfers of a batch have moved so far, and how fast. */
  readonly ofBatch: (id: number) => BatchProgress;
  /** @param toMove the counts of everything that has bytes to move */
  overall(toMove: readonly TransferCounts[]): Pick<TransferSummary, 'bytesPerSecond' | 'leftMs' | 'fraction'>;
  readonly onProgress: (listener: (progress: TransferProgress) => void) => () => void;
}

export interface BatchProgress {
  readonly transferredBytes: number;
  readonly bytesPerSecond: number | null;
}

const everyMs = 250;

/** States in which a deferred request has bytes to move: not while the service processes it. */
const statesToMove: Record<EngineDirection, readonly StateName[]> = {
  upload: ['waiting', 'asking', 'numbering', 'sending', 'replacing'],
  download: ['completed', 'receiving'],
  delete: [],
};

/**
 * Whether bytes are still to be moved: for a deferred upload until it is sent, for a deferred download once its
 * result is ready.
 */
export function hasBytesToMove({
  tab,
  direction,
  state,
}: Pick<TransferCounts, 'tab' | 'direction' | 'state'>): boolean {
  if (tab === 'transfers') return !isFinishedState(state);
  return tab === 'jobs' && statesToMove[direction].includes(state);
}

export function createProgress(deps: {
  clock: Clock;
  closing: AbortSignal;
  running: () => Iterable<ActiveTransfer>;
}): Progress {
  const { clock, closing, running } = deps;
  const measured = new Emitter<[progress: TransferProgress]>();
  /** Per transfer: when bytes were last moved, and the total. */
  const seen = new WeakMap<ActiveTransfer, { atMs: number; doneBytes: number }>();
  let transferredBytes = 0;
  let transferredAtMs = 0;
  /** Bytes of transfers that ended since the list was last idle, so that the overall bar never goes back. */
  let finishedBytes = 0;
  /** Those whose bytes are in `finishedBytes`. */
  const finished = new WeakSet<ActiveTransfer>();
  /** The last count. Bytes moved since are added; ends and new transfers show only in the next count. */
  let counted = { isIdle: true, doneBytes: 0, totalBytes: 0, transferredBytes: 0 };
  let pace: Throughput | null = null;
  /** Per moving batch: when bytes were last moved, the total, and the speed. */
  const batches = new Map<number, { atMs: number; doneBytes: number; pace: Throughput | null }>();
  let isMoving = false;
  const alarm = new Alarm(clock, tell);
  closing.addEventListener('abort', () => alarm.cancel(), { once: true });

  function plan(): void {
    if (!alarm.isSet && !closing.aborted) alarm.setAfter(everyMs);
  }

  function tell(): void {
    const nowMs = clock.monotonicMs();
    const begun = [...running()].filter(({ doneBytes }) => doneBytes > 0);
    const moving = begun.filter(({ run }) => !run?.hasTransferred);
    for (const entry of moving) {
      const sample = seen.get(entry);
      if (sample) entry.pace = measureThroughput(entry.pace, nowMs, sample);
    }
    isMoving = moving.length > 0;
    const transferred = transferredOf(begun);
    for (const [id, sample] of batches) {
      if (transferred.has(id)) sample.pace = measureThroughput(sample.pace, nowMs, sample);
      else batches.delete(id);
    }
    // Keep the pace, although it is not shown, while files only wait for their end.
    const latest = { atMs: transferredAtMs, doneBytes: transferredBytes };
    pace = begun.length > 0 ? measureThroughput(pace, nowMs, latest) : null;
    // Keep measuring a stalled transfer, so that its speed falls, and reporting one that only waits for its end.
    if (begun.length > 0) plan();
    const entries = begun.map((entry) => ({
      id: entry.record.id,
      objectId: entry.record.objectId,
      doneBytes: entry.doneBytes,
      totalBytes: entry.totalBytes,
      bytesPerSecond: entry.pace?.bytesPerSecond ?? null,
      leftMs: leftMsOf(entry),
    }));
    measured.fire({
      entries,
      batches: [...transferred.keys()].map((id) => ({ id, ...ofBatch(id, transferred) })),
      ...sinceCounted(),
    });
  }

  function ofBatch(id: number, transferred: ReadonlyMap<number, number>): BatchProgress {
    const bytesPerSecond = batches.get(id)?.pace?.bytesPerSecond ?? null;
    return { transferredBytes: transferred.get(id) ?? 0, bytesPerSecond };
  }

  function sinceCounted(): ReturnType<Progress['overall']> {
    const { isIdle, totalBytes } = counted;
    const doneBytes = Math.min(counted.doneBytes + transferredBytes - counted.transferredBytes, totalBytes);
    const bytesPerSecond = isMoving ? (pace?.bytesPerSecond ?? null) : null;
    return {
      bytesPerSecond,
      leftMs: timeLeftMs(bytesPerSecond, totalBytes - doneBytes),
      fraction: isIdle ? null : totalBytes === 0 ? 0 : doneBytes / totalBytes,
    };
  }

  return {
    transferred(entry) {
      const { doneBytes } = entry;
      const newBytes = doneBytes - (seen.get(entry)?.doneBytes ?? 0);
      const atMs = clock.monotonicMs();
      seen.set(entry, { atMs, doneBytes });
      if (newBytes > 0) {
        transferredBytes += newBytes;
        transferredAtMs = atMs;
        const { batch } = entry.record;
        if (batch !== undefined) {
          const sample = batches.get(batch);
          const doneBytes = (sample?.doneBytes ?? 0) + newBytes;
          batches.set(batch, { atMs, doneBytes, pace: sample?.pace ?? null });
        }
      }
      plan();
    },
    written(entry) {
      const { record, doneBytes } = entry;
      const { direction, state } = record;
      const isMoved =
        doneBytes > 0 && !hasBytesToMove({ tab: storedTabOf(record), direction, state: state.name });
      if (!isMoved || traitsOf(state).isRetryable || finished.has(entry)) return;
      finished.add(entry);
      finishedBytes += record.totalBytes ?? 0;
    },
    ofBatch: (id) => ofBatch(id, transferredOf(running())),
    overall(toMove) {
      // Transfers that only wait for an answer do not keep the overall bar.
      const isIdle = toMove.every(({ state }) => state === 'asking');
      if (isIdle) finishedBytes = 0;
      let doneBytes = finishedBytes;
      for (const entry of running()) if (!finished.has(entry)) doneBytes += entry.doneBytes;
      const totalBytes = finishedBytes + toMove.reduce((sum, each) => sum + each.totalBytes, 0);
      counted = { isIdle, doneBytes, totalBytes, transferredBytes };
      return sinceCounted();
    },
    onProgress: measured.event,
  };
}

/** By batch. */
function transferredOf(entries: Iterable<ActiveTransfer>): Map<number, number> {
  const transferred = new Map<number, number>();
  for (const { record, doneBytes } of entries) {
    if (record.batch !== undefined)
      transferred.set(record.batch, (transferred.get(record.batch) ?? 0) + doneBytes);
  }
  return transferred;
}
