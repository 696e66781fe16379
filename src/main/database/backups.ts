import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from '../local-files/fs.ts';
import { systemClock } from '../clock.ts';
import { everyHour } from '../lib/timers.ts';
import { createPrivate } from './private-file.ts';
import { inspect, isDamage } from './soundness.ts';

export interface CatalogueCopy {
  readonly id: string;
  readonly madeAtMs: number;
  readonly objects: number;
}

const copiesKept = 3;
/** Copies in progress: by Node's `backup`, and by SQLite where that fails. */
const unfinished = ['unfinished.part', 'unfinished-2.part'] as const;
const nameForm = /^coffer-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/;

export function copyPath(folder: string, copyId: string): string {
  return join(folder, 'copies', copyId);
}

interface CopyFile {
  readonly id: string;
  readonly madeAtMs: number;
}

function makeFolder(folder: string): void {
  mkdirSync(join(folder, 'copies'), { recursive: true, mode: 0o700 });
}

/** Unchecked, newest first. */
export function listCopies(folder: string): CopyFile[] {
  makeFolder(folder);
  return readdirSync(join(folder, 'copies'))
    .flatMap((id) => {
      const match = nameForm.exec(id);
      const madeAtMs = match ? Date.parse(`${match[1]}${match[2]}:${match[3]}:${match[4]}`) : Number.NaN;
      return Number.isNaN(madeAtMs) ? [] : [{ id, madeAtMs }];
    })
    .sort((a, b) => b.madeAtMs - a.madeAtMs);
}

/** Copies that pass their check and that this version can read, newest first. */
export function listGoodCopies(folder: string, newestVersion: number): CatalogueCopy[] {
  return listCopies(folder).flatMap((copy) => {
    try {
      const { version, objects } = inspect(copyPath(folder, copy.id), 'quick_check');
      return version >= 1 && version <= newestVersion ? [{ ...copy, objects }] : [];
    } catch (error) {
      if (isDamage(error)) return [];
      throw error;
    }
  });
}

/**
 * Copies page by page, so that damage is copied too and found by the check: then throws DamagedFile and keeps
 * nothing. Keeps the newest three copies.
 * @returns the size of the copy in bytes
 */
export async function makeCopy(db: DatabaseSync, folder: string, nowMs: number): Promise<number> {
  const madeAt = new Date(nowMs).toISOString().replaceAll(':', '-');
  makeFolder(folder);
  const path = copyPath(folder, `coffer-${madeAt}.db`);
  for (const name of unfinished) rmSync(copyPath(folder, name), { force: true });
  const temporaryPath = await copyPages(db, folder);
  try {
    const copy = new DatabaseSync(temporaryPath);
    try {
      copy.exec('PRAGMA journal_mode = DELETE');
    } finally {
      copy.close();
    }
    inspect(temporaryPath, 'integrity_check');
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  }
  const { size } = statSync(temporaryPath);
  renameSync(temporaryPath, path);
  removeOldCopies(folder, nowMs);
  return size;
}

/**
 * Copies all pages in one step: a copy in several restarts whenever another connection writes. Electron's own tests
 * skip Node's for `backup`: where it fails or does not end, SQLite writes the copy itself, which blocks the thread.
 * @returns the path of the copy
 */
async function copyPages(db: DatabaseSync, folder: string): Promise<string> {
  const [first, second] = [copyPath(folder, unfinished[0]), copyPath(folder, unfinished[1])];
  createPrivate(first);
  try {
    await endsWithin(backupLimitMs(db), backup(db, first, { rate: 2 ** 31 - 1 }));
    return first;
  } catch (error) {
    rmUnlessOpen(first);
    if (isDamage(error)) throw error;
  }
  // VACUUM INTO accepts only an empty file, and a backup that does not end still has the first one open.
  createPrivate(second);
  try {
    db.prepare('VACUUM INTO ?').run(second);
    return second;
  } catch (error) {
    rmSync(second, { force: true });
    throw error;
  }
}

/** Half a minute, plus the time that a slow disk needs (10 MB/s). */
function backupLimitMs(db: DatabaseSync): number {
  const { bytes } = db
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as {
    bytes: number;
  };
  return 30_000 + bytes / 10_000;
}

async function endsWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the backup does not end')), limitMs);
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Windows cannot remove an open file; the next copy removes it. */
function rmUnlessOpen(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/** A copy dated in the future was made with a wrong clock, so its age is unknown: remove such copies first. */
function removeOldCopies(folder: string, nowMs: number): void {
  const isOfFuture = ({ madeAtMs }: CopyFile) => Number(madeAtMs > nowMs);
  const copies = listCopies(folder).sort((a, b) => isOfFuture(a) - isOfFuture(b));
  for (const { id } of copies.slice(copiesKept)) rmSync(copyPath(folder, id), { force: true });
}

const dayMs = 24 * 60 * 60 * 1000;

/** @param elapsedMs until the copy was checked and had its name */
export type OnCopyMade = (elapsedMs: number, bytes: number) => void;

/** Makes a copy unless there is one of the last day; checks soon after the start, and every hour. */
export function keepDailyCopies({
  folder,
  nowMs,
  copy,
  firstCopyAfterMs = 60_000,
  onCopyMade,
  onCopyFailed,
}: {
  folder: string;
  nowMs: () => number;
  /** Resolves with the size of the copy in bytes. */
  copy: (signal: AbortSignal) => Promise<number>;
  firstCopyAfterMs?: number;
  onCopyMade?: OnCopyMade;
  onCopyFailed?: (error: unknown) => void;
}): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function check(): Promise<void> {
    const atMs = nowMs();
    const isMade = listCopies(folder).some(({ madeAtMs }) => madeAtMs <= atMs && atMs - madeAtMs < dayMs);
    if (isMade) return;
    const begunMs = systemClock.monotonicMs();
    const bytes = await copy(stopping.signal);
    onCopyMade?.(Math.round(systemClock.monotonicMs() - begunMs), bytes);
  }
  const looking = everyHour(
    systemClock,
    check,
    (cause) => {
      if (!stopping.signal.aborted) onCopyFailed?.(cause);
    },
    firstCopyAfterMs,
  );
  return {
    async stop() {
      stopping.abort();
      await looking.close();
    },
  };
}
