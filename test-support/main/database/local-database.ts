import { DatabaseSync } from 'node:sqlite';
import type { ObjectRecord } from '../../../src/shared/domain/object.ts';
import { createLocalStores, type LocalStores } from '../../../src/main/storage/local-stores.ts';
import { migrate, migrations, runTransaction, schemaVersion } from '../../../src/main/database/migrations.ts';

/** A database on the test's own thread. */
export interface LocalDatabase extends LocalStores {
  allRows(): Promise<ObjectRecord[]>;
  close(): Promise<void>;
}

export async function openLocalDatabase(db: DatabaseSync, nowMs: () => number): Promise<LocalDatabase> {
  await createSchema(db);
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

let newest: Promise<string> | undefined;

/** Creates the final schema directly: the migrations take ten times as long, and tests open a thousand databases. */
export async function createSchema(db: DatabaseSync): Promise<void> {
  if (schemaVersion(db) !== 0) return;
  const schema = await (newest ??= readNewest());
  runTransaction(db, () => db.exec(schema));
}

async function readNewest(): Promise<string> {
  const db = new DatabaseSync(':memory:');
  await migrate(db, migrations, async () => undefined);
  const made = db
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all();
  const pragmas = ['application_id', 'user_version'].map((name) => {
    const { [name]: value } = db.prepare(`PRAGMA ${name}`).get() ?? {};
    return `PRAGMA ${name} = ${String(value)}`;
  });
  db.close();
  return [...made.map(({ sql }) => String(sql)), ...pragmas].join(';\n');
}
