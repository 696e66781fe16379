import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createReplaceWatch } from './replace-watch.ts';

/**
 * Checks what a killed process has left: the two promises of Replace, and that only objects being replaced are missing.
 * @param replaces what is under each identifier before and after, by identifier
 * @param others objects that are neither replaced nor deleted, by identifier
 * @param read an object of the service; null: it is not there
 */
export function createKillWatch(deps: {
  readonly folder: string;
  readonly syncsPath: string;
  readonly origin: string;
  readonly replaces: ReadonlyMap<string, { readonly before: Uint8Array; readonly after: Uint8Array }>;
  readonly others: ReadonlyMap<string, Uint8Array>;
  readonly read: (identifier: string) => Promise<Uint8Array | null>;
}) {
  const { folder, syncsPath, origin, replaces, others, read } = deps;
  /** All names that a Replace has planned for a copy beside an object. */
  const besides = new Set<string>();

  /** Reads a copy, so that the next process finds the file as the kill left it. */
  async function readReplaces(look: (db: DatabaseSync) => Promise<void>): Promise<void> {
    const copy = join(folder, 'looked-at');
    await mkdir(copy);
    try {
      for (const name of await readdir(join(folder, 'data')))
        if (/^coffer\.db(-wal)?$/.test(name)) await copyFile(join(folder, 'data', name), join(copy, name));
      const db = new DatabaseSync(join(copy, 'coffer.db'));
      try {
        await look(db);
      } finally {
        db.close();
      }
    } finally {
      await rm(copy, { recursive: true });
    }
  }

  /** A file counts only if it was synced, and the folder after it. */
  async function readSynced(): Promise<ReadonlySet<string>> {
    const lines = await readFile(syncsPath, 'utf8').catch(() => '');
    return new Set(lines.slice(0, lines.lastIndexOf('\n.\n') + 1).split('\n'));
  }

  return {
    besides,
    async look(): Promise<void> {
      await readReplaces(async (db) => {
        const seen = new Map<string, Uint8Array>();
        const see = async (identifier: string | null) => {
          const bytes = identifier === null ? null : await read(identifier);
          if (identifier !== null && bytes !== null) seen.set(identifier, bytes);
        };
        for (const [identifier, bytes] of others) {
          await see(identifier);
          assert.ok(seen.get(identifier) && isSame(seen.get(identifier), bytes), `${identifier} is gone`);
        }
        const files = await readSynced();
        const watch = createReplaceWatch({
          db,
          services: [{ origin, versions: seen, peek: (identifier) => seen.get(identifier) }],
          vaultFolder: join(folder, 'kept'),
          files: { isDurable: (name) => files.has(name) },
        });
        const open = new Map(watch.rows().map(({ identifier, replace }) => [identifier, replace]));
        for (const [identifier, { before, after }] of replaces) {
          const replace = open.get(identifier);
          // The object before its copy: bytes that leave the object are in the copy by then.
          for (const name of [identifier, replace?.staged ?? null, replace?.beside ?? null]) await see(name);
          for (const name of [replace?.staged, replace?.beside]) if (name != null) besides.add(name);
          const there = seen.get(identifier);
          const isWhole = there !== undefined && (isSame(there, before) || isSame(there, after));
          assert.ok(
            isWhole || (there === undefined && replace?.isOut === true),
            `${identifier} is not whole`,
          );
        }
        watch.look();
      });
    },
  };
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && digestOf(one) === digestOf(other);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
