import type { DatabaseSync } from 'node:sqlite';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { LocalTransferStore } from '../../engine/store/transfer-store.ts';
import { LocalDocuments } from '../documents.ts';
import { LocalCatalogue } from '../local-catalogue.ts';
import { migrate, migrations } from '../migrations.ts';
import { ObjectStore } from '../object-store.ts';
import { ObjectWriter } from '../object-writer.ts';
import { Statements } from '../statements.ts';

/** A database on the test's own thread. */
export interface LocalDatabase {
  readonly catalogue: LocalCatalogue;
  readonly documents: LocalDocuments;
  readonly transfers: LocalTransferStore;
  allRows(profileId: string): Promise<ObjectRecord[]>;
  close(): Promise<void>;
}

export async function openLocalDatabase(db: DatabaseSync, nowMs: () => number): Promise<LocalDatabase> {
  await migrate(db, migrations, async () => undefined);
  const statements = new Statements(db);
  const writer = new ObjectWriter(db, new ObjectStore(statements), nowMs);
  const catalogue = new LocalCatalogue(statements, writer, nowMs, () => undefined);
  const transfers = new LocalTransferStore(statements, writer, nowMs);
  return {
    catalogue,
    documents: new LocalDocuments(db),
    transfers,
    async allRows(profileId) {
      const ids = db.prepare(
        'SELECT object.id FROM object JOIN profile ON profile.id = profile WHERE profile_id = ?',
      );
      return catalogue.getMany(ids.all(profileId).map(({ id }) => Number(id)));
    },
    async close() {
      transfers.close();
      catalogue.close();
      db.close();
    },
  };
}
