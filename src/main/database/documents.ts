import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../storage/database.ts';
import { runTransaction } from './migrations.ts';

/** JSON texts by collection and key. */
export function createDocuments(db: DatabaseSync): Documents {
  function set(collection: string, key: string, value: unknown): void {
    if (value === undefined) {
      db.prepare('DELETE FROM document WHERE collection = ? AND key = ?').run(collection, key);
    } else {
      db.prepare(
        'INSERT INTO document VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      ).run(collection, key, JSON.stringify(value));
    }
  }

  return {
    async get(collection, key) {
      const row = db
        .prepare('SELECT value FROM document WHERE collection = ? AND key = ?')
        .get(collection, key);
      return row === undefined ? undefined : JSON.parse(String(row['value']));
    },

    async list(collection) {
      const rows = db
        .prepare('SELECT key, value FROM document WHERE collection = ? ORDER BY key')
        .all(collection);
      return rows.map((row) => ({
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
