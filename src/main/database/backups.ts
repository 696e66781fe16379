import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { mkdirSync, readdirSync, renameSync, rmSync } from '../local-files/fs.ts';
import { createPrivate } from './private-file.ts';
import { inspect, isDamage } from './soundness.ts';

export interface CatalogueCopy {
  readonly id: string;
  readonly madeAtMs: number;
  readonly objects: number;
}

const copiesKept = 3;
const nameForm = /^coffer-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/;

export function copyPath(folder: string, copyId: string): string {
  return join(folder, 'copies', copyId);
}

interface CopyFile {
  readonly id: string;
  readonly madeAtMs: number;
}

/** Unchecked, newest first. */
export function listCopies(folder: string): CopyFile[] {
  mkdirSync(join(folder, 'copies'), { recursive: true });
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
 */
export async function makeCopy(db: DatabaseSync, folder: string, nowMs: number): Promise<void> {
  const madeAt = new Date(nowMs).toISOString().replaceAll(':', '-');
  mkdirSync(join(folder, 'copies'), { recursive: true });
  const path = copyPath(folder, `coffer-${madeAt}.db`);
  const temporaryPath = copyPath(folder, 'unfinished.part');
  rmSync(temporaryPath, { force: true });
  createPrivate(temporaryPath);
  try {
    await copyPages(db, temporaryPath);
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
  renameSync(temporaryPath, path);
  removeOldCopies(folder, nowMs);
}

/**
 * Copies all pages in one step: a copy in several restarts whenever another connection writes. Electron's own tests
 * skip Node's for `backup`: where it fails, SQLite writes the copy itself, which blocks the thread.
 */
async function copyPages(db: DatabaseSync, path: string): Promise<void> {
  try {
    await backup(db, path, { rate: 2 ** 31 - 1 });
  } catch (error) {
    if (isDamage(error)) throw error;
    // It accepts only an empty file.
    rmSync(path, { force: true });
    createPrivate(path);
    db.prepare('VACUUM INTO ?').run(path);
  }
}

/** A date in the future comes from a wrong clock and says nothing: such copies are removed first. */
function removeOldCopies(folder: string, nowMs: number): void {
  const isOfFuture = ({ madeAtMs }: CopyFile) => Number(madeAtMs > nowMs);
  const copies = listCopies(folder).sort((a, b) => isOfFuture(a) - isOfFuture(b));
  for (const { id } of copies.slice(copiesKept)) rmSync(copyPath(folder, id), { force: true });
}
