import { DatabaseSync } from 'node:sqlite';
import type { OpenedDatabase } from '../main/storage/database.ts';
import { createLocalStores } from '../main/storage/local-stores.ts';
import { migrate, migrations } from '../main/database/migrations.ts';
import { Emitter } from '../main/lib/emitter.ts';

/** An in-memory database on this thread. */
export async function openInMemory({ nowMs }: { nowMs: () => number }): Promise<OpenedDatabase> {
  const db = new DatabaseSync(':memory:');
  await migrate(db, migrations, async () => undefined);
  const changed = new Emitter<[serviceId: string, revision: number]>();
  const rooms = createLocalStores(db, nowMs, changed.fire);
  const close = async () => {
    rooms.transfers.close();
    rooms.catalogue.close();
    db.close();
  };
  const catalogue = Object.assign(rooms.catalogue, { onChanged: changed.event });
  return { state: 'ready', database: { ...rooms, catalogue, close } };
}
