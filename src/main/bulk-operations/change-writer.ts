import type { Catalogue, ObjectChange } from '../catalogue/catalogue.ts';
import type { Log } from '../ports.ts';
import { coalesce } from '../coalesce.ts';

/** Writes what work over many rows finds out, some hundreds at a time instead of each by itself. */
export interface ChangeWriter {
  add(change: ObjectChange): void;
  /** Resolves when everything added so far is durable. */
  flush(): Promise<void>;
}

export function createChangeWriter(catalogue: Pick<Catalogue, 'update'>, log: Log): ChangeWriter {
  let pending: ObjectChange[] = [];
  let written: Promise<void> = Promise.resolve();
  const later = coalesce(() => {
    flush().catch((cause: unknown) => log.error('changes could not be written', { cause }));
  });

  async function write(batch: typeof pending): Promise<void> {
    if (batch.length > 0) await catalogue.update(batch);
  }

  function flush(): Promise<void> {
    later.cancel();
    const batch = pending;
    pending = [];
    const result = written.then(() => write(batch));
    written = result.catch(() => undefined); // said by the one who waits for it
    return result;
  }

  return {
    add(change) {
      pending.push(change);
      later.request();
    },
    flush,
  };
}
