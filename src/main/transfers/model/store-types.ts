import type { BatchAction } from '../../../shared/domain/transfer-summary.ts';
import type { ObjectKind, ObjectRecord } from '../../../shared/domain/object.ts';
import type { Answer } from '../../../shared/domain/service.ts';
import type { Priority, Tab } from '../../../shared/domain/transfer.ts';
import type { VersionNaming } from '../../../shared/domain/versions.ts';
import type { ListedVersion, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { TransferRecord } from './record.ts';
import type { StoreQueries } from './store-queries.ts';
import type { Applied, RowChange, Transition } from './transition.ts';

export type NewTransfer = Omit<
  TransferRecord,
  | 'id'
  | 'objectId'
  | 'orderKey'
  | 'state'
  | 'tries'
  | 'trouble'
  | 'nextAtMs'
  | 'activityToken'
  | 'incarnation'
  | 'finishedAtMs'
  | 'batch'
> & {
  /** For downloads and deletions. An upload's row is found or added by its identifier, in the same transaction. */
  readonly objectId: number | null;
  /** Initial values of an upload's row, if it is added. */
  readonly newRow: ObjectPatch | null;
  /** Secrets: store it even if the list says that it exists, unless somebody here has seen it. */
  readonly storesUnseen?: boolean;
  /** The file of a watched folder that an upload sends: remembered as sent in the same transaction. */
  readonly watched?: Watched | undefined;
};

/** A file of a watched folder. @param path relative to the folder, with `/` */
export interface Watched {
  readonly folderId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ino?: number | undefined;
  readonly ctimeMs?: number | undefined;
}

/** Which records an action applies to. Only those that are not in work: the runner owns the others. */
export type Which =
  /** `tab`: limits it to one tab of the list. Deletions never match. */
  | { readonly kind: 'all'; readonly tab?: Tab }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'service'; readonly serviceId: string }
  | { readonly kind: 'batch'; readonly batch: number }
  | {
      readonly kind: 'cause';
      readonly serviceId: string;
      readonly group: 'waiting' | 'needsYou';
      readonly code: string;
    };

export interface ChosenFile {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** The person's correction of an upload; missing fields stay as they are. `classification` null: the service's default policy. */
export interface TransferEdit {
  readonly identifier?: string;
  readonly classification?: string | null;
  readonly file?: ChosenFile;
  /** Keep the replaced bytes on the service, because there is no room for them here. */
  readonly keeps?: 'service';
}

/** A batch to add transfers to. @param id from `newBatch` */
export interface NewBatch {
  readonly id: number;
  readonly action: BatchAction;
}

export interface ClaimWish {
  readonly serviceId: string;
  /** `large`, `small`: direct transfers with or without `isSmall`; `start`: deferred starts; `delete`: deletions. */
  readonly queue: QueueKind;
  readonly limit: number;
  /** false: leaves out priority `whenIdle`. */
  readonly includesIdle: boolean;
  /** The service's present origin: records of another are not claimed. */
  readonly origin: string;
  /** Only these, which the person waits for: ignores pauses and order. */
  readonly ids?: readonly number[];
}
export type QueueKind = 'large' | 'small' | 'start' | 'delete';

export interface TransferStore extends StoreQueries {
  /**
   * Adds records in order, each behind all others of its priority, with the rows of uploads, in one transaction.
   * @param batch the one they belong to, from `newBatch`
   * @returns their ids
   * @throws AppFailure notFound: the service has no document (it was removed); exists: a secret's identifier is
   * taken. Then nothing is written
   */
  enqueue(
    serviceId: string,
    transfers: readonly NewTransfer[],
    batch?: NewBatch,
  ): Promise<{ id: number; objectId: number | null }[]>;
  /** Returns an id that was never used. The batch exists only while it has transfers. */
  newBatch(): Promise<number>;
  /** One transaction, in the order given; durable when it resolves. */
  apply(transitions: readonly Transition[]): Promise<Applied[]>;
  /**
   * Claims the next records that are ready (state `waiting`, not paused, no retry pending, of this origin), by priority and order.
   * One transaction sets the state that may have sent something (`sending` for uploads, `receiving` with `temporaryPath` null for
   * downloads, `deleting` with the row taken for deletions; deferred starts stay `waiting`) and marks them as claimed, so that no
   * action on the database changes them. Skips uploads whose identifier is being deleted or has an earlier deletion pending, and
   * deletions while an upload of the identifier is in work or writes its row. A deletion whose row is gone or cannot be deleted fails
   * (`notFound`) instead.
   * @returns the records in starting order, and those that failed
   */
  claim(wish: ClaimWish): Promise<TransferRecord[]>;
  /** Puts back records that were claimed and never started, unchanged. */
  unclaim(ids: readonly number[]): Promise<void>;
  /**
   * Records in work when the last run ended: all that are neither waiting, asking nor finished, and all that were claimed; and
   * deletions that were still held.
   */
  interrupted(): Promise<TransferRecord[]>;
  getMany(ids: readonly number[]): Promise<TransferRecord[]>;
  /** Rows of objects with their epochs. Every change of a row's state or content increments its epoch. */
  rows(objectIds: readonly number[]): Promise<{ record: ObjectRecord; epoch: number }[]>;
  /**
   * Gives an upload another identifier (Keep both): adds its row with the record as writer. One transaction with the record's change.
   * null: the list has the identifier already.
   * @param former releases the row it had
   */
  takeIdentifier(
    id: number,
    identifier: string,
    former: Extract<RowChange, { kind: 'remove' | 'skipped' }>,
  ): Promise<{ objectId: number } | null>;
  /**
   * Makes an upload in work the writer of the row of its identifier, which is added if missing: until it is released, nobody else
   * replaces, stores or deletes the object. null: another transfer is doing so now.
   */
  takeRow(id: number): Promise<{ objectId: number } | null>;

  /** The rows of a base and its versions, in ascending order. */
  versions(
    serviceId: string,
    kind: ObjectKind,
    base: string,
    naming: VersionNaming,
  ): Promise<(ListedVersion & { readonly epoch: number })[]>;
  /** Whether another upload is storing under the identifier, or may have stored there and will check. */
  isBeingStored(id: number, identifier: string): Promise<boolean>;
  /**
   * As `takeIdentifier`, for the next version: also if the list has a row of it, since the service does not show the object. null:
   * the row has another writer that has not ended, or it changed since the service was asked.
   * @param epoch the row's at that time; null: there was no row
   * @param classification of the stored version; without: that of the record
   */
  takeVersion(
    id: number,
    identifier: string,
    epoch: number | null,
    classification?: string | null,
  ): Promise<{ objectId: number; addedRow: boolean } | null>;

  /**
   * Cancels waiting and asking records and releases their rows. For all, for a service or for a batch it takes effect
   * at once and survives a kill; records and rows are updated in the background, slice by slice.
   * @returns how many
   */
  cancel(which: Which): Promise<number>;
  /**
   * Restarts failed, lost and cancelled uploads and downloads of data; all but `ids` leave out what the person
   * cancelled, and continue in the background, also after a kill.
   * @param origins the present origin of each service; at another origin, nothing counts as possibly stored
   * @param takesOther downloads accept what the service has, even where an imported list claims otherwise
   */
  retry(which: Which, origins: ReadonlyMap<string, string>, takesOther?: boolean): Promise<number>;
  /**
   * Restarts a failed, lost or cancelled upload of data with another identifier, classification or file. The row added for the old
   * identifier is removed, unless it has a note or something may be stored there. false: not possible now.
   */
  editAndRetry(id: number, change: TransferEdit, origins: ReadonlyMap<string, string>): Promise<boolean>;
  /**
   * Removes failed and lost records, with `ids` cancelled ones and deletions that were never sent too, and the rows added for
   * uploads that stored nothing.
   * @returns how many
   */
  drop(which: Which): Promise<number>;
  /** Makes records that wait for their retry due now. */
  retryNow(which: Which): Promise<number>;
  /** Waiting records only; for all, for a service or for a batch as `cancel`. */
  pause(which: Which, isPaused: boolean): Promise<number>;
  /** Resolves when all bulk actions are applied. */
  settled(): Promise<void>;
  /** Changes unfinished records that are not in work. For a batch like `cancel`, but effective only once applied. */
  setPriority(which: Which, priority: Priority): Promise<void>;
  reorder(ids: readonly number[], before: number | 'top' | null): Promise<void>;
  /**
   * Answers asking records, which wait again. `all`, and `allWatched` for those of watched folders alone, also answer the service's
   * records that have not asked yet.
   */
  answer(serviceId: string, ids: readonly number[] | 'all' | 'allWatched', answer: Answer): Promise<void>;
  /** Removes finished records: the done and cancelled, or the failed and lost. */
  clear(tab: Tab, group: 'done' | 'needsYou'): Promise<void>;
  /** Removes the done and cancelled records of a batch. */
  clearBatch(batch: number): Promise<void>;
  /** Caps the history of each tab by number and age (wall clock, ms), and that of deletions, failed ones included. */
  trim(maxDone: number, finishedBeforeMs: number): Promise<void>;
  removeService(serviceId: string): Promise<void>;
}
