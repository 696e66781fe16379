import type { DatabaseSync } from 'node:sqlite';
import type { ObjectRecord } from '../../../src/shared/domain/object.ts';
import { createLocalStores, type LocalStores } from '../../../src/main/storage/local-stores.ts';
import { migrate, migrations } from '../../../src/main/database/migrations.ts';

/** A database on the test's own thread. */
export interface LocalDatabase extends LocalStores {
  allRows(): Promise<ObjectRecord[]>;
  close(): Promise<void>;
}

export async function openLocalDatabase(db: DatabaseSync, nowMs: () => number): Promise<LocalDatabase> {
  await migrate(db, migrations, async () => undefined);
  const stores = createLocalStores(db, nowMs, () => undefined);
  return {
    ...stores,
    async allRows() {
      const ids = db.prepare('SELECT id FROM object').all();
      return stores.catalogue.getMany(ids.map(({ id }) => Number(id)));
    },
    async close() {
      stores.transfers.close();
      stores.catalogue.close();
      db.close();
    },
  };
}
