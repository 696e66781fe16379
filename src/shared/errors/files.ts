import { z } from 'zod';

/** Files and folders of this computer, and objects that become files for other programs. Texts: `i18n/file-messages.ts`. */
export const fileErrors = [
  /** `isCopy`: a private copy of an object, not a file of the user's. */
  z.object({
    code: z.literal('fileNotOpened'),
    problem: z.enum(['kind', 'editKind', 'noApp']),
    isCopy: z.boolean().optional(),
  }),
  /** There are other files beside the copy, or it cannot be read or moved. */
  z.object({
    code: z.literal('editNotFinished'),
    problem: z.enum(['filesBeside', 'inUse']),
    fileNames: z.array(z.string()),
  }),
  /**
   * Objects that cannot be given to another program as files. `largeToDrag`, `unknownSize`: not downloaded for a drag; `largeToCopy`: too
   * large for the clipboard, too; `unfocused`: Wayland accepts a copy only from the focused window.
   */
  z.object({
    code: z.literal('notTakenOut'),
    problem: z.enum([
      'secret',
      'state',
      'storing',
      'many',
      'largeToDrag',
      'unknownSize',
      'largeToCopy',
      'token',
      'paused',
      'unfocused',
    ]),
  }),
  /** The service's settings forbid editing objects of this classification (null: its default). */
  z.object({ code: z.literal('editForbidden'), classification: z.string().nullable() }),
  z.object({ code: z.literal('fileChanged'), fileName: z.string() }),
  z.object({ code: z.literal('fileGone'), fileName: z.string() }),
  z.object({ code: z.literal('fileUnreadable'), fileName: z.string() }),
  z.object({ code: z.literal('fileSpecial'), fileName: z.string() }),
  z.object({ code: z.literal('notAFile') }),
  /** Free bytes, and bytes that one file needs, if known. */
  z.object({
    code: z.literal('diskFull'),
    folderName: z.string(),
    freeBytes: z.number().optional(),
    neededBytes: z.number().optional(),
  }),
  z.object({ code: z.literal('folderGone'), folderName: z.string() }),
  z.object({ code: z.literal('folderReadOnly'), folderName: z.string() }),
  /** `beside`: the watched folder that is the same, inside it or around it. */
  z.object({
    code: z.literal('folderNotWatched'),
    folderName: z.string(),
    problem: z.enum([
      'gone',
      'notAFolder',
      'unreadable',
      'holdsCoffer',
      'downloads',
      'same',
      'inside',
      'around',
    ]),
    beside: z.string().optional(),
  }),
  /** The temporary file of a download was moved, replaced or deleted. */
  z.object({ code: z.literal('partGone'), fileName: z.string() }),
  z.object({
    code: z.literal('badImportFile'),
    fileName: z.string(),
    problem: z.enum(['unreadable', 'empty', 'notText', 'notCsv', 'noIdentifiers', 'notAList', 'newer']),
    /** Of `notText`: the first line that is not text in the encoding by which the file is read. */
    line: z.number().optional(),
    encoding: z.string().optional(),
  }),
] as const;

export type FileError = z.infer<(typeof fileErrors)[number]>;

const codes = new Set<string>(fileErrors.map(({ shape }) => shape.code.value));

export const isFileError = (error: { code: string }): error is FileError => codes.has(error.code);
