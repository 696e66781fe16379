import { basename } from 'node:path';
import type { SavedFile } from '../../../shared/domain/transfer.ts';
import { isOpenable } from '../../../shared/domain/openable.ts';
import { lstat } from '../../local-files/fs.ts';
import type { TransferRecord } from '../model/record.ts';

/** A shared disk may have a clock of its own. */
const clockToleranceMs = 60_000;

/** Where a download was saved; null: it wasn't, or isn't done. */
export function savedPathOf({ state }: TransferRecord): string | null {
  return state.name === 'done' ? state.savedPath : null;
}

/**
 * The file that a download was saved as, and its present state; null: it was not saved as a file. The path stays in
 * main.
 */
export async function lookAtSavedFile(
  record: TransferRecord,
): Promise<(SavedFile & { path: string }) | null> {
  const { id, totalBytes, finishedAtMs } = record;
  const path = savedPathOf(record);
  if (path === null) return null;
  const fileName = basename(path);
  const found = await lstat(path).catch(() => null);
  const isThere = found !== null && found.isFile();
  const isChanged =
    isThere && (found.size !== totalBytes || found.mtimeMs > (finishedAtMs ?? Infinity) + clockToleranceMs);
  return {
    transferId: id,
    path,
    fileName,
    state: !isThere ? 'gone' : isChanged ? 'changed' : 'there',
    isOpenable: isOpenable(fileName),
  };
}
