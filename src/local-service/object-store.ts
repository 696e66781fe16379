import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';

import { z } from 'zod';

import { missingMessage, Refusal } from './answers.ts';
import { classificationNames } from './classifications.ts';
import type { Classification } from './classifications.ts';
import { bytesColumn, identifierColumn, transact } from './database.ts';
import { unwrapKey, wrapKey } from './keys.ts';
import { checksums, CorruptObject, encryption, readSegments, writeSegments } from './segments.ts';
import type { Protection } from './segments.ts';

/** Separate namespaces: the same identifier may be used once in each. */
export type Kind = 'data' | 'secret';

const blobSchema = z.object({
  name: z.string(),
  kind: z.enum(['data', 'secret']),
  identifier: identifierColumn,
  classification: z.enum(classificationNames),
  lengthBytes: z.number(),
  wrappedKey: bytesColumn.nullable(),
});

/** A complete file on the disk, and what is needed to read it. `wrappedKey` is null for `Public`. */
export type Blob = z.infer<typeof blobSchema>;

/**
 * Files and metadata of the stored objects. A file is written under a temporary name, flushed, renamed, and the
 * rename flushed; only then does the metadata reference it. The next start removes files that a kill left half
 * written; complete files without metadata stay.
 */
export class ObjectStore {
  readonly #folder: string;
  readonly #database: DatabaseSync;
  readonly #masterKey: Uint8Array;

  private constructor(folder: string, database: DatabaseSync, masterKey: Uint8Array) {
    this.#folder = folder;
    this.#database = database;
    this.#masterKey = masterKey;
  }

  static async open(dataFolder: string, database: DatabaseSync, masterKey: Uint8Array): Promise<ObjectStore> {
    const folder = join(dataFolder, 'blobs');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(dataFolder);
    const store = new ObjectStore(folder, database, masterKey);
    await store.#sweep();
    return store;
  }

  /** Writes a body to the disk. It becomes an object with `put`. */
  async receive(
    kind: Kind,
    identifier: string,
    classification: Classification,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Blob> {
    const name = randomUUID();
    const objectKey = classification === 'Public' ? null : randomBytes(32);
    const protection = objectKey === null ? checksums : encryption(objectKey);
    let lengthBytes = 0;
    async function* count(): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        lengthBytes += chunk.length;
        yield chunk;
      }
    }

    const partFile = this.#pathOf(`${name}.part`);
    try {
      await writeFile(partFile, writeSegments(count(), protection), { flag: 'wx', mode: 0o600, flush: true });
      await rename(partFile, this.#pathOf(name));
    } catch (cause) {
      await rm(partFile, { force: true });
      throw cause;
    }
    await syncFolder(this.#folder);

    const blob: Blob = { name, kind, identifier, classification, lengthBytes, wrappedKey: null };
    if (objectKey !== null) blob.wrappedKey = wrapKey(this.#masterKey, objectKey, contextOf(blob));
    return blob;
  }

  /** Makes a received blob the object with its identifier. false: there is one already, and the blob was deleted */
  async put(blob: Blob): Promise<boolean> {
    const isNew = await this.adopt(blob, () => this.link(blob));
    if (!isNew) await this.release(blob.name);
    return isNew;
  }

  /** Registers a received blob in one transaction with what `pointAtIt` writes; if that fails, deletes the blob. */
  async adopt<T>(blob: Blob, pointAtIt: () => T): Promise<T> {
    try {
      return transact(this.#database, () => {
        this.#record(blob);
        return pointAtIt();
      });
    } catch (cause) {
      await rm(this.#pathOf(blob.name), { force: true });
      throw cause;
    }
  }

  find(kind: Kind, identifier: string): Blob | undefined {
    const linked = 'SELECT blob FROM objects WHERE kind = ? AND identifier = ?';
    return this.#one(`SELECT * FROM blobs WHERE name = (${linked})`, kind, Buffer.from(identifier));
  }

  findBlob(name: string): Blob | undefined {
    return this.#one('SELECT * FROM blobs WHERE name = ?', name);
  }

  /**
   * The content, in verified pieces. The stream fails at the first piece that differs from what was stored. Throws a
   * Refusal 404 if the object was deleted since it was found.
   */
  async read(blob: Blob): Promise<Readable> {
    const protection = this.#protectionOf(blob);
    const file = await open(this.#pathOf(blob.name)).catch((cause: unknown) => {
      throw this.findBlob(blob.name) === undefined ? new Refusal(404, missingMessage) : cause;
    });
    const stream = Readable.from(readSegments(file, blob.lengthBytes, protection));
    // Not in the generator: its `finally` does not run if no piece is ever requested.
    stream.once('close', () => void file.close());
    return stream;
  }

  /** false: no such object. Completed deferred GETs keep their bytes. */
  async remove(kind: Kind, identifier: string): Promise<boolean> {
    const removed = this.#database
      .prepare('DELETE FROM objects WHERE kind = ? AND identifier = ? RETURNING blob')
      .get(kind, Buffer.from(identifier))?.['blob'];
    if (typeof removed !== 'string') return false;
    await this.release(removed);
    return true;
  }

  /** Call within a transaction. false: the identifier is in use */
  link(blob: Blob): boolean {
    return (
      this.#database
        .prepare('INSERT INTO objects VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
        .run(blob.kind, Buffer.from(blob.identifier), blob.name).changes === 1
    );
  }

  /** Deletes a blob unless an object or a deferred request still references it. */
  async release(name: string): Promise<void> {
    const { changes } = this.#database.prepare(`DELETE FROM blobs WHERE name = ? AND ${unused}`).run(name);
    if (changes === 1) await rm(this.#pathOf(name), { force: true });
  }

  #record(blob: Blob): void {
    this.#database
      .prepare('INSERT INTO blobs VALUES (?, ?, ?, ?, ?, ?)')
      .run(
        blob.name,
        blob.kind,
        Buffer.from(blob.identifier),
        blob.classification,
        blob.lengthBytes,
        blob.wrappedKey,
      );
  }

  async #sweep(): Promise<void> {
    const left = this.#database.prepare(`DELETE FROM blobs WHERE ${unused} RETURNING name`).all();
    for (const { name } of left) await rm(this.#pathOf(String(name)), { force: true });
    // A complete file without metadata may be newer than the metadata, if an older copy of that was restored.
    for (const name of await readdir(this.#folder)) {
      if (name.endsWith('.part')) await rm(this.#pathOf(name));
    }
  }

  #one(sql: string, ...values: (string | Uint8Array)[]): Blob | undefined {
    const row = this.#database.prepare(sql).get(...values);
    return row === undefined ? undefined : blobSchema.parse(row);
  }

  #protectionOf(blob: Blob): Protection {
    if (blob.classification === 'Public') return checksums;
    if (blob.wrappedKey === null) throw new CorruptObject();
    return encryption(unwrapKey(this.#masterKey, blob.wrappedKey, contextOf(blob)));
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }
}

const unused = `
  NOT EXISTS (SELECT 1 FROM objects WHERE objects.blob = blobs.name)
  AND NOT EXISTS (SELECT 1 FROM deferred WHERE deferred.blob = blobs.name)`;

function contextOf(blob: Blob): string {
  return JSON.stringify([blob.name, blob.kind, blob.identifier, blob.classification, blob.lengthBytes]);
}

/** Makes renames in the folder durable. On Windows folders cannot be flushed, and need not be. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
