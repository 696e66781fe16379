import type { AppError } from '../../../shared/errors.ts';
import type { InParts, ObjectKind, ObjectRecord } from '../../../shared/domain/object.ts';
import type { Answer } from '../../../shared/domain/service.ts';
import type { Priority, Tab } from '../../../shared/domain/transfer.ts';
import type { VersionNaming } from '../../../shared/domain/versions.ts';
import type { HistoryNote, ListedVersion, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { Seen, StateName, TransferRecord } from './record.ts';
import type { StateTraits } from './state-traits.ts';

/**
 * The records in the file, beside the list of objects, so that a change of both is one transaction. It runs on the
 * catalogue's thread. A row of the list names the transfer that is writing it (`writer`); what a person did or a
 * newer transfer found out meanwhile is never overwritten: each change of a row says when it holds.
 */
export type RowChange =
  /** An upload was verified: this is what is stored now, whoever thought otherwise. A row that went is added anew. */
  | {
      readonly kind: 'stored';
      readonly patch: ObjectPatch;
      readonly history: HistoryNote;
      /** What lies under the identifier, of a patch with `parts`. */
      readonly manifest?: string;
      /** Not all of what that names is there. */
      readonly gaps?: Gaps;
    }
  /**
   * HEAD answered (`epoch`: of the row when the question was sent). Nothing, when the row has changed since. `gaps`: a list of parts
   * is there, and not all of what it names.
   */
  | {
      readonly kind: 'seen';
      readonly seen: Seen;
      readonly epoch: number;
      readonly history?: HistoryNote;
      readonly gaps?: Gaps;
    }
  /**
   * HEAD has found what an upload that was given up may have stored: the list must have it, also where the row went or another
   * upload has its name meanwhile. Nothing, when it was deleted since (`epoch`; null: there was no row).
   */
  | { readonly kind: 'found'; readonly lengthBytes: number | null; readonly epoch: number | null }
  /** A download is whole. `isFresh`: the bytes are of now, so the object is there; a deferred result is of yesterday. */
  | {
      readonly kind: 'downloaded';
      readonly lengthBytes: number;
      readonly sha256: string;
      /** null: of a deferred result; then the row's present digest and length must be these or unknown. */
      readonly epoch: number | null;
      readonly isFresh: boolean;
      /** What lies under the identifier, where these bytes came in parts. */
      readonly inParts?: { readonly parts: InParts; readonly manifest: string };
    }
  /** It may have arrived, and nobody knows: a row that is `uploading` for this transfer becomes `unknown`, and stays its own. */
  | { readonly kind: 'unsure' }
  /** A secret's value was read: it is there, of this length. */
  | { readonly kind: 'secretRead'; readonly lengthBytes: number }
  /**
   * This transfer writes the row no longer. A row that is still `uploading` or `unknown` and named it as its writer gets `state`.
   * `remove`: it goes, when it was added for this upload and has no note.
   */
  | { readonly kind: 'release'; readonly state: 'failed' | 'unknown'; readonly history: HistoryNote }
  | { readonly kind: 'remove' }
  /** A Replace may touch the object from here on: until it is proven again nobody says that it is stored. */
  | { readonly kind: 'replacing' }
  /** A Replace leaves the row it had taken. A row that was added for it goes with a cancelled one; null: nothing to tell. */
  | { readonly kind: 'leave'; readonly history: HistoryNote | null }
  /** What exists already is left as it is (Skip). */
  | { readonly kind: 'skipped'; readonly seen: Seen }
  /** A deletion begins: answers whether the row could be taken for it (it is there, is data, and nobody writes it). */
  | { readonly kind: 'deleting' }
  /** How a deletion ended, for the row that it took. `state` null: as it was before. */
  | { readonly kind: 'deleted'; readonly state: 'gone' | 'unknown' | null; readonly history: HistoryNote }
  /** History alone. */
  | { readonly kind: 'note'; readonly history: HistoryNote };

/** What of a file cannot be had: numbers of its parts, from 0, in the list of them with this digest. */
export interface Gaps {
  readonly parts: readonly number[];
  readonly manifestSha256: string;
}

/** One change of one record, with what it means for its row: both or neither. */
export interface Transition {
  readonly id: number;
  /** Fields to change; `state` with a finished one ends it. */
  readonly change: Partial<Omit<TransferRecord, 'id' | 'serviceId' | 'origin'>>;
  readonly row?: RowChange;
  /**
   * Who has claimed the record goes on with it, although its state is `waiting` (a deferred start that is tried again at
   * once). Without it a state that is given, and is waiting, asking or finished, ends the claim.
   */
  readonly keepsClaim?: boolean;
  /** What stays on the service under an identifier of ours: the list has it from now on, and it is deleted like any object. */
  readonly leftovers?: readonly Leftover[];
}

export interface Leftover {
  readonly identifier: string;
  readonly lengthBytes: number;
  readonly sha256: string;
  readonly classification: string | null;
  /** It is to stay: the old bytes that a person wanted to have there. */
  readonly stays?: boolean;
}

export interface Applied {
  /** false: the record is not there any more (its service was removed); nothing was changed. */
  readonly isThere: boolean;
  /** Whether the row change held. */
  readonly rowChanged: boolean;
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
  | 'finishedAtMs'
> & {
  /** Of a download or deletion. An upload's row is found or added by its identifier, in the same transaction. */
  readonly objectId: number | null;
  /** What the row of an upload gets when it is added. */
  readonly newRow: ObjectPatch | null;
};

/** Which records an action means. Only those that are not in work: what runs is the runner's. */
export type Which =
  /** `tab`: of one filter of the list only. Deletions are never meant. */
  | { readonly kind: 'all'; readonly tab?: Tab }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'service'; readonly serviceId: string }
  | {
      readonly kind: 'cause';
      readonly serviceId: string;
      readonly group: 'waiting' | 'needsYou';
      readonly code: string;
    };

/** What a person sets right of an upload; what is left out stays. `classification` null: the service's default policy. */
export interface ChosenFile {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface TransferEdit {
  readonly identifier?: string;
  readonly classification?: string | null;
  readonly file?: ChosenFile;
  /** What it replaces is kept on the service, where there is no room for it here. */
  readonly keeps?: 'service';
}

/** Deletions are in neither tab. */
export type { Tab };
export type StoredGroup = StateTraits['group'];

/** What is held up by one trouble of its own; `code` null: everything of the service. */
export interface Held {
  readonly serviceId: string;
  readonly code: string | null;
}

export interface ClaimWish {
  readonly serviceId: string;
  /** `large`, `small`: direct transfers with or without `isSmall`; `start`: deferred starts; `delete`: deletions. */
  readonly queue: QueueKind;
  readonly limit: number;
  /** false: those of `whenIdle` stay. */
  readonly includesIdle: boolean;
  /** The service's present origin: records of another are not claimed. */
  readonly origin: string;
  /** These alone, for whom a person waits: neither a pause nor their order counts. */
  readonly ids?: readonly number[];
}
export type QueueKind = 'large' | 'small' | 'start' | 'delete';

export interface TransferCounts {
  readonly serviceId: string;
  readonly tab: Tab | 'none';
  readonly state: StateName;
  readonly count: number;
  readonly totalBytes: number;
}

export interface TransferStore {
  /**
   * Adds records, in order, each behind all others of its priority, with the rows of uploads: one transaction.
   * Answers the ids. Refuses a service that has no document (`notFound`): nothing is written for a service that was removed.
   * A secret whose identifier holds one refuses them all (`exists`).
   */
  enqueue(
    serviceId: string,
    transfers: readonly NewTransfer[],
  ): Promise<{ id: number; objectId: number | null }[]>;
  /** One transaction, durable when it resolves, in the order given. */
  apply(transitions: readonly Transition[]): Promise<Applied[]>;
  /**
   * Takes the next records whose turn it is (state `waiting`, not paused, no next try ahead, of this origin), by priority and
   * order: in one transaction their state becomes what may have left (`sending` for uploads, `receiving` for downloads,
   * `deleting` with the row taken for deletions; deferred starts stay `waiting`) and they are marked as claimed, so that no
   * action on the file touches them. Uploads whose identifier is being deleted, or whose deletion was asked for before them, are
   * passed over, and so are deletions while an upload of the identifier is in work or writes its row. A deletion whose row is
   * not there any more, or cannot be deleted, fails (`notFound`) and is not among the answer. Downloads get `temporaryPath` null. Ordered as they are to start.
   */
  claim(wish: ClaimWish): Promise<TransferRecord[]>;
  /** Puts records back that were claimed and never begun, as they were. */
  unclaim(ids: readonly number[]): Promise<void>;
  /** Records in work when the last run ended: everything that is neither waiting, asking nor finished, and what was claimed. */
  interrupted(): Promise<TransferRecord[]>;
  getMany(ids: readonly number[]): Promise<TransferRecord[]>;
  /** The row of an object with its epoch, which every change of its state or content moves on. */
  rows(objectIds: readonly number[]): Promise<{ record: ObjectRecord; epoch: number }[]>;
  /**
   * Takes another identifier for an upload (Keep both): adds its row, whose writer the record becomes; false when the list has it
   * already. The row it had before is released: removed when it was added for it. One transaction with the record's change.
   */
  takeIdentifier(id: number, identifier: string): Promise<{ objectId: number } | null>;
  /**
   * Makes an upload in work the writer of the row of its identifier, which is added when there is none: nobody else replaces,
   * stores or deletes that until it leaves. null: somebody does now.
   */
  takeRow(id: number): Promise<{ objectId: number } | null>;

  /** The rows of a base and its versions, the first first. */
  versions(
    serviceId: string,
    kind: ObjectKind,
    base: string,
    naming: VersionNaming,
  ): Promise<(ListedVersion & { readonly epoch: number })[]>;
  /** Whether another upload than this one is storing something under an identifier, or may have and is going to look. */
  isBeingStored(id: number, identifier: string): Promise<boolean>;
  /**
   * As `takeIdentifier`, for the next version: also where the list has a row of it, since the service does not show the object.
   * null: another upload or deletion that has not ended has the row, or it is not as it was before the service was asked.
   * @param epoch as it was then; null: there was no row
   * @param classification with which it is stored there; without: that of the record
   */
  takeVersion(
    id: number,
    identifier: string,
    epoch: number | null,
    classification?: string | null,
  ): Promise<{ objectId: number; addedRow: boolean } | null>;

  /**
   * Waiting ones (and asking ones) are cancelled and leave their rows. Answers how many. Of all or of a service: it holds at
   * once and survives a kill, and each record and its row are told in the background, a few hundred in a transaction.
   */
  cancel(which: Which): Promise<number>;
  /**
   * Failed, lost and cancelled uploads and downloads of data begin again; `all` leaves alone what a person cancelled.
   * @param origins where each service is now: it is meant as it is now, and what may have arrived elsewhere is new there
   */
  retry(which: Which, origins: ReadonlyMap<string, string>): Promise<number>;
  /**
   * An upload of data that failed, was lost or was cancelled begins again with another identifier, classification or file. The row
   * that was added for the old identifier goes, unless it has a note or something may be stored there. false: it cannot now.
   */
  editAndRetry(id: number, change: TransferEdit, origins: ReadonlyMap<string, string>): Promise<boolean>;
  /** Failed, lost and cancelled ones leave the list, with the rows that were added for uploads of which nothing is stored. Answers how many. */
  drop(which: Which): Promise<number>;
  /** Waiting ones that wait for their next try are due now. */
  retryNow(which: Which): Promise<number>;
  /** Waiting ones alone; all or a service as with `cancel`. */
  pause(which: Which, isPaused: boolean): Promise<number>;
  setPriority(ids: readonly number[], priority: Priority): Promise<void>;
  move(ids: readonly number[], before: number | 'top' | null): Promise<void>;
  /** Asking ones get an answer and wait again; `all` of the service also those that have not asked yet. */
  answer(serviceId: string, ids: readonly number[] | 'all', answer: Answer): Promise<void>;
  /** Finished ones leave the list: the done and cancelled, or the failed and lost. */
  clear(tab: Tab, group: 'done' | 'needsYou'): Promise<void>;
  /** Caps the history of each tab by number and age (wall clock, ms), and that of deletions with those that failed. */
  trim(maxDone: number, finishedBeforeMs: number): Promise<void>;
  removeService(serviceId: string): Promise<void>;

  /** In the order of the window: newest first for done and needsYou, the order of starting for waiting. */
  page(query: {
    tab: Tab;
    group: StoredGroup;
    offset: number;
    limit: number;
    /** A part of the identifier, '' for all. */
    filter: string;
    /** In work: shown elsewhere. */
    exceptIds: readonly number[];
    /** Only what this one holds up; and nothing of what these do. */
    only?: Held | undefined;
    except?: readonly Held[] | undefined;
  }): Promise<{ total: number; records: TransferRecord[] }>;
  counts(): Promise<TransferCounts[]>;
  /** Waiting ones that have trouble, and failed ones, by cause. */
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
  /** When the first of those that wait for their next try is due; null: none does. Wall clock, ms. */
  nextDueMs(): Promise<number | null>;
  /** The newest unfinished record of each object, for what lies over its row. */
  ofObjects(objectIds: readonly number[]): Promise<TransferRecord[]>;
  /** The newest upload or download of an object that failed or was lost for a reason; null: none. */
  failedOf(objectId: number): Promise<TransferRecord | null>;
  /** The newest finished download of an object that was saved as a file; null: none is in the list. */
  savedOf(objectId: number): Promise<TransferRecord | null>;
  /** The newest upload of the file at this path, or download to it as a private copy; null: none is in the list. */
  ofPath(path: string): Promise<TransferRecord | null>;
  /** The oldest that asks; null: none. */
  firstAsking(serviceId: string | null): Promise<TransferRecord | null>;
  /** Uploads asked for from then on (wall clock, ms) that are done because the same bytes were there. */
  sameBytes(serviceId: string, createdFromMs: number): Promise<number>;
  /** Not finished, by origin or all; for quitting, for a change of address. */
  unfinished(serviceId: string): Promise<number>;
}
