import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { safeFileName, temporaryFileName } from '../../shared/domain/file-name.ts';
import { waitingFiles } from './file-system.ts';
import { createTemporaryFileWriter } from './temporary-file-writer.ts';
import { makeTemporaryFile, type TemporaryFile, type Target } from './temporary-file.ts';

/** The target for a path chosen in a dialog. */
export function targetOfPath(path: string): Target {
  return { folder: dirname(path), makesFolder: false, fileName: basename(path), replaces: true };
}

/** The same name for the same owner, so that what a kill leaves is found without having been recorded. */
export function temporaryNameOf(fileName: string, owner: string): string {
  const tag = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  return temporaryFileName(safeFileName(fileName), tag);
}

/** A name that no other download has: two downloads of one name into one folder must never collide. */
export function newTemporaryName(fileName: string): string {
  return temporaryFileName(safeFileName(fileName), randomBytes(4).toString('hex'));
}

/** @param temporaryName from `newTemporaryName`; record it first, so that what a kill leaves is found */
export function createTemporaryFile(target: Target, temporaryName: string): Promise<TemporaryFile> {
  return makeTemporaryFile(target, temporaryName, waitingFiles, createTemporaryFileWriter);
}
