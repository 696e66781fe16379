import type { Statements } from './statements.ts';

/** A state of a file in a watched folder: one that was sent, or that is not to be sent. */
export interface WatchedFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** The upload of that state; null: it was there before the folder was watched. */
  readonly transferId: number | null;
}

/** Delay in ms before retrying an upload whose file was missing. */
const goneRetryMs = 60_000;
/** The same for a file that could not be read: it may be locked by a program, or never readable. */
const unreadableRetryMs = 600_000;

/** Records the files of watched folders, so that nothing is sent again after a restart. */
export interface WatchedFiles {
  of(folderId: string): Promise<WatchedFile[]>;
  /**
   * Uploads to retry: those that failed because their file was missing, had changed, or could not be read, as when its drive was
   * disconnected.
   */
  unsent(folderId: string, nowMs: number): Promise<number[]>;
  /** In one transaction. */
  remember(folderId: string, files: readonly WatchedFile[]): Promise<void>;
  /** Forgets the states that these uploads, or all, sent. */
  forget(folderId: string, transferIds: readonly number[] | 'all'): Promise<void>;
  /** Forgets the files of all other folders. */
  retain(folderIds: readonly string[]): Promise<void>;
}

/** Runs within the caller's transaction, such as the upload's. */
export function rememberWatched(
  rows: Statements['rows'],
  folderId: string,
  { path, sizeBytes, mtimeMs, transferId }: WatchedFile,
): void {
  rows(
    `INSERT INTO watched_file VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, transfer = excluded.transfer`,
    folderId,
    path,
    sizeBytes,
    mtimeMs,
    transferId,
  );
}

export function createLocalWatchedFiles(
  { rows }: Statements,
  transaction: <T>(work: () => T) => T,
): WatchedFiles {
  return {
    async of(folderId) {
      return rows<[string, number, number, number | null]>(
        'SELECT path, size_bytes, mtime_ms, transfer FROM watched_file WHERE folder = ?',
        folderId,
      ).map(([path, sizeBytes, mtimeMs, transferId]) => ({ path, sizeBytes, mtimeMs, transferId }));
    },

    async unsent(folderId, nowMs) {
      // The clock may have been ahead when the upload failed.
      return rows<[number]>(
        `SELECT t.id FROM watched_file JOIN transfer t ON t.id = watched_file.transfer
         WHERE folder = ?1 AND t.error IN ('fileGone', 'fileChanged', 'fileSpecial', 'fileUnreadable')
           AND abs(t.finished_at_ms - ?2) >= iif(t.error = 'fileUnreadable', ?4, ?3)`,
        folderId,
        nowMs,
        goneRetryMs,
        unreadableRetryMs,
      ).map(([id]) => id);
    },

    async remember(folderId, files) {
      transaction(() => {
        for (const file of files) rememberWatched(rows, folderId, file);
      });
    },

    async forget(folderId, transferIds) {
      if (transferIds === 'all')
        return void rows('DELETE FROM watched_file WHERE folder = ? AND transfer IS NOT NULL', folderId);
      rows(
        'DELETE FROM watched_file WHERE folder = ? AND transfer IN (SELECT value FROM json_each(?))',
        folderId,
        JSON.stringify(transferIds),
      );
    },

    async retain(folderIds) {
      rows(
        'DELETE FROM watched_file WHERE folder NOT IN (SELECT value FROM json_each(?))',
        JSON.stringify(folderIds),
      );
    },
  };
}
