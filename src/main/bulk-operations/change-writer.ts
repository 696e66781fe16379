import type { Catalogue, ObjectChange } from '../objects/catalogue.ts';
import type { Log } from '../ports.ts';
import { Mutex } from '../lib/async.ts';
import { throttle } from '../lib/timers.ts';

/** Writes the results of bulk operations in batches of some hundred rows. */
export function createChangeWriter(catalogue: Pick<Catalogue, 'update'>, log: Log) {
  let pending: ObjectChange[] = [];
  const writes = new Mutex();
  const flushSoon = throttle(() => {
    flush().catch((cause: unknown) => log.error('changes could not be written', { cause }));
  });

  async function write(batch: typeof pending): Promise<void> {
    if (batch.length > 0) await catalogue.update(batch);
  }

  /** Resolves when everything added so far is durable. */
  function flush(): Promise<void> {
    flushSoon.cancel();
    const batch = pending;
    pending = [];
    return writes.runExclusive(() => write(batch));
  }

  return {
    add(change: ObjectChange) {
      pending.push(change);
      flushSoon();
    },
    flush,
  };
}
