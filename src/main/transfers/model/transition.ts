import type { InParts } from '../../../shared/domain/object.ts';
import type { HistoryNote, ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { TransferRecord } from './record.ts';
import type { Seen } from './state.ts';

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
      /** Parts that the manifest names and that are missing. */
      readonly gaps?: Gaps;
    }
  /**
   * HEAD answered (`epoch`: the row's when the request was sent). No-op if the row has changed since. `gaps`: the manifest is there,
   * but not all of its parts.
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
      /** The manifest, if the bytes came in parts. */
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
  /** A Replace has verified the new object: the list shows it, while the Replace stays its writer for one more look. */
  | { readonly kind: 'verified'; readonly patch: ObjectPatch }
  /** A Replace releases the row it had taken. A row that was added for it is removed if it was cancelled; null: nothing to note. */
  | { readonly kind: 'leave'; readonly history: HistoryNote | null }
  /** The existing object is left as it is (Skip). */
  | { readonly kind: 'skipped'; readonly seen: Seen }
  /** A deletion begins. Returns whether the row could be taken for it (it exists, is data, and has no writer). */
  | { readonly kind: 'deleting' }
  /** How a deletion ended, for the row it took. `state` null: as it was before. `isOther`: other bytes than the list knows were found there. */
  | {
      readonly kind: 'deleted';
      readonly state: 'gone' | 'missing' | 'unknown' | null;
      readonly history?: HistoryNote;
      readonly isOther?: true;
    }
  /** Adds to the history only. */
  | { readonly kind: 'note'; readonly history: HistoryNote };

/** The parts of a file that are missing: their indexes, from 0, in the manifest with this digest. */
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
  /** When the service gave the answers behind the row change, by its clock; without it: now, by the local clock. */
  readonly atMs?: number;
  /** Bytes that were fetched and compared, so that the list no longer relies on unverified facts. */
  readonly confirmed?: Confirmed;
  /**
   * Keeps the record claimed although its state is `waiting` (a deferred start that is retried at once). Without it, a `state` that
   * is waiting, asking or finished ends the claim.
   */
  readonly keepsClaim?: boolean;
  /** Objects that stay on the service under identifiers of ours: the list gets them, and they are deleted like any object. */
  readonly replaceCopies?: readonly ReplaceCopy[];
}

export interface Confirmed {
  readonly objectId: number;
  /** Of the row, read before the fetch. */
  readonly epoch: number;
  /** Of the file, whole or in parts. */
  readonly lengthBytes: number;
  readonly sha256: string;
  /** The identifier holds a manifest, of another length and digest. */
  readonly isInParts?: boolean;
}

/** What a Replace stored beside its object. */
export interface ReplaceCopy {
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
