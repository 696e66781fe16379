import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { safeFileName, taggedPartName } from '../../../shared/domain/file-name.ts';
import { waitingFiles } from './file-system.ts';
import { createPartWriter } from './part-writer.ts';
import { makePart } from './part.ts';
import type { Placed } from './place.ts';

/** Where a download goes. */
export interface Target {
  /** Absolute. */
  readonly folder: string;
  /** The folder, and what leads to it, is made when it is not there. */
  readonly makesFolder: boolean;
  /** Folders below it, each in the one before, made when they are not there. */
  readonly subfolders?: readonly string[] | undefined;
  readonly fileName: string;
  /** The person chose this very name and agreed to replace what is there. */
  readonly replaces: boolean;
  /** Readable by its owner only, where the file system knows that. */
  readonly isPrivate?: boolean | undefined;
}

/** A file that is not whole yet. Failures are AppFailure diskFull, folderGone, folderReadOnly, partGone. */
export interface PartFile {
  /** Absolute. */
  readonly path: string;
  /** The piece may be used again when it resolves. */
  write(piece: Uint8Array): Promise<void>;
  /** SHA-256 in hex of everything that was written; nothing is written after it. */
  digest(): Promise<string>;
  /** Everything that was written is on the disk; nothing is written after it. */
  sync(): Promise<void>;
  /** Makes it durable and gives it its name. What has that name stays unless it is to be replaced. */
  publish(): Promise<Placed>;
  /** Takes it away if it has not got its name; never anything that somebody else put under the part's. */
  discard(): Promise<void>;
}

/** What is chosen in a dialog, as a target. */
export function targetOfPath(path: string): Target {
  return { folder: dirname(path), makesFolder: false, fileName: basename(path), replaces: true };
}

/** The same for the same owner, so that what a kill leaves is found again without having been written down. */
export function partNameOf(fileName: string, owner: string): string {
  const tag = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  return taggedPartName(safeFileName(fileName), tag);
}

/** A name that no other download has: two of one name in one folder must never meet. */
export function newPartName(fileName: string): string {
  return taggedPartName(safeFileName(fileName), randomBytes(4).toString('hex'));
}

/** @param partName from `newPartName`; noted before this, so that what a kill leaves is found */
export function createPart(target: Target, partName: string): Promise<PartFile> {
  return makePart(target, partName, waitingFiles, createPartWriter);
}
