import { join } from 'node:path';
import { mkdir, readdir, rm } from '../files/fs.ts';
import { removeFile } from './file-bytes.ts';
import type { EditRecord } from './edit-record.ts';

/** Where the files of edits lie, below the user data folder; each folder is its owner's alone. */
export interface EditFolders {
  /** Of the copy alone: the person's program may put files of its own beside it. */
  folderOf(edit: Pick<EditRecord, 'id'>): string;
  copyOf(edit: Pick<EditRecord, 'id' | 'fileName'>): string;
  /** Of one save, apart from the copy, so that no program meets it. */
  saveOf(edit: Pick<EditRecord, 'id'>, number: number): string;
  make(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /** Takes the file of a save away; one that is not there is not missed. */
  removeSave(edit: Pick<EditRecord, 'id'>, number: number): Promise<void>;
  removeAll(edit: Pick<EditRecord, 'id'>): Promise<void>;
  /** Folders that belong to none of these edits. Nobody knows what they hold: they stay. */
  strangers(edits: readonly Pick<EditRecord, 'id'>[]): Promise<string[]>;
}

const isPrivate = { recursive: true, mode: 0o700 } as const;
const all = { recursive: true, force: true, maxRetries: 3 } as const;

export function createEditFolders(userData: string): EditFolders {
  const top = join(userData, 'edits');
  const folderOf = ({ id }: Pick<EditRecord, 'id'>) => join(top, id);
  const savesOf = ({ id }: Pick<EditRecord, 'id'>) => join(top, `${id}.saves`);
  const saveOf: EditFolders['saveOf'] = (edit, number) => join(savesOf(edit), String(number));
  return {
    folderOf,
    copyOf: (edit) => join(folderOf(edit), edit.fileName),
    saveOf,
    async make(edit) {
      await mkdir(folderOf(edit), isPrivate);
      await mkdir(savesOf(edit), isPrivate);
    },
    removeSave: (edit, number) => removeFile(saveOf(edit, number)),
    async removeAll(edit) {
      await rm(folderOf(edit), all);
      await rm(savesOf(edit), all);
    },
    async strangers(edits) {
      const own = new Set(edits.flatMap(({ id }) => [id, `${id}.saves`]));
      const names = await readdir(top).catch(() => []);
      return names.filter((name) => !own.has(name));
    },
  };
}
