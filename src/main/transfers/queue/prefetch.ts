import type { Clock, Log } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { databaseRetryMs } from '../model/failure-policy.ts';
import { claimSizes } from '../model/batches.ts';
import { newActiveTransfer, type ActiveTransfer } from '../model/active-transfer.ts';
import { isFinished, type TransferRecord } from '../model/record.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import { claimQueues, type ServiceQueue } from './service-queue.ts';
import type { QueueKind, TransferStore } from '../model/store-types.ts';

/** Claims records ahead of their turn, and puts them back. */
export interface Prefetch {
  /** Claims more records before the prefetched ones run out. */
  refill(queue: ServiceQueue): void;
  /** The database may have more. */
  expectMore(queue: ServiceQueue): void;
  /** Schedules one lookup of deletions that waited for an upload, shared by all uploads that end until then. */
  expectDeletions(queue: ServiceQueue): void;
  /** Claims this record at once, because the user waits for it. */
  takeNow(queue: ServiceQueue, id: number): Promise<void>;
  /** Runs `work` on the database while nothing is being claimed; prefetched records are put back first. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

const uploadQueues = ['small', 'large', 'start'] as const;

/** Delay between the end of an upload and the lookup of deletions that waited for it. */
const deletionsAfterMs = 100;

export function createPrefetch(deps: {
  /** All active transfers; claimed records are added. */
  active: Map<number, ActiveTransfer>;
  queues: ReadonlyMap<string, ServiceQueue>;
  store: Pick<TransferStore, 'claim' | 'unclaim'>;
  connections: Pick<Connections, 'originOf'>;
  breakers: CircuitBreakers;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  isPaused: (serviceId: string) => boolean;
  areSlotsFree: () => boolean;
  /** Called when there may be something new to start. */
  onTaken: () => void;
  /** A deletion had nothing left to delete, and ended as it was claimed. */
  onEnded: (record: TransferRecord) => void;
}): Prefetch {
  const { active, queues, store, clock, closing, connections, breakers, log } = deps;
  const { isPaused, areSlotsFree, onTaken, onEnded } = deps;
  let actions = 0;

  function refill(queue: ServiceQueue): void {
    if (actions > 0 || !breakers.of(queue.serviceId).isClosed()) return;
    const paused = isPaused(queue.serviceId);
    for (const name of claimQueues) {
      const ahead = queue.ahead[name];
      const includesIdle = !ahead.mayHaveMore && ahead.mayHaveIdle && isQuiet();
      if (ahead.claiming || !(ahead.mayHaveMore || includesIdle) || (paused && name !== 'delete')) continue;
      if (ahead.entries.length > claimSizes[name] / 2) continue;
      ahead.claiming = claim(queue, name, includesIdle).finally(() => {
        ahead.claiming = null;
        onTaken();
      });
    }
  }

  /** Nothing else is waiting, so records of priority `whenIdle` may start. */
  function isQuiet(): boolean {
    if (!areSlotsFree()) return false;
    for (const { ahead } of queues.values()) {
      for (const name of uploadQueues) {
        if (ahead[name].mayHaveMore || ahead[name].entries.length > 0 || ahead[name].claiming) return false;
      }
    }
    return true;
  }

  async function claim(queue: ServiceQueue, name: QueueKind, includesIdle: boolean): Promise<void> {
    const { serviceId } = queue;
    const ahead = queue.ahead[name];
    // Reset before the claim, so that a record enqueued meanwhile sets it again.
    ahead.mayHaveMore = false;
    if (includesIdle) ahead.mayHaveIdle = false;
    try {
      const origin = connections.originOf(serviceId);
      const limit = includesIdle ? 1 : claimSizes[name];
      const found = await store.claim({ serviceId, queue: name, limit, includesIdle, origin });
      const records = found.filter((record) => !isFinished(record));
      if (found.length === limit) ahead[includesIdle ? 'mayHaveIdle' : 'mayHaveMore'] = true;
      else if (!includesIdle) ahead.mayHaveIdle = true;
      for (const record of found) if (isFinished(record)) onEnded(record);
      // Uploads may have waited for them.
      if (name === 'delete') for (const other of uploadQueues) queue.ahead[other].mayHaveMore = true;
      add(
        queue,
        name,
        records.map((record) => newActiveTransfer(record, true, clock.monotonicMs())),
      );
    } catch (cause) {
      if (!closing.aborted) log.warn('nothing could be taken from the list of transfers', { cause });
      await clock.delay(databaseRetryMs, closing).catch(() => undefined);
      ahead.mayHaveMore = true;
    }
  }

  function add(queue: ServiceQueue, name: QueueKind, entries: readonly ActiveTransfer[]): void {
    for (const entry of entries) {
      active.set(entry.record.id, entry);
      queue.ahead[name].entries.push(entry);
    }
  }

  function expectDeletions(queue: ServiceQueue): void {
    if (queue.checksForDeletions) return;
    queue.checksForDeletions = true;
    clock.delay(deletionsAfterMs, closing).then(
      () => {
        queue.checksForDeletions = false;
        queue.ahead.delete.mayHaveMore = true;
        onTaken();
      },
      () => undefined,
    );
  }

  function expectMore(queue: ServiceQueue): void {
    for (const name of claimQueues)
      Object.assign(queue.ahead[name], { mayHaveMore: true, mayHaveIdle: true });
  }

  /** Puts prefetched records back, except secrets, which the user waits for. */
  async function putBackAhead(): Promise<void> {
    const back: ActiveTransfer[] = [];
    for (const { ahead } of queues.values()) {
      for (const name of claimQueues) {
        const stays = ahead[name].entries.filter(({ record }) => record.kind === 'secret');
        back.push(...ahead[name].entries.filter(({ record }) => record.kind !== 'secret'));
        ahead[name].entries = stays;
      }
    }
    if (back.length === 0) return;
    await store.unclaim(back.map(({ record }) => record.id));
    for (const entry of back) active.delete(entry.record.id);
  }

  return {
    refill,
    expectMore,
    expectDeletions,
    async takeNow(queue, id) {
      const { serviceId } = queue;
      const origin = connections.originOf(serviceId);
      const wish = { serviceId, queue: 'start', limit: 1, includesIdle: true, origin, ids: [id] } as const;
      const records = await store.claim(wish);
      const entries = records.map((record) => newActiveTransfer(record, true, -Infinity));
      for (const entry of entries) active.set(entry.record.id, entry);
      queue.ahead.start.entries.unshift(...entries);
      onTaken();
    },
    async exclusively(work) {
      actions += 1;
      try {
        await Promise.all(
          [...queues.values()].flatMap(({ ahead }) =>
            claimQueues.flatMap((name) => ahead[name].claiming ?? []),
          ),
        );
        await putBackAhead();
        return await work();
      } finally {
        actions -= 1;
        for (const queue of queues.values()) expectMore(queue);
        onTaken();
      }
    },
  };
}
