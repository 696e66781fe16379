import { constants, type Stats } from 'node:fs';
import { access, lstat, opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../shared/errors.ts';

/** A file under what the person handed over. The two folders are shared by all files in one: ten thousand cost little. */
export interface FoundFile {
  readonly place: { readonly absolute: string; readonly below: string };
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Why its bytes cannot be had. */
  readonly trouble: Trouble | null;
}
export type Trouble = 'unreadable' | 'gone' | 'special' | 'symbolicLink';
type Place = FoundFile['place'];

export interface Reading {
  onFound: (files: FoundFile[]) => void;
  /** A folder that cannot be read, or not to its end. */
  onRefused: (name: string, error: AppError) => void;
  signal: AbortSignal;
}

/** How many files are looked at together. */
const batchSize = 64;

/**
 * Finds the files at and below absolute paths. Links are reported and never followed, so there are no loops; devices,
 * sockets and pipes are reported too. A dropped folder's own name is part of `below`. Never rejects on what it meets.
 */
export async function readFiles(paths: readonly string[], reading: Reading): Promise<void> {
  for (const path of paths) {
    if (reading.signal.aborted) return;
    const place = { absolute: dirname(path), below: '' };
    await readFolders(await look(place, [basename(path)], reading), reading);
  }
}

async function readFolders(start: Place[], reading: Reading): Promise<void> {
  const folders = start;
  for (let folder = folders.pop(); folder && !reading.signal.aborted; folder = folders.pop()) {
    const names = await namesIn(folder, reading);
    const found: Place[] = [];
    for (let index = 0; index < names.length && !reading.signal.aborted; index += batchSize) {
      found.push(...(await look(folder, names.slice(index, index + batchSize), reading)));
    }
    folders.push(...found.toReversed());
  }
}

/** In order, so that a sheet reads the same each time. */
async function namesIn(folder: Place, { onRefused }: Reading): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder.absolute, { bufferSize: 256 })) names.push(entry.name);
  } catch (cause) {
    const name = basename(folder.absolute);
    onRefused(
      name,
      isGone(cause) ? { code: 'folderGone', folderName: name } : { code: 'fileUnreadable', fileName: name },
    );
  }
  return names.sort();
}

/** Hands the files among the names over, answers the folders. */
async function look(place: Place, names: string[], { onFound }: Reading): Promise<Place[]> {
  const folders: Place[] = [];
  const files = await Promise.all(names.map((name) => describe(place, name)));
  const found = files.filter((file) => {
    if ('absolute' in file) folders.push(file);
    return !('absolute' in file);
  });
  if (found.length > 0) onFound(found.filter((file) => 'fileName' in file));
  return folders;
}

async function describe(place: Place, fileName: string): Promise<FoundFile | Place> {
  const path = join(place.absolute, fileName);
  const nothing = { place, fileName, sizeBytes: 0, mtimeMs: 0 };
  let stats: Stats;
  try {
    stats = await lstat(path);
    if (stats.isFile()) await access(path, constants.R_OK);
  } catch (cause) {
    return { ...nothing, trouble: isGone(cause) ? 'gone' : 'unreadable' };
  }
  if (stats.isDirectory()) {
    return { absolute: path, below: place.below === '' ? fileName : `${place.below}/${fileName}` };
  }
  if (stats.isSymbolicLink()) return { ...nothing, trouble: 'symbolicLink' };
  if (!stats.isFile()) return { ...nothing, trouble: 'special' };
  return { ...nothing, sizeBytes: stats.size, mtimeMs: stats.mtimeMs, trouble: null };
}

function isGone(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
