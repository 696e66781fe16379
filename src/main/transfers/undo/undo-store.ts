/** The rows of undo copies in the database. */

export type UndoRole = 'old' | 'new';

/** One file of the vault. */
export interface UndoCopy {
  /** Unique name in the vault. */
  readonly file: string;
  readonly serviceId: string;
  /** The service's origin: at another address it is another object. */
  readonly origin: string;
  readonly identifier: string;
  readonly classification: string | null;
  readonly sourceName: string | null;
  readonly lengthBytes: number;
  readonly sha256: string;
  readonly keptAtMs: number;
  /** By the wall clock, assuming that it is right and Coffer keeps running. */
  readonly untilMs: number;
  /** What replaced it on the service; null: unknown. */
  readonly replacedBy: { readonly sha256: string; readonly lengthBytes: number } | null;
}

export interface NewUndoCopy {
  readonly file: string;
  readonly serviceId: string;
  readonly origin: string;
  readonly identifier: string;
  readonly classification: string | null;
  readonly sourceName: string | null;
  readonly keepMs: number;
  readonly transferId: number;
  readonly role: UndoRole;
}

export interface UndoSummary {
  /** Of all undo copies, including unfinished work. */
  readonly bytes: number;
  readonly count: number;
  /** What *Clear* would remove. */
  readonly clearableBytes: number;
  readonly clearableCount: number;
}

/**
 * The rows of undo copies. Files that a call returns as removed are no longer needed; their rows stay until
 * `removed`, so that a file without a row is always unknown to this database.
 */
export interface UndoStore {
  add(copy: NewUndoCopy): Promise<void>;
  /** The file is whole and durable. */
  complete(file: string, bytes: { lengthBytes: number; sha256: string }): Promise<void>;
  /** @param exceptFile is not dropped */
  drop(transferId: number, role: UndoRole | null, exceptFile: string | null): Promise<string[]>;
  /** Turns the whole files of a transfer into versions. */
  release(transferId: number, role: UndoRole | null): Promise<void>;
  /**
   * Ends a Replace: keeps the old bytes for `keepMs`. Removes the new ones, a version with the digest that is on the
   * service now, and a duplicate of the old bytes.
   */
  finish(
    transferId: number,
    done: { keepMs: number; sha256: string; replacedBy: { sha256: string; lengthBytes: number } },
  ): Promise<string[]>;
  get(file: string): Promise<UndoCopy | null>;
  /** Includes files of unfinished transfers and unfinished files; looks only at rows. */
  has(file: string): Promise<boolean>;
  /** Newest first; without those of unfinished transfers. */
  ofObject(serviceId: string, identifier: string): Promise<UndoCopy[]>;
  summary(): Promise<UndoSummary>;
  /**
   * Returns expired copies that no unfinished transfer has or restores, and the oldest versions beyond `maxBytes` in all. Time is
   * counted from one call to the next (`counted-time.ts`).
   */
  trim(maxBytes: number): Promise<UndoCopy[]>;
  /** All versions; never those that an unfinished transfer has or restores. */
  clear(): Promise<UndoCopy[]>;
  /** Identifiers of whole copies of no transfer whose bytes were not replaced, as far as is known: the service may lack them. */
  unreplaced(serviceId: string): Promise<string[]>;
  removeService(serviceId: string): Promise<string[]>;
  /** These files are no longer on the disk. */
  removed(files: readonly string[]): Promise<void>;
  /** Of all rows, in any state. */
  files(): Promise<string[]>;
  /** The file was found whole: it becomes a version of no transfer. */
  adopt(file: string, bytes: { lengthBytes: number; sha256: string }): Promise<void>;
  /**
   * At a start, what a kill left. `going`: files still to be removed. `unfinished`: files that were not whole when
   * this was written; if the database is an older copy of itself they may be whole by now.
   */
  reconcile(): Promise<{ going: string[]; unfinished: string[] }>;
}
