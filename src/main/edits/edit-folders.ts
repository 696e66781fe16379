import { join } from 'node:path';
import { mkdir, rm } from '../local-files/fs.ts';
import { removeFile } from './file-bytes.ts';
import type { EditRecord } from './edit-record.ts';
import { removeCopy, removingSuffix, type Removal } from './remove-copy.ts';

/** Where the files of edits lie, below the user data folder; each folder is its owner's alone. */
export interface EditFolders {
  readonly top: string;
  /** Of the copy alone: the person's program may put files of its own beside it. */
  folderOf(edit: Pick<EditRecord, 'id'>): string;
  copyOf(edit: Pick<EditRecord, 'id' | 'fileName'>): string;
  /** Of one save, apart from the copy, so that no program meets it. */
  saveOf(edit: Pick<EditRecord, 'id'>, number: number): string;
  make(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /** Takes the file of a save away; one that is not there is not missed. */
  removeSave(edit: Pick<EditRecord, 'id'>, number: number): Promise<void>;
  removeSaves(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /**
   * Removes the copy if what it holds is stored, or was saved and given up: of these the record has the digests.
   * @param isAlone with other files in its folder it stays
   */
  removeCopy(edit: EditRecord, isAlone: boolean): Promise<Removal>;
  /** Removes the folder of a copy that no program was given. */
  removeUnshown(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /** Files beside the copy that a person wants deleted. */
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
      const { base, kept, sending } = edit;
      const known = [base, kept, sending].flatMap((bytes) => bytes?.sha256 ?? []);
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
