import type { CatalogueCopy } from '../database/backups.ts';
import type { Documents } from '../database/documents.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { TransferStore } from '../transfers/model/store-types.ts';
import type { UndoStore } from '../transfers/undo/undo-store.ts';

/** What opening the database came to. */
export type OpenedDatabase =
  | { readonly state: 'ready'; readonly database: Database }
  | {
      /** The file failed its integrity check and was set aside, never overwritten. */
      readonly state: 'broken';
      readonly setAsideName: string;
      /** Good copies, newest first. */
      readonly copies: readonly CatalogueCopy[];
      /** null: begin with an empty one. */
      recover(copyId: string | null): Promise<Database>;
    };

export interface Database {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly transfers: TransferStore;
  readonly kept: UndoStore;
  close(): Promise<void>;
}
