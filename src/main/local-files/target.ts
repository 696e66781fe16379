import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { safeFileName, taggedPartName } from '../../shared/domain/file-name.ts';
import { waitingFiles } from './file-system.ts';
import { createTemporaryFileWriter } from './temporary-file-writer.ts';
import { makeTemporaryFile, type TemporaryFile, type Target } from './temporary-file.ts';

/** What is chosen in a dialog, as a target. */
export function targetOfPath(path: string): Target {
  return { folder: dirname(path), makesFolder: false, fileName: basename(path), replaces: true };
}

/** The same for the same owner, so that what a kill leaves is found again without having been written down. */
export function temporaryNameOf(fileName: string, owner: string): string {
  const tag = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  return taggedPartName(safeFileName(fileName), tag);
}

/** A name that no other download has: two of one name in one folder must never meet. */
export function newTemporaryName(fileName: string): string {
  return taggedPartName(safeFileName(fileName), randomBytes(4).toString('hex'));
}

/** @param partName from `newTemporaryName`; noted before this, so that what a kill leaves is found */
export function createTemporaryFile(target: Target, partName: string): Promise<TemporaryFile> {
  return makeTemporaryFile(target, partName, waitingFiles, createTemporaryFileWriter);
}
