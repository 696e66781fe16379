import type { Statements } from './statements.ts';

/** A file of a watched folder in the state in which it was sent, or is not to be sent. */
export interface WatchedFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** The upload of that state; null: it was there before the folder was watched. */
  readonly transferId: number | null;
}

/** Until an upload of a file that was not there is begun again, in ms. */
const goneRetryMs = 60_000;
/** One that a program keeps locked, or that may never be read, is tried seldom. */
const unreadableRetryMs = 600_000;

/** What watched folders remember of their files, so that nothing is sent again after a restart. */
export interface WatchedFiles {
  of(folderId: string): Promise<WatchedFile[]>;
  /**
   * Uploads that failed because their file was not there, was another, or could not be read, as when its drive was away: they are
   * begun again.
   */
  unsent(folderId: string, nowMs: number): Promise<number[]>;
  /** In one transaction. */
  remember(folderId: string, files: readonly WatchedFile[]): Promise<void>;
  /** Forgets the states that went with these uploads, or with all. */
  forget(folderId: string, transferIds: readonly number[] | 'all'): Promise<void>;
  /** Forgets the files of all other folders. */
  retain(folderIds: readonly string[]): Promise<void>;
}

/** Within a transaction of the caller, such as that of the upload. */
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
      // The clock may have been ahead.
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
