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
  const rooms = createLocalStores(db, nowMs, () => undefined);
  return {
    ...rooms,
    async allRows() {
      const ids = db.prepare('SELECT id FROM object').all();
      return rooms.catalogue.getMany(ids.map(({ id }) => Number(id)));
    },
    async close() {
      rooms.transfers.close();
      rooms.catalogue.close();
      db.close();
    },
  };
}
