import { DatabaseSync } from 'node:sqlite';
import { createLocalStores, type LocalStores } from '../../../../src/main/storage/local-stores.ts';
import { createSchema } from '../../database/local-database.ts';

/** Opens the stores of one in-memory database on this thread; they can be closed and reopened as after a kill. */
export async function openStores(
  serviceIds: readonly string[],
  nowMs: () => number,
  db = new DatabaseSync(':memory:'),
) {
  db.exec('PRAGMA foreign_keys = ON');
  await createSchema(db);
  let stores: LocalStores = createLocalStores(db, nowMs, () => undefined);
  for (const serviceId of serviceIds) await stores.documents.put('services', serviceId, {});
  const leave = () => {
    stores.catalogue.close();
    stores.transfers.close();
    stores.team.close();
  };
  return {
    db,
    get stores() {
      return stores;
    },
    reopen(): void {
      leave();
      stores = createLocalStores(db, nowMs, () => undefined);
    },
    [Symbol.dispose]() {
      leave();
      db.close();
    },
  };
}
