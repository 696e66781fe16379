import type { AppError } from '../../../shared/errors.ts';
import type { InParts, ObjectKind, ObjectRecord } from '../../../shared/domain/object.ts';
import type { Answer } from '../../../shared/domain/service.ts';
import type { BatchAction } from '../../../shared/domain/batch.ts';
import type { Priority, Tab } from '../../../shared/domain/transfer.ts';
import type { VersionNaming } from '../../../shared/domain/versions.ts';
import type { HistoryNote, ListedVersion, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { EngineDirection, Seen, StateName, TransferRecord } from './record.ts';
import type { StateTraits } from './state-traits.ts';

/**
 * Changes of a row of the list, in one transaction with the record, on the database thread. A row names the transfer that writes it
 * (`writer`). What a user did or a newer transfer found out meanwhile is never overwritten: each kind says when it applies.
 */
export type RowChange =
  /**
   * An upload was verified: this is what is stored now, whatever the row said. A row that was removed is added again. `epoch`: the
   * row's before HEAD. If another upload has stored other bytes since, nothing is written, not even the record.
   */
  | {
      readonly kind: 'stored';
      readonly patch: ObjectPatch;
      readonly epoch?: number;
      readonly history: HistoryNote;
      /** The content under the identifier, for a patch with `parts`. */
      readonly manifest?: string;
      /** Chunks that the manifest names and that are missing. */
      readonly gaps?: Gaps;
    }
  /**
   * HEAD answered (`epoch`: the row's when the request was sent). No-op if the row has changed since. `gaps`: the manifest is there,
   * but not all of its chunks.
   */
  | {
      readonly kind: 'seen';
      readonly seen: Seen;
      readonly epoch: number;
      readonly history?: HistoryNote;
      readonly gaps?: Gaps;
    }
  /**
   * HEAD found what an abandoned upload may have stored: the list must contain it, even if the row was removed or another upload has
   * its name meanwhile. `sentBytes`: the length of what it may have stored. `listedStoredAtMs`: the row's `storedAtMs` at the first
   * look. No-op if it was deleted since (`epoch`; null: there was no row).
   */
  | {
      readonly kind: 'found';
      readonly lengthBytes: number | null;
      readonly sentBytes: number | null;
      readonly listedStoredAtMs: number | null;
      readonly epoch: number | null;
    }
  /** A download is complete. `isFresh`: the bytes are current, so the object exists; a deferred result may be older. */
  | {
      readonly kind: 'downloaded';
      readonly lengthBytes: number;
      readonly sha256: string;
      /** null: a deferred result; then the row's present digest and length must match or be unknown. */
      readonly epoch: number | null;
      readonly isFresh: boolean;
      /** The manifest, if the bytes came in chunks. */
      readonly inParts?: { readonly parts: InParts; readonly manifest: string };
    }
  /** The upload may have arrived: a row that is `uploading` for this transfer becomes `unknown`, and keeps it as its writer. */
  | { readonly kind: 'unsure' }
  /** A secret's value was read: it exists and has this length. */
  | { readonly kind: 'secretRead'; readonly lengthBytes: number }
  /**
   * This transfer is no longer the writer. A row that is still `uploading` or `unknown` and named it as its writer gets `state`.
   * `remove`: the row is removed if it was added for this upload and has no note.
   */
  | { readonly kind: 'release'; readonly state: 'failed' | 'unknown'; readonly history: HistoryNote }
  | { readonly kind: 'remove' }
  /** A Replace may change the object from now on: until it is verified again, it does not count as stored. */
  | { readonly kind: 'replacing' }
  /** A Replace releases the row it had taken. A row that was added for it is removed if it was cancelled; null: nothing to note. */
  | { readonly kind: 'leave'; readonly history: HistoryNote | null }
  /** The existing object is left as it is (Skip). */
  | { readonly kind: 'skipped'; readonly seen: Seen }
  /** A deletion begins. Returns whether the row could be taken for it (it exists, is data, and has no writer). */
  | { readonly kind: 'deleting' }
  /** How a deletion ended, for the row it took. `state` null: as it was before. */
  | { readonly kind: 'deleted'; readonly state: 'gone' | 'unknown' | null; readonly history: HistoryNote }
  /** Adds to the history only. */
  | { readonly kind: 'note'; readonly history: HistoryNote };

/** The chunks of a file that are missing: their indexes, from 0, in the manifest with this digest. */
export interface Gaps {
  readonly parts: readonly number[];
  readonly manifestSha256: string;
}

/** One change of a record and of its row: both or neither is written. */
export interface Transition {
  readonly id: number;
  /** Fields to change; a finished `state` ends the record. */
  readonly change: Partial<Omit<TransferRecord, 'id' | 'serviceId' | 'origin'>>;
  readonly row?: RowChange;
  /** When the answers were given that changed the row, by the service's clock; without it: now, by the own one. */
  readonly atMs?: number;
  /** What was fetched of an object, and compared: the list need not take anybody's word for it. */
  readonly confirmed?: Confirmed;
  /**
   * Keeps the record claimed although its state is `waiting` (a deferred start that is retried at once). Without it, a `state` that
   * is waiting, asking or finished ends the claim.
   */
  readonly keepsClaim?: boolean;
  /** Objects that stay on the service under identifiers of ours: the list gets them, and they are deleted like any object. */
  readonly leftovers?: readonly Leftover[];
}

export interface Confirmed {
  readonly objectId: number;
  /** Of its row, before it was fetched. */
  readonly epoch: number;
  /** Of the file, whole or in chunks. */
  readonly lengthBytes: number;
  readonly sha256: string;
  /** What lies under the identifier is a manifest, of another length and digest. */
  readonly isInParts?: boolean;
}

export interface Leftover {
  readonly identifier: string;
  readonly lengthBytes: number;
  readonly sha256: string;
  readonly classification: string | null;
  /** Not to be deleted: the old bytes, which the user wanted to keep on the service. */
  readonly stays?: boolean;
}

export interface Applied {
  /** false: the record no longer exists (its service was removed), and nothing was changed. */
  readonly isThere: boolean;
  /** Whether the row change was applied. */
  readonly rowChanged: boolean;
  /** true: nothing was written, because another upload has stored other bytes since HEAD. */
  readonly isOvertaken?: boolean;
}

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
  /** Of a secret: store it although the list says that it exists, if nobody here has seen that. */
  readonly storesUnseen?: boolean;
  /** The file of a watched folder that an upload sends: remembered as sent in the same transaction. */
  readonly watched?: Watched | undefined;
};

/** A file of a watched folder. @param path below the folder, with `/` */
export interface Watched {
  readonly folderId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
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

/** The user's correction of an upload; missing fields stay as they are. `classification` null: the service's default policy. */
export interface TransferEdit {
  readonly identifier?: string;
  readonly classification?: string | null;
  readonly file?: ChosenFile;
  /** Keep the replaced bytes on the service, because there is no room for them here. */
  readonly keeps?: 'service';
}

/** Deletions are in neither tab. */
export type { Tab };
export type StoredGroup = StateTraits['group'];

/** Records held up by one error of their own; `code` null: all of the service. */
export interface Held {
  readonly serviceId: string;
  readonly code: string | null;
}

export interface PageGroup {
  readonly group: StoredGroup;
  /** How many that are in work stand between it and the group before it. */
  readonly after?: number;
  /** `only`: just what this holds up. `except`: without what these hold up. */
  readonly only?: Held | undefined;
  readonly except?: readonly Held[] | undefined;
}

/** A batch that grows; its number is one of `newBatch`. */
export interface NewBatch {
  readonly id: number;
  readonly action: BatchAction;
}

/** Transfers that one action of a person started, counted by their states. */
export interface StoredBatch {
  readonly id: number;
  readonly serviceId: string;
  readonly action: BatchAction;
  /** The innermost folder of all its identifiers; '': there is none. */
  readonly folder: string;
  readonly createdAtMs: number;
  /** Waiting or running. */
  readonly open: number;
  /** Of the open ones. */
  readonly paused: number;
  readonly asking: number;
  readonly failed: number;
  readonly done: number;
  readonly cancelled: number;
  readonly openBytes: number;
  readonly doneBytes: number;
  /** Of the done and cancelled ones, those that have not left the history. */
  readonly listed: number;
  /** When the last one ended. */
  readonly finishedAtMs: number | null;
  /** The open one that is first in the queue. */
  readonly next: TransferRecord | null;
}

export type DockRow = { readonly transfer: TransferRecord } | { readonly batch: StoredBatch };

export interface DockSection {
  readonly total: number;
  /** Without the transfers of opened batches. */
  readonly entries: number;
  readonly rows: readonly DockRow[];
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
  /** Only these, which the user waits for: ignores pauses and order. */
  readonly ids?: readonly number[];
}
export type QueueKind = 'large' | 'small' | 'start' | 'delete';

export interface TransferCounts {
  readonly serviceId: string;
  readonly tab: Tab | 'none';
  readonly direction: EngineDirection;
  readonly state: StateName;
  /** Questions of watched folders, which do not open by themselves. */
  readonly asksForWatched: boolean;
  /** Paused by themselves, not with their service. */
  readonly isPaused: boolean;
  /** Not of a batch. */
  readonly isAlone: boolean;
  readonly count: number;
  readonly totalBytes: number;
}

export interface TransferStore {
  /**
   * Adds records in order, each behind all others of its priority, with the rows of uploads, in one transaction.
   * @param batch a number of `newBatch`, to which they belong
   * @returns their ids
   * @throws AppFailure notFound: the service has no document (it was removed); exists: a secret's identifier is taken. Then nothing
   * is written
   */
  enqueue(
    serviceId: string,
    transfers: readonly NewTransfer[],
    batch?: NewBatch,
  ): Promise<{ id: number; objectId: number | null }[]>;
  /** A number that no batch ever had. The batch is there with its first transfers, and as long as it has some. */
  newBatch(): Promise<number>;
  /** One transaction, in the order given; durable when it resolves. */
  apply(transitions: readonly Transition[]): Promise<Applied[]>;
  /**
   * Claims the next records that are ready (state `waiting`, not paused, no retry pending, of this origin), by priority and order.
   * One transaction sets the state that may have sent something (`sending` for uploads, `receiving` with `temporaryPath` null for
   * downloads, `deleting` with the row taken for deletions; deferred starts stay `waiting`) and marks them as claimed, so that no
   * action on the database changes them. Skips uploads whose identifier is being deleted or has an earlier deletion pending, and
   * deletions while an upload of the identifier is in work or writes its row. A deletion whose row is gone or cannot be deleted fails
   * (`notFound`) and is left out.
   * @returns the records in starting order
   */
  claim(wish: ClaimWish): Promise<TransferRecord[]>;
  /** Puts back records that were claimed and never started, unchanged. */
  unclaim(ids: readonly number[]): Promise<void>;
  /** Records in work when the last run ended: all that are neither waiting, asking nor finished, and all that were claimed. */
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
  /** Whether another upload is storing under the identifier, or may have and will check. */
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
   * Cancels waiting and asking records and releases their rows. For all, for a service or for a batch it takes effect at once and
   * survives a kill; records and rows are updated in the background, a few hundred per transaction.
   * @returns how many
   */
  cancel(which: Which): Promise<number>;
  /**
   * Restarts failed, lost and cancelled uploads and downloads of data; `all` and a batch leave out what the user cancelled. Those of a
   * batch begin again in the background, also after a kill.
   * @param origins the present origin of each service; at another origin, nothing counts as possibly stored
   * @param takesOther downloads take what the service has where an imported list has said otherwise
   */
  retry(which: Which, origins: ReadonlyMap<string, string>, takesOther?: boolean): Promise<number>;
  /**
   * Restarts a failed, lost or cancelled upload of data with another identifier, classification or file. The row added for the old
   * identifier is removed, unless it has a note or something may be stored there. false: not possible now.
   */
  editAndRetry(id: number, change: TransferEdit, origins: ReadonlyMap<string, string>): Promise<boolean>;
  /** Removes failed, lost and cancelled records, and the rows added for uploads that stored nothing. @returns how many */
  drop(which: Which): Promise<number>;
  /** Makes records that wait for their retry due now. */
  retryNow(which: Which): Promise<number>;
  /** Waiting records only; for all, for a service or for a batch as `cancel`. */
  pause(which: Which, isPaused: boolean): Promise<number>;
  /** Resolves when all that goes on in the background is over. */
  settled(): Promise<void>;
  /** Of unfinished records that are not in work; for a batch as `cancel`, but it takes effect when it is applied. */
  setPriority(which: Which, priority: Priority): Promise<void>;
  move(ids: readonly number[], before: number | 'top' | null): Promise<void>;
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

  /**
   * Groups one after the other, at one moment. In display order: newest first for done and needsYou, starting order for waiting.
   * `offset` and `limit` count over all groups.
   */
  page(query: {
    tab: Tab;
    groups: readonly PageGroup[];
    offset: number;
    limit: number;
    /** A substring of the identifier, '' for all. */
    filter: string;
    /** Records in work, which are shown elsewhere. */
    exceptIds: readonly number[];
  }): Promise<{ total: number; records: TransferRecord[] }[]>;
  /**
   * The list of direct transfers at one moment, in which a batch is one row: among what waits or is done, or at the start of what moves.
   * What has failed or asks stands alone.
   */
  dockPage(query: {
    offset: number;
    limit: number;
    /** Records in work, which are shown elsewhere, and how many rows of them stand before each section. */
    exceptIds: readonly number[];
    before: { readonly needsYou: number; readonly waiting: number; readonly done: number };
    /** Batches with a transfer in work. */
    moving: readonly number[];
    /** By batch: its open transfers that are shown as cancelled or failed, while it is found out whether they were stored. */
    givenUp: ReadonlyMap<number, number>;
    /** Records in work that are shown as failed or asking, and so not below their batches. */
    failing: readonly number[];
    /** Batches whose transfers stand below them. */
    opened: readonly number[];
    /** Causes that are shown elsewhere. */
    except: { readonly needsYou: readonly Held[]; readonly waiting: readonly Held[] };
  }): Promise<Readonly<Record<'needsYou' | 'moving' | 'waiting' | 'done', DockSection>>>;
  batch(id: number): Promise<StoredBatch | null>;
  /** The transfers of a batch that are done or cancelled, newest first. */
  doneOfBatch(id: number, limit: number): Promise<TransferRecord[]>;
  counts(): Promise<TransferCounts[]>;
  /** Waiting records with an error, and failed ones, by cause. */
  causes(): Promise<
    {
      serviceId: string;
      tab: Tab;
      group: 'waiting' | 'needsYou';
      code: string;
      count: number;
      error: AppError;
    }[]
  >;
  /** When the first pending retry is due, wall clock, ms; null: none. */
  nextDueMs(): Promise<number | null>;
  /** The newest unfinished record of each object, shown over its row. */
  ofObjects(objectIds: readonly number[]): Promise<TransferRecord[]>;
  /** The newest unfinished deletion of data of this identifier; null: none. */
  deletionOf(serviceId: string, identifier: string): Promise<TransferRecord | null>;
  /** The newest upload or download of an object that failed or was lost for a known reason; null: none. */
  failedOf(objectId: number): Promise<TransferRecord | null>;
  /** The transfers of an object that are done and still in the history, newest first. */
  doneOf(objectId: number): Promise<TransferRecord[]>;
  /** The newest upload of the file at this path, or download to it as a private copy; null: none. */
  ofPath(path: string): Promise<TransferRecord | null>;
  /** The oldest open question, without those of watched folders; null: none. */
  firstAsking(serviceId: string | null): Promise<TransferRecord | null>;
  /** Number of uploads created since then (wall clock, ms) that are done because the same bytes were stored already. */
  sameBytes(serviceId: string, createdFromMs: number): Promise<number>;
  /** Number of unfinished records; used before quitting and before a change of address. */
  unfinished(serviceId: string): Promise<number>;
}
