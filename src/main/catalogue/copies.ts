import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { CatalogueCopy } from './catalogue.ts';
import { inspect, isDamage } from './soundness.ts';

const copiesKept = 3;
const nameForm = /^coffer-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/;

export function copyPath(folder: string, copyId: string): string {
  return join(folder, 'copies', copyId);
}

/** Unchecked, newest first. */
export function listCopies(folder: string): { id: string; madeAtMs: number }[] {
  mkdirSync(join(folder, 'copies'), { recursive: true });
  return readdirSync(join(folder, 'copies'))
    .flatMap((id) => {
      const match = nameForm.exec(id);
      if (match === null) return [];
      return [{ id, madeAtMs: Date.parse(`${match[1]}${match[2]}:${match[3]}:${match[4]}`) }];
    })
    .sort((a, b) => b.madeAtMs - a.madeAtMs);
}

/** Copies that pass their check and that this version can read, newest first. */
export function listGoodCopies(folder: string, newestVersion: number): CatalogueCopy[] {
  return listCopies(folder).flatMap((copy) => {
    try {
      const { version, objects } = inspect(copyPath(folder, copy.id), 'quick_check');
      return version <= newestVersion ? [{ ...copy, objects }] : [];
    } catch (error) {
      if (isDamage(error)) return [];
      throw error;
    }
  });
}

/**
 * Copies page by page, so that damage is copied too and found by the check: throws DamagedFile, and keeps nothing.
 * Of all copies the newest three are kept.
 */
export async function makeCopy(db: DatabaseSync, folder: string, nowMs: number): Promise<void> {
  const madeAt = new Date(nowMs).toISOString().replaceAll(':', '-');
  listCopies(folder);
  const path = copyPath(folder, `coffer-${madeAt}.db`);
  const partPath = copyPath(folder, 'unfinished.part');
  rmSync(partPath, { force: true });
  try {
    // All pages in one step: a copy in several begins anew whenever another connection writes.
    await backup(db, partPath, { rate: 2 ** 31 - 1 });
    const copy = new DatabaseSync(partPath);
    try {
      copy.exec('PRAGMA journal_mode = DELETE');
    } finally {
      copy.close();
    }
    inspect(partPath, 'integrity_check');
  } catch (error) {
    rmSync(partPath, { force: true });
    throw error;
  }
  renameSync(partPath, path);
  for (const { id } of listCopies(folder).slice(copiesKept)) rmSync(copyPath(folder, id), { force: true });
}
