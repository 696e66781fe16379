import type { ObjectState } from '../../shared/domain/object.ts';
import type { Catalogue, ObjectChange } from '../catalogue/catalogue.ts';
import type { Log } from '../ports.ts';
import { coalesce } from '../coalesce.ts';

/** Writes what work over many rows finds out, some hundreds at a time instead of each by itself. */
export interface ChangeWriter {
  /** The change is dropped when the row has got another state meanwhile: somebody knows better. */
  add(ifState: ObjectState, change: ObjectChange): void;
  /** Resolves when everything added so far is durable. */
  flush(): Promise<void>;
}

export function createChangeWriter(catalogue: Pick<Catalogue, 'getMany' | 'update'>, log: Log): ChangeWriter {
  let pending: { ifState: ObjectState; change: ObjectChange }[] = [];
  let written: Promise<void> = Promise.resolve();
  const later = coalesce(() => {
    flush().catch((cause: unknown) => log.error('changes could not be written', { cause }));
  });

  async function write(batch: typeof pending): Promise<void> {
    if (batch.length === 0) return;
    const rows = await catalogue.getMany(batch.map(({ change }) => change.id));
    const stateOf = new Map(rows.map((row) => [row.id, row.state]));
    const due = batch.filter(({ ifState, change }) => stateOf.get(change.id) === ifState);
    if (due.length > 0) await catalogue.update(due.map(({ change }) => change));
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
    add(ifState, change) {
      pending.push({ ifState, change });
      later.request();
    },
    flush,
  };
}
