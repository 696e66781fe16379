import type { DatabaseSync } from 'node:sqlite';
import { LocalKeptStore } from '../kept/local-kept-store.ts';
import { LocalTransferStore } from '../transfers/store/transfer-store.ts';
import { LocalDocuments } from './documents.ts';
import { usualPace, type Pace } from './index/profile-index.ts';
import { LocalCatalogue } from './local-catalogue.ts';
import { ObjectStore } from './object-store.ts';
import { ObjectWriter } from './object-writer.ts';
import { Statements } from './statements.ts';

/** What stands on one database file, on the thread that has it open. */
export interface LocalRooms {
  readonly catalogue: LocalCatalogue;
  readonly documents: LocalDocuments;
  readonly transfers: LocalTransferStore;
  readonly kept: LocalKeptStore;
}

/** @param changed rows of this profile did: the revision that `objects.changed` carries */
export function createLocalRooms(
  db: DatabaseSync,
  nowMs: () => number,
  changed: (profileId: string, revision: number) => void,
  revision = 1,
  pace: Pace = usualPace,
): LocalRooms {
  const statements = new Statements(db);
  const writer = new ObjectWriter(db, new ObjectStore(statements), nowMs);
  const documents = new LocalDocuments(db);
  return {
    catalogue: new LocalCatalogue(statements, writer, documents, nowMs, changed, revision, pace),
    documents,
    transfers: new LocalTransferStore(statements, writer, nowMs),
    kept: new LocalKeptStore(statements, writer, nowMs),
  };
}
