import type { CatalogueCopy } from '../database/backups.ts';
import type { Documents } from '../database/documents.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { TransferStore } from '../transfers/model/store-types.ts';
import type { UndoStore } from '../transfers/undo/undo-store.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';
import type { WatchedFiles } from '../database/watched-files.ts';

/** Result of opening the database. */
export type OpenedDatabase =
  | { readonly state: 'ready'; readonly database: Database }
  | {
      /** The file failed its integrity check. It was set aside and is never overwritten. */
      readonly state: 'broken';
      readonly setAsideName: string;
      /** Good copies, newest first. */
      readonly copies: readonly CatalogueCopy[];
      /** @param copyId null: start with an empty database */
      recover(copyId: string | null): Promise<Database>;
    };

export interface Database {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly transfers: TransferStore;
  readonly undoStore: UndoStore;
  readonly watched: WatchedFiles;
  readonly team: TeamCopy;
  close(): Promise<void>;
}
