import { appErrorSchema, type AppErrorCode } from '../../../shared/errors.ts';
import type { HistoryEntry, ObjectKind } from '../../../shared/domain/object.ts';

const words: Record<HistoryEntry['action'], string> = {
  uploaded: 'Uploaded and verified',
  uploadFailed: 'Upload failed',
  downloaded: 'Downloaded',
  downloadFailed: 'Download failed',
  checkedPresent: 'Checked, present',
  checkedMissing: 'Checked, missing',
  deleteStarted: 'Deletion started',
  deleted: 'Deleted',
  deleteFailed: 'Deletion failed',
  added: 'Added, found at the service',
  imported: 'Imported',
  existedAlready: 'Upload stopped, it existed already',
  secretRead: 'Value read',
  noteChanged: 'Note changed',
};

/** What the value of a secret was read for, as main notes it. */
const readFor: Readonly<Record<string, string>> = {
  revealed: 'Revealed',
  copied: 'Copied to the clipboard',
  saved: 'Saved as a file',
};

const codes: ReadonlySet<string> = new Set<AppErrorCode>(
  appErrorSchema.options.map((option) => option.shape.code.value),
);

/** There is nothing to compare a secret with, and it cannot be asked for. */
const secretWords: Partial<typeof words> = {
  uploaded: 'Stored',
  uploadFailed: 'Storing failed',
  added: 'Added',
};

/** `Downloaded, digest agrees`. A detail that is the code of an error is told in words. */
export function historyText({ action, detail }: HistoryEntry, kind: ObjectKind): string {
  const word = (kind === 'secret' && secretWords[action]) || words[action];
  if (detail === null || detail === '') return word;
  if (action === 'secretRead') return readFor[detail] ?? words.secretRead;
  return `${word}, ${codes.has(detail) ? spaced(detail) : detail}`;
}

/** `connectionLost` as `connection lost`. */
function spaced(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
