import { Alarm } from '../../lib/timers.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Documents } from '../../database/documents.ts';
import { openDocument } from '../../database/collection.ts';
import { isOfData } from '../../database/soundness.ts';
import { databaseRetryMs } from '../model/failure-policy.ts';
import { batchSize } from '../model/batches.ts';
import { createDualClock, momentSchema, type Moment } from '../model/dual-clock.ts';
import type { Applied, Transition } from '../model/transition.ts';
import type { TransferStore } from '../model/store-types.ts';

/** Serialises and batches all record writes. */
export interface WriteBatcher {
  /**
   * Resolves when the change is durable. Changes gathered during a write, or shortly after, share the next one. While the disk refuses
   * (it is full), a write is retried until it succeeds. Rejects if the engine closes first, or if this change cannot be written
   * although others can.
   * @param isLazy may wait for the next write, and is merged into a later change of the same record
   */
  write(transition: Transition, isLazy?: boolean): Promise<Applied>;
  /** Resolves when everything added so far is durable. */
  written(): Promise<void>;
  /** The present moment by both clocks, continued over restarts. */
  readonly now: () => Moment;
  /** Saves the time for the next run. */
  saveTime(): Promise<void>;
}

/** Least time between the starts of two writes, since each waits for the disk, however little is written. */
const leastApartMs = 8;
/** Lazy changes are written after this long at the latest. */
const lazyMs = 100;

interface Gathered {
  readonly transition: Transition;
  readonly done: PromiseWithResolvers<Applied>;
}

export async function openWriteBatcher(deps: {
  store: Pick<TransferStore, 'apply'>;
  documents: Pick<Documents, 'get' | 'put'>;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  /** Moments recorded in the records of the last run: after a kill, the newest of all is the last known time. */
  moments: readonly Moment[];
}): Promise<WriteBatcher> {
  const { store, documents, clock, log, closing, moments } = deps;
  const savedTime = await openDocument<Moment | null>(documents, ['engine', 'time'], momentSchema, null);
  const saved = savedTime.get();
  const [before = null] = [...moments, ...(saved ? [saved] : [])].toSorted((a, b) => b.steadyMs - a.steadyMs);
  const time = createDualClock(clock, before);
  let gathered: Gathered[] = [];
  let writing: Promise<void> | null = null;
  let lastStartMs = -Infinity;
  /** When the gathered changes must be written. */
  let wantedMs = Infinity;
  const alarm = new Alarm(clock, begin);

  /** Merges a change into an earlier one of the same record that has no row change and no copies of a Replace. */
  function gather(transition: Transition): Gathered {
    const at = gathered.findLastIndex((other) => other.transition.id === transition.id);
    const before = gathered[at];
    const isLed =
      before !== undefined &&
      before.transition.row === undefined &&
      before.transition.replaceCopies === undefined;
    if (isLed) gathered.splice(at, 1);
    const merged: Gathered = isLed
      ? {
          transition: { ...transition, change: { ...before.transition.change, ...transition.change } },
          done: before.done,
        }
      : { transition, done: Promise.withResolvers<Applied>() };
    gathered.push(merged);
    return merged;
  }

  function plan(): void {
    if (writing || gathered.length === 0) return;
    const atMs = closing.aborted ? -Infinity : Math.max(wantedMs, lastStartMs + leastApartMs);
    if (atMs <= clock.monotonicMs()) begin();
    else alarm.setBy(atMs);
  }

  function begin(): void {
    alarm.cancel();
    // Start in a microtask, so that changes made at the same moment are included.
    writing ??= Promise.resolve()
      .then(writeGathered)
      .finally(() => {
        writing = null;
        plan();
      });
  }

  async function writeGathered(): Promise<void> {
    const batch = gathered.slice(0, batchSize);
    gathered = gathered.slice(batchSize);
    wantedMs = gathered.length > 0 ? -Infinity : Infinity;
    lastStartMs = clock.monotonicMs();
    await persist(batch);
  }

  async function persist(batch: readonly Gathered[]): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const applied = await store.apply(batch.map(({ transition }) => transition));
        batch.forEach(({ done }, index) =>
          done.resolve(applied[index] ?? { isThere: false, rowChanged: false }),
        );
        return;
      } catch (cause) {
        if (closing.aborted || (batch.length === 1 && isOfData(cause))) {
          for (const { done } of batch) done.reject(cause);
          return;
        }
        if (isOfData(cause)) return persistHalves(batch);
        if (isFirst) log.error('transfers cannot be written down', { cause });
        await clock.delay(databaseRetryMs, closing).catch(() => undefined);
      }
    }
  }

  /** Nothing of the batch was written: splits it to isolate the change that fails. */
  async function persistHalves(batch: readonly Gathered[]): Promise<void> {
    const middle = batch.length >> 1;
    await persist(batch.slice(0, middle));
    await persist(batch.slice(middle));
  }

  return {
    write(transition, isLazy = false) {
      const { done } = gather(transition);
      wantedMs = Math.min(wantedMs, isLazy ? clock.monotonicMs() + lazyMs : -Infinity);
      plan();
      return done.promise;
    },
    async written() {
      while (writing || gathered.length > 0) {
        wantedMs = -Infinity;
        lastStartMs = -Infinity;
        plan();
        await writing;
      }
    },
    now: () => time.now(),
    saveTime: () => savedTime.set(time.now()),
  };
}
