import type { DatabaseSync } from 'node:sqlite';
import type { UndoStore } from '../transfers/undo/undo-store.ts';
import { createLocalUndoStore } from '../transfers/undo/local-undo-store.ts';
import { createTransferStore, type LocalTransferStore } from '../transfers/store/transfer-store.ts';
import type { Documents } from '../database/documents.ts';
import { createDocuments } from '../database/documents.ts';
import { usualPace, type Pace } from '../objects/index/service-index.ts';
import { createLocalCatalogue, type LocalCatalogue } from '../objects/local-catalogue.ts';
import { ObjectStore } from '../objects/object-store.ts';
import { ObjectWriter } from '../objects/object-writer.ts';
import { createLocalTeamCopy, type LocalTeamCopy } from '../objects/team/local-team-copy.ts';
import { Statements, type OnSlowStatement } from '../database/statements.ts';
import { createLocalWatchedFiles, type WatchedFiles } from '../database/watched-files.ts';

/** The stores over one open database: plain objects whose own functions `serve` calls. */
export interface LocalStores {
  readonly catalogue: LocalCatalogue;
  readonly documents: Documents;
  readonly transfers: LocalTransferStore;
  readonly undoStore: UndoStore;
  readonly watched: WatchedFiles;
  readonly team: LocalTeamCopy;
}

/** @param changed called when rows of a service change, with the revision for `objects.changed` */
export function createLocalStores(
  db: DatabaseSync,
  nowMs: () => number,
  changed: (serviceId: string, revision: number) => void,
  revision = 1,
  pace: Pace = usualPace,
  onSlow?: OnSlowStatement,
): LocalStores {
  const statements = new Statements(db, onSlow);
  const writer = new ObjectWriter(db, new ObjectStore(statements), nowMs);
  const documents = createDocuments(db);
  const catalogue = createLocalCatalogue(statements, writer, documents, nowMs, changed, revision, pace);
  return {
    catalogue,
    documents,
    transfers: createTransferStore(statements, writer, nowMs),
    undoStore: createLocalUndoStore(statements, writer, nowMs),
    watched: createLocalWatchedFiles(statements, (work) => writer.transaction(work)),
    team: createLocalTeamCopy(statements, writer, catalogue.changes, nowMs),
  };
}
