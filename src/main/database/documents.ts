import type { DatabaseSync } from 'node:sqlite';
import { runTransaction } from './migrations.ts';

/** Small documents beside the catalogue, in the same file: services, settings, preferences. JSON values. */
export interface Documents {
  get(collection: string, key: string): Promise<unknown>;
  list(collection: string): Promise<{ key: string; value: unknown }[]>;
  put(collection: string, key: string, value: unknown): Promise<void>;
  delete(collection: string, key: string): Promise<void>;
  /** Several at once, in one transaction; undefined deletes. */
  write(collection: string, changes: readonly { key: string; value: unknown }[]): Promise<void>;
}

/** JSON texts by collection and key. */
export function createDocuments(db: DatabaseSync): Documents {
  const remove = db.prepare('DELETE FROM document WHERE collection = ? AND key = ?');
  const insert = db.prepare(
    'INSERT INTO document VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const select = db.prepare('SELECT value FROM document WHERE collection = ? AND key = ?');
  const selectAll = db.prepare('SELECT key, value FROM document WHERE collection = ? ORDER BY key');

  function set(collection: string, key: string, value: unknown): void {
    if (value === undefined) remove.run(collection, key);
    else insert.run(collection, key, JSON.stringify(value));
  }

  return {
    async get(collection, key) {
      const row = select.get(collection, key);
      return row === undefined ? undefined : JSON.parse(String(row['value']));
    },

    async list(collection) {
      return selectAll.all(collection).map((row) => ({
        key: String(row['key']),
        value: JSON.parse(String(row['value'])) as unknown,
      }));
    },

    async put(collection, key, value) {
      set(collection, key, value);
    },

    async delete(collection, key) {
      set(collection, key, undefined);
    },

    async write(collection, changes) {
      runTransaction(db, () => {
        for (const { key, value } of changes) set(collection, key, value);
      });
    },
  };
}
