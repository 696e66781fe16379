/** Bytes that are kept here, as the one file knows them. */

export type UndoRole = 'old' | 'new';

/** One file of the vault. */
export interface UndoCopy {
  /** Its name in the vault; nothing else has it. */
  readonly file: string;
  readonly serviceId: string;
  /** Where the service was: at another address it is another object. */
  readonly origin: string;
  readonly identifier: string;
  readonly classification: string | null;
  readonly sourceName: string | null;
  readonly lengthBytes: number;
  readonly sha256: string;
  readonly keptAtMs: number;
  /** By the wall clock, if it and Coffer go on running. */
  readonly untilMs: number;
  /** What took its place on the service; null: that is not known. */
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
  /** Of all that is kept, unfinished work included. */
  readonly bytes: number;
  readonly count: number;
  /** Of what *Clear* would take. */
  readonly clearableBytes: number;
  readonly clearableCount: number;
}

/**
 * The rows of kept files, in the one file. Files that are answered as removed are nobody's any more; their rows stay until `removed`,
 * so that a file without a row is always one that this database does not know.
 */
export interface UndoStore {
  add(kept: NewUndoCopy): Promise<void>;
  /** Its file is whole, and on the disk. */
  complete(file: string, bytes: { lengthBytes: number; sha256: string }): Promise<void>;
  /** @param exceptFile stays */
  drop(transferId: number, role: UndoRole | null, exceptFile: string | null): Promise<string[]>;
  /** What a transfer had kept stays as a version, whole files alone. */
  release(transferId: number, role: UndoRole | null): Promise<void>;
  /**
   * It is done: what was replaced stays until then, what replaces it goes, and so do a version that is what is on the service
   * now, of this digest, and a second one of what was replaced.
   */
  finish(
    transferId: number,
    done: { keepMs: number; sha256: string; replacedBy: { sha256: string; lengthBytes: number } },
  ): Promise<string[]>;
  get(file: string): Promise<UndoCopy | null>;
  /** Also of an unfinished transfer, and not whole; its file is not looked for. */
  has(file: string): Promise<boolean>;
  /** The newest first; without what an unfinished transfer has. */
  ofObject(serviceId: string, identifier: string): Promise<UndoCopy[]>;
  summary(): Promise<UndoSummary>;
  /**
   * What is no unfinished transfer's and whose time is over, and the oldest versions beyond so many bytes in all. The time is counted
   * from one call to the next (`counted-time.ts`).
   */
  trim(maxBytes: number): Promise<UndoCopy[]>;
  /** All versions; never of an unfinished transfer. */
  clear(): Promise<UndoCopy[]>;
  removeService(serviceId: string): Promise<string[]>;
  /** These files are not on the disk any more. */
  removed(files: readonly string[]): Promise<void>;
  /** Of all rows, whatever becomes of them. */
  files(): Promise<string[]>;
  /** Its file was found whole: it is a version from now on, and no transfer's. */
  adopt(file: string, bytes: { lengthBytes: number; sha256: string }): Promise<void>;
  /**
   * At a start, what a kill left. `going`: files that are still to be removed. `unfinished`: files that were not whole when this was
   * written; if the database is an older copy of itself they may be whole by now.
   */
  reconcile(): Promise<{ going: string[]; unfinished: string[] }>;
}
