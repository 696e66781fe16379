import { DatabaseSync } from 'node:sqlite';
import type { OpenedDatabase } from '../main/catalogue/catalogue.ts';
import { createLocalRooms } from '../main/catalogue/local-rooms.ts';
import { migrate, migrations } from '../main/catalogue/migrations.ts';

type Listener = (profileId: string, revision: number) => void;

/** A list on this thread that goes with the process. */
export async function openInMemory({ nowMs }: { nowMs: () => number }): Promise<OpenedDatabase> {
  const db = new DatabaseSync(':memory:');
  await migrate(db, migrations, async () => undefined);
  const listeners = new Set<Listener>();
  const rooms = createLocalRooms(db, nowMs, (profileId, revision) => {
    for (const listener of listeners) listener(profileId, revision);
  });
  const onChanged = (listener: Listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const close = async () => {
    rooms.transfers.close();
    rooms.catalogue.close();
    db.close();
  };
  const catalogue = Object.assign(rooms.catalogue, { onChanged });
  return { state: 'ready', database: { ...rooms, catalogue, close } };
}
