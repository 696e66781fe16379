import type { Clock, Log } from '../ports.ts';
import type { Documents } from '../catalogue/catalogue.ts';
import { createSteadyTime, momentSchema, type Moment } from './steady-time.ts';
import type { Applied, Transition, TransferStore } from './store-types.ts';

/** The way of every change of a record to the disk, in the order in which they were made. */
export interface Journal {
  /**
   * Resolves when it is durable. What gathers while one write is under way goes together into the next; a write that fails
   * (a full disk) is tried again until it succeeds or everything ends: then it rejects.
   */
  write(transition: Transition): Promise<Applied>;
  /** Resolves when everything that was handed over until now is durable. */
  written(): Promise<void>;
  /** By both clocks, going on over restarts. */
  readonly now: () => Moment;
  /** Writes the time down, for the next run. */
  saveTime(): Promise<void>;
}

const collection = 'engine';
const timeKey = 'time';
const retryMs = 1000;
/** More in one transaction would keep others waiting. */
const mostAtOnce = 500;

export async function openJournal(deps: {
  store: Pick<TransferStore, 'apply'>;
  documents: Pick<Documents, 'get' | 'put'>;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  /** Moments that records of the last run have written down: after a kill the newest of all is the last known. */
  moments: readonly Moment[];
}): Promise<Journal> {
  const { store, documents, clock, log, closing, moments } = deps;
  const saved = momentSchema
    .nullable()
    .catch(null)
    .parse((await documents.get(collection, timeKey)) ?? null);
  const [before = null] = [...moments, ...(saved ? [saved] : [])].toSorted((a, b) => b.steadyMs - a.steadyMs);
  const time = createSteadyTime(clock, before);
  let gathered: { transition: Transition; done: PromiseWithResolvers<Applied> }[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    // What is handed over in the same moment goes along.
    await Promise.resolve();
    while (gathered.length > 0) {
      const batch = gathered.slice(0, mostAtOnce);
      gathered = gathered.slice(mostAtOnce);
      try {
        const applied = await persist(batch.map(({ transition }) => transition));
        batch.forEach(({ done }, index) =>
          done.resolve(applied[index] ?? { isThere: false, rowChanged: false }),
        );
      } catch (cause) {
        for (const { done } of batch) done.reject(cause);
      }
    }
    // In the moment in which nothing is left: what comes from now on begins the next.
    writing = null;
  }

  async function persist(transitions: readonly Transition[]): Promise<Applied[]> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await store.apply(transitions);
      } catch (cause) {
        if (isFirst) log.error('transfers cannot be written down', { cause });
        if (closing.aborted) throw cause;
        await clock.delay(retryMs, closing).catch(() => undefined);
      }
    }
  }

  return {
    write(transition) {
      const done = Promise.withResolvers<Applied>();
      gathered.push({ transition, done });
      writing ??= writeAll();
      return done.promise;
    },
    async written() {
      while (writing) await writing;
    },
    now: () => time.now(),
    saveTime: () => documents.put(collection, timeKey, time.now()),
  };
}
