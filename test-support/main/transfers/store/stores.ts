import { DatabaseSync } from 'node:sqlite';
import { createLocalStores, type LocalStores } from '../../../../src/main/storage/local-stores.ts';
import { migrate, migrations } from '../../../../src/main/database/migrations.ts';

/** Opens the stores of one in-memory database on this thread; they can be closed and reopened as after a kill. */
export async function openRooms(serviceIds: readonly string[], nowMs: () => number) {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  await migrate(db, migrations, async () => undefined);
  let rooms: LocalStores = createLocalStores(db, nowMs, () => undefined);
  for (const serviceId of serviceIds) await rooms.documents.put('services', serviceId, {});
  const leave = () => {
    rooms.catalogue.close();
    rooms.transfers.close();
  };
  return {
    db,
    get rooms() {
      return rooms;
    },
    reopen(): void {
      leave();
      rooms = createLocalStores(db, nowMs, () => undefined);
    },
    [Symbol.dispose]() {
      leave();
      db.close();
    },
  };
}
