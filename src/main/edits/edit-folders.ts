import { join } from 'node:path';
import { mkdir, rm } from '../local-files/fs.ts';
import { removeFile } from '../local-files/file-bytes.ts';
import type { EditRecord } from './edit-record.ts';
import { removeCopy, removingSuffix, type Removal } from '../local-files/remove-copy.ts';

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
