import type { SeenState } from '../local-files/file-state.ts';
import type { Statements } from './statements.ts';

/** A state of a file in a watched folder: one that was sent, or that is not to be sent. */
export interface WatchedFile extends SeenState {
  /** Below the folder, with `/`. */
  readonly path: string;
  /** The upload of that state; null: it was there before the folder was watched. */
  readonly transferId: number | null;
}

/** A file whose upload has ended well. */
export interface SentFile {
  readonly path: string;
  readonly transferId: number;
  /** Of what was sent; null: not known. */
  readonly sha256: string | null;
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
  /** Of these files, those whose upload has ended well, or has left the list. */
  sent(folderId: string, paths: readonly string[]): Promise<SentFile[]>;
  /** Sets `ino` and `ctimeMs` of files that these uploads sent. In one transaction. */
  touch(folderId: string, files: readonly WatchedFile[]): Promise<void>;
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
  { path, sizeBytes, mtimeMs, ino, ctimeMs, transferId }: WatchedFile,
): void {
  rows(
    `INSERT OR REPLACE INTO watched_file (folder, path, size_bytes, mtime_ms, ino, ctime_ms, transfer)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    folderId,
    path,
    sizeBytes,
    mtimeMs,
    ino ?? null,
    ctimeMs ?? null,
    transferId,
  );
}

/** Records the digest of what an upload has stored. Runs within the caller's transaction. */
export function recordSent(rows: Statements['rows'], transferId: number, sha256: string): void {
  rows('UPDATE watched_file SET sha256 = ? WHERE transfer = ?', sha256, transferId);
}

export function createLocalWatchedFiles(
  { rows }: Statements,
  transaction: <T>(work: () => T) => T,
): WatchedFiles {
  return {
    async of(folderId) {
      return rows<[string, number, number, number | null, number | null, number | null]>(
        'SELECT path, size_bytes, mtime_ms, ino, ctime_ms, transfer FROM watched_file WHERE folder = ?',
        folderId,
      ).map(([path, sizeBytes, mtimeMs, ino, ctimeMs, transferId]) => ({
        path,
        sizeBytes,
        mtimeMs,
        ino: ino ?? undefined,
        ctimeMs: ctimeMs ?? undefined,
        transferId,
      }));
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

    async sent(folderId, paths) {
      // Until then, the upload may have read a state that is gone.
      return rows<[string, number, string | null]>(
        `SELECT path, transfer, sha256 FROM watched_file
         WHERE folder = ? AND path IN (SELECT value FROM json_each(?)) AND transfer IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM transfer t
           WHERE t.id = watched_file.transfer AND (t.finished_at_ms IS NULL OR t.error IS NOT NULL)
         )`,
        folderId,
        JSON.stringify(paths),
      ).map(([path, transferId, sha256]) => ({ path, transferId, sha256 }));
    },

    async touch(folderId, files) {
      transaction(() => {
        for (const { path, ino, ctimeMs, transferId } of files)
          rows(
            'UPDATE watched_file SET ino = ?, ctime_ms = ? WHERE folder = ? AND path = ? AND transfer = ?',
            ino ?? null,
            ctimeMs ?? null,
            folderId,
            path,
            transferId,
          );
      });
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
