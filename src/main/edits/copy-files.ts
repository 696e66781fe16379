import { basename, join } from 'node:path';
import { z } from 'zod';
import { openCollection } from '../database/collection.ts';
import type { Documents } from '../database/documents.ts';
import { mkdir, rm } from '../local-files/fs.ts';
import type { Log } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import { isFinished } from '../transfers/model/record.ts';
import { removeEmptyFolders, type OwnFolder } from '../transfers/undo/unknown-files.ts';
import { removeCopy, removingSuffix } from '../local-files/remove-copy.ts';

/** Keyed by folder name. sha256 null: incomplete, so no program has got it yet. */
export const copySchema = z.object({ path: z.string(), sha256: z.string().nullable() });

type CopyFile = z.infer<typeof copySchema>;
type Gone = CopyFile & { readonly key: string };

/** The files of private copies, each in a folder of its own, and their records in the database. */
export interface CopyFiles {
  readonly own: OwnFolder;
  /** Noted before the folder exists, so that it never counts as unknown. @returns the copy's path */
  makeFolder(key: string, fileName: string, sha256: string | null): Promise<string>;
  note(key: string, copy: CopyFile): Promise<void>;
  /** A copy that stays is checked again at the next start. false: a program changed it, or put files beside it */
  remove(gone: Gone): Promise<boolean>;
  /** Cancels a transfer and clears it from the list. */
  endTransfer(id: number): Promise<void>;
}

/** Removes copies of the last run. @param deps.onLeft gets the folder if copies that a program changed, or files beside them, stay */
export async function openCopyFiles(deps: {
  userData: string;
  documents: Pick<Documents, 'list' | 'write'>;
  engine: Pick<Engine, 'actions' | 'ofPath'>;
  log: Log;
  onLeft: (folder: string) => void;
}): Promise<CopyFiles> {
  const { engine, log } = deps;
  const top = join(deps.userData, 'opened');
  /** Copies of this run, and those of earlier runs that stayed. */
  const stored = await openCollection(deps.documents, 'openedCopies', copySchema);
  const all = { recursive: true, force: true, maxRetries: 3 } as const;

  async function endTransfer(id: number): Promise<void> {
    await engine.actions.cancel({ kind: 'ids', ids: [id] });
    await engine.actions.drop({ kind: 'ids', ids: [id] });
  }

  async function removeAll(some: readonly Gone[]): Promise<void> {
    let left = 0;
    for (const copy of some) if (!(await remove(copy))) left += 1;
    if (left === 0) return;
    log.warn('opened copies were changed, or have files beside them, and stay', { count: left });
    deps.onLeft(top);
  }

  async function remove({ key, path, sha256 }: Gone): Promise<boolean> {
    try {
      if (sha256 === null) await rm(join(top, key), all);
      else {
        const { kind } = await removeCopy(join(top, key, basename(path)), [sha256], false);
        if (kind !== 'removed') return kind === 'inUse';
      }
      await stored.delete(key);
    } catch (cause) {
      log.warn('an opened copy could not be removed', { cause });
    }
    return true;
  }

  // No caller waits for downloads of the last run, so cancel them.
  const before = stored.entries().map(([key, copy]): Gone => ({ key, ...copy }));
  for (const { path, sha256 } of before) {
    // Complete copies have no running transfer.
    if (sha256 !== null) continue;
    const transfer = await engine.ofPath(path);
    if (transfer && !isFinished(transfer)) await endTransfer(transfer.id);
  }
  const own: OwnFolder = {
    folder: top,
    async unknownOf(names) {
      const ours = new Set(stored.entries().flatMap(([key]) => [key, `${key}${removingSuffix}`]));
      return names.filter((name) => !ours.has(name));
    },
    isSealed: false,
  };
  await removeEmptyFolders(own);
  // In the background: reading large copies takes a while.
  void removeAll(before);

  return {
    own,
    async makeFolder(key, fileName, sha256) {
      const path = join(top, key, fileName);
      await stored.set(key, { path, sha256 });
      await mkdir(join(top, key), { recursive: true, mode: 0o700 });
      return path;
    },
    note: (key, copy) => stored.set(key, copy),
    remove,
    endTransfer,
  };
}
