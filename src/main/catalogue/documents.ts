import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from './catalogue.ts';
import { runTransaction } from './migrations.ts';

/** JSON texts by collection and key. */
export class LocalDocuments implements Documents {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  async get(collection: string, key: string): Promise<unknown> {
    const row = this.#db
      .prepare('SELECT value FROM document WHERE collection = ? AND key = ?')
      .get(collection, key);
    return row === undefined ? undefined : JSON.parse(String(row['value']));
  }

  async list(collection: string): Promise<{ key: string; value: unknown }[]> {
    const rows = this.#db
      .prepare('SELECT key, value FROM document WHERE collection = ? ORDER BY key')
      .all(collection);
    return rows.map((row) => ({
      key: String(row['key']),
      value: JSON.parse(String(row['value'])) as unknown,
    }));
  }

  async put(collection: string, key: string, value: unknown): Promise<void> {
    this.#set(collection, key, value);
  }

  async delete(collection: string, key: string): Promise<void> {
    this.#set(collection, key, undefined);
  }

  async write(collection: string, changes: readonly { key: string; value: unknown }[]): Promise<void> {
    runTransaction(this.#db, () => {
      for (const { key, value } of changes) this.#set(collection, key, value);
    });
  }

  #set(collection: string, key: string, value: unknown): void {
    if (value === undefined) {
      this.#db.prepare('DELETE FROM document WHERE collection = ? AND key = ?').run(collection, key);
    } else {
      this.#db
        .prepare('INSERT INTO document VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
        .run(collection, key, JSON.stringify(value));
    }
  }
}
