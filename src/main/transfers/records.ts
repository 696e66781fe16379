import { setImmediate } from 'node:timers/promises';
import type { Catalogue, ObjectChange } from '../catalogue/catalogue.ts';

/** Rows in one transaction: enough to be quick, few enough for nothing else to wait. */
export const batchSize = 500;

/** Writes what transfers come to: whatever gathers while one write is under way goes together into the next. */
export interface Records {
  /** Resolves when all of it is durable. */
  update(changes: readonly ObjectChange[]): Promise<void>;
}

export function createRecords(catalogue: Pick<Catalogue, 'update'>): Records {
  let gathering: { changes: ObjectChange[]; written: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();

  return {
    update(changes) {
      if (!gathering) {
        const gathered: ObjectChange[] = [];
        const written = last.then(async () => {
          gathering = null;
          for (const batch of batches(gathered)) {
            await catalogue.update(batch);
            // A catalogue in this thread leaves no other room between two batches.
            if (gathered.length > batchSize) await setImmediate();
          }
        });
        gathering = { changes: gathered, written };
        last = written.catch(() => undefined);
      }
      for (const change of changes) gathering.changes.push(change);
      return gathering.written;
    },
  };
}

export function* batches<T>(items: ArrayLike<T>): Generator<T[]> {
  for (let start = 0; start < items.length; start += batchSize) {
    yield Array.prototype.slice.call(items, start, start + batchSize);
  }
}
