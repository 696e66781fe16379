import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { z } from 'zod';

import { StartProblem } from './answers.ts';
import { unwrapKey, wrapKey } from './keys.ts';

const schemaVersion = 1;

/**
 * A blob is a complete file on the disk, referenced by an object or by the snapshot of a deferred GET. Identifiers
 * are stored as UTF-8 bytes, because text would end at U+0000.
 */
const schema = `
  CREATE TABLE masterKey (onlyRow INTEGER PRIMARY KEY CHECK (onlyRow = 1), proof BLOB NOT NULL) STRICT;
  CREATE TABLE blobs (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    identifier BLOB NOT NULL,
    classification TEXT NOT NULL,
    lengthBytes INTEGER NOT NULL,
    wrappedKey BLOB
  ) STRICT;
  CREATE TABLE objects (
    kind TEXT NOT NULL,
    identifier BLOB NOT NULL,
    blob TEXT NOT NULL REFERENCES blobs (name),
    PRIMARY KEY (kind, identifier)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE deferred (
    kind TEXT NOT NULL,
    token TEXT NOT NULL,
    method TEXT NOT NULL,
    identifier BLOB NOT NULL,
    activityToken TEXT NOT NULL,
    blob TEXT REFERENCES blobs (name),
    result TEXT,
    expiresAtMs INTEGER NOT NULL,
    PRIMARY KEY (kind, token)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX objectsByBlob ON objects (blob);
  CREATE INDEX deferredByBlob ON deferred (blob);
  CREATE INDEX deferredByExpiry ON deferred (expiresAtMs);
  PRAGMA user_version = ${schemaVersion};
`;

export const bytesColumn = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
export const identifierColumn = bytesColumn.transform((bytes) => Buffer.from(bytes).toString());

/**
 * Opens the metadata database, and creates it if necessary. Commits are durable. Throws a StartProblem when the
 * folder is in use, or was written by a newer version or with another master key.
 */
export function openDatabase(
  file: string,
  masterKey: Uint8Array,
): { database: DatabaseSync; isNew: boolean } {
  createPrivate(file);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    // An exclusive lock held until close or death: a second service in this folder would remove our files.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    return { database, isNew: transact(database, () => prepareSchema(database, masterKey)) };
  } catch (cause) {
    database.close();
    if (cause instanceof Error && cause.message.includes('database is locked')) {
      throw new StartProblem('The data folder is in use by another service.', { cause, problem: 'inUse' });
    }
    throw cause;
  }
}

/** SQLite gives the files beside the database its mode. Others may be able to open the folder. */
function createPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  try {
    chmodSync(file, 0o600);
  } catch {
    return; // a file system without modes
  }
}

/** @returns whether the schema was created */
function prepareSchema(database: DatabaseSync, masterKey: Uint8Array): boolean {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version === 0) {
    database.exec(schema);
    const proof = wrapKey(masterKey, new Uint8Array(), 'masterKey');
    database.prepare('INSERT INTO masterKey VALUES (1, ?)').run(proof);
    return true;
  }
  if (version !== schemaVersion) {
    throw new StartProblem('The data folder was written by a newer version of the service.', {
      problem: 'newer',
    });
  }
  const proof = database.prepare('SELECT proof FROM masterKey').get()?.['proof'];
  try {
    if (!(proof instanceof Uint8Array)) throw new TypeError('no proof');
    unwrapKey(masterKey, proof, 'masterKey');
  } catch (cause) {
    throw new StartProblem('The data folder was written under another master key.', {
      cause,
      problem: 'otherKey',
    });
  }
  return false;
}

/** Runs `work` in one transaction, which is durable afterwards or, if it throws, rolled back. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  }
}
