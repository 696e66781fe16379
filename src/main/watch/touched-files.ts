import { isSeenUntouched } from '../local-files/file-state.ts';
import { digestOf } from '../local-files/source.ts';
import { untilAborted } from '../lib/async.ts';
import type { Log } from '../ports.ts';
import { pathOf } from '../upload-plan/sheet-entries.ts';
import type { FoundFile } from '../upload-plan/read-files.ts';
import type { SentFile, WatchedFile, WatchedFiles } from '../database/watched-files.ts';

/** Files per call of the database. */
const batchSize = 1_000;

/**
 * Files that have the length and time of what was sent, but another inode or ctime: they may have been replaced, or only got other
 * permissions, or lie on a drive that numbers its files anew at each connection. Only their digest tells.
 */
export interface TouchedFiles {
  /** Whether the file was found to differ from what was sent. If it has not been compared in this state, it will be. */
  differs(path: string, file: FoundFile): boolean;
  /** Compares what has come up since the last call, unless it is still at it. */
  begin(): void;
  /** Resolves once the signal is aborted and nothing is compared any more. */
  ended(): Promise<void>;
}

/** Compares beside the following of the folder, one file at a time, so that new files need not wait. */
export function createTouchedFiles(
  { watched, log }: { watched: Pick<WatchedFiles, 'sent' | 'touch'>; log: Log },
  folderId: string,
  /** Files that turn out to be the same are updated. */
  known: Map<string, WatchedFile>,
  signal: AbortSignal,
): TouchedFiles {
  let found = new Map<string, FoundFile>();
  const differing = new Map<string, FoundFile>();
  let working: Promise<void> | null = null;

  async function compareAll(): Promise<void> {
    const files = [...found];
    found = new Map();
    for (let from = 0; from < files.length; from += batchSize)
      await compareSome(new Map(files.slice(from, from + batchSize)));
  }

  async function compareSome(files: ReadonlyMap<string, FoundFile>): Promise<void> {
    signal.throwIfAborted();
    const same: WatchedFile[] = [];
    try {
      for (const sent of await watched.sent(folderId, [...files.keys()])) {
        const file = files.get(sent.path);
        if (!file || isCompared(sent.path, file)) continue;
        const isSame = await isAsSent(file, sent);
        const before = known.get(sent.path);
        if (isSame === null || before?.transferId !== sent.transferId) continue;
        if (isSame) same.push({ ...before, ino: file.ino, ctimeMs: file.ctimeMs });
        else differing.set(sent.path, file);
      }
    } finally {
      // Also what was read before the signal: reading it again may take long.
      await watched.touch(folderId, same);
      for (const file of same)
        if (known.get(file.path)?.transferId === file.transferId) known.set(file.path, file);
    }
  }

  /** The folder may have been read again while a file was compared. */
  function isCompared(path: string, file: FoundFile): boolean {
    return [known.get(path), differing.get(path)].some((state) => state && isSeenUntouched(state, file));
  }

  /** null: it cannot be read, or has changed meanwhile; the next reading of the folder finds it again. */
  async function isAsSent(file: FoundFile, { sha256 }: SentFile): Promise<boolean | null> {
    // Without a digest, length and time have to do.
    if (sha256 === null) return true;
    try {
      return (await untilAborted(digestOf(pathOf(file), file.fileName, file, signal), signal)) === sha256;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }

  return {
    differs(path, file) {
      const before = differing.get(path);
      if (before !== undefined && isSeenUntouched(before, file)) return true;
      differing.delete(path);
      found.set(path, file);
      return false;
    },
    begin() {
      if (found.size === 0) return;
      working ??= compareAll()
        .catch((cause: unknown) => {
          if (!signal.aborted) log.warn('files of a watched folder were not compared', { folderId, cause });
        })
        .finally(() => (working = null));
    },
    async ended() {
      await working;
    },
  };
}
