import { basename, join } from 'node:path';
import { z } from 'zod';
import { openCollection } from '../database/collection.ts';
import type { Documents } from '../database/documents.ts';
import { mkdir, rm } from '../local-files/fs.ts';
import type { Log } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import { isFinished } from '../transfers/model/record.ts';
import { type OwnFolder, removeEmptyFolders } from '../transfers/undo/unknown-files.ts';
import { type Removal, removeCopy, removingSuffix } from '../local-files/remove-copy.ts';
import { removeFile } from '../local-files/file-bytes.ts';
import type { EditRecord } from './edit-record.ts';

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

/** Where the files of edits are, below the user data folder. Only the owner can open these folders. */
export interface EditFolders {
  readonly top: string;
  /** Holds the copy alone: the person's program may put files beside it. */
  folderOf(edit: Pick<EditRecord, 'id'>): string;
  copyOf(edit: Pick<EditRecord, 'id' | 'fileName'>): string;
  /** Outside of the copy's folder, so that no program sees it. */
  saveOf(edit: Pick<EditRecord, 'id'>, number: number): string;
  make(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /** Deletes the file of a save, if it exists. */
  removeSave(edit: Pick<EditRecord, 'id'>, number: number): Promise<void>;
  removeSaves(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /**
   * Removes the copy if its content is stored, or was saved and given up (the record has their digests).
   * @param isAlone whether other files in the folder keep the copy from being removed
   */
  removeCopy(edit: EditRecord, isAlone: boolean): Promise<Removal>;
  /** Removes the folder of a copy that was never opened. */
  removeUnshown(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /** Deletes files beside the copy on the person's request. */
  removeBeside(edit: Pick<EditRecord, 'id'>, fileNames: readonly string[]): Promise<void>;
  /** Names in `top` that belong to none of these edits. */
  unknownOf(names: readonly string[], edits: readonly Pick<EditRecord, 'id'>[]): string[];
}

const isPrivate = { recursive: true, mode: 0o700 } as const;
const all = { recursive: true, force: true, maxRetries: 3 } as const;

export function createEditFolders(userData: string): EditFolders {
  const top = join(userData, 'edits');
  const folderOf = ({ id }: Pick<EditRecord, 'id'>) => join(top, id);
  const savesOf = ({ id }: Pick<EditRecord, 'id'>) => join(top, `${id}.saves`);
  const saveOf: EditFolders['saveOf'] = (edit, number) => join(savesOf(edit), String(number));
  return {
    top,
    folderOf,
    copyOf: (edit) => join(folderOf(edit), edit.fileName),
    saveOf,
    async make(edit) {
      await mkdir(folderOf(edit), isPrivate);
      await mkdir(savesOf(edit), isPrivate);
    },
    removeSave: (edit, number) => removeFile(saveOf(edit, number)),
    removeSaves: (edit) => rm(savesOf(edit), all),
    removeCopy(edit, isAlone) {
      const { base, kept: pendingSave, sending } = edit;
      const known = [base, pendingSave, sending].flatMap((bytes) => bytes?.sha256 ?? []);
      return removeCopy(join(folderOf(edit), edit.fileName), known, isAlone);
    },
    removeUnshown: (edit) => rm(folderOf(edit), all),
    async removeBeside(edit, fileNames) {
      for (const name of fileNames) await rm(join(folderOf(edit), name), all);
    },
    unknownOf(names, edits) {
      const own = new Set(edits.flatMap(({ id }) => [id, `${id}.saves`, `${id}${removingSuffix}`]));
      return names.filter((name) => !own.has(name));
    },
  };
}
