import { isUtf8 } from 'node:buffer';
import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../shared/errors.ts';
import { access, constants, lstat, open, opendir } from '../local-files/fs.ts';

/** A file under what the person handed over. The two folders are shared by all files in one: ten thousand cost little. */
export interface FoundFile {
  readonly place: { readonly absolute: string; readonly below: string };
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Why its bytes cannot be had. */
  readonly trouble: Trouble | null;
}
export type Trouble = 'unreadable' | 'unreadableName' | 'unsized' | 'gone' | 'special' | 'symbolicLink';
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
 * Finds the files at and below absolute paths, in the order of the paths and, below each, of the names. Links are reported
 * and never followed, so there are no loops; devices, sockets and pipes are reported too. A dropped folder's own name is
 * part of `below`. Never rejects on what it meets.
 */
export async function readFiles(paths: readonly string[], reading: Reading): Promise<void> {
  const places = new Map<string, Place>();
  function placeOf(folder: string): Place {
    const place = places.get(folder) ?? { absolute: folder, below: '' };
    places.set(folder, place);
    return place;
  }
  for (let index = 0; index < paths.length && !reading.signal.aborted; index += batchSize) {
    const batch = paths.slice(index, index + batchSize);
    const found = await Promise.all(batch.map((path) => describe(placeOf(dirname(path)), basename(path))));
    let files: FoundFile[] = [];
    for (const each of found) {
      if ('fileName' in each) files.push(each);
      else {
        handOver(files, reading);
        files = [];
        await readFolders(each, reading);
      }
    }
    handOver(files, reading);
  }
}

/** The files as they are now, in the same order; a folder in the place of one is none. Never rejects on what it meets. */
export async function lookAgain(files: readonly FoundFile[]): Promise<FoundFile[]> {
  const now: FoundFile[] = [];
  for (let index = 0; index < files.length; index += batchSize) {
    const batch = files.slice(index, index + batchSize);
    const found = await Promise.all(batch.map(({ place, fileName }) => describe(place, fileName)));
    found.forEach((each, at) => {
      const before = batch[at];
      if ('fileName' in each) now.push(each);
      else if (before) now.push({ ...before, trouble: 'special' });
    });
  }
  return now;
}

/** A list in place of recursion: folders may be as deep, and as many, as they like. */
async function readFolders(top: Place, reading: Reading): Promise<void> {
  const folders = [top];
  for (let folder = folders.pop(); folder && !reading.signal.aborted; folder = folders.pop()) {
    const names = await namesIn(folder, reading);
    const below: Place[] = [];
    for (let index = 0; index < names.length && !reading.signal.aborted; index += batchSize) {
      for (const place of await look(folder, names.slice(index, index + batchSize), reading)) {
        below.push(place);
      }
    }
    // One at a time: as the arguments of one call, 130,000 overflow the stack.
    for (const place of below.toReversed()) folders.push(place);
  }
}

/** In order, so that a sheet reads the same each time. What has a name that is no text is handed over with its trouble. */
async function namesIn(folder: Place, reading: Reading): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const name of rawNamesIn(folder.absolute)) {
      if (isUtf8(name)) names.push(name.toString());
      else handOver([{ ...nothingOf(folder, name.toString()), trouble: 'unreadableName' }], reading);
    }
  } catch (cause) {
    const name = basename(folder.absolute);
    reading.onRefused(
      name,
      isGone(cause) ? { code: 'folderGone', folderName: name } : { code: 'fileUnreadable', fileName: name },
    );
  }
  return names.sort();
}

/** The names as the disk has them, which need not be UTF-8. */
async function* rawNamesIn(folder: string): AsyncGenerator<Buffer> {
  // Latin 1 keeps every byte as it is.
  for await (const { name } of await opendir(folder, { bufferSize: 256, encoding: 'latin1' })) {
    yield Buffer.from(name, 'latin1');
  }
}

/** Hands the files among the names over, answers the folders. */
async function look(place: Place, names: string[], reading: Reading): Promise<Place[]> {
  const found = await Promise.all(names.map((name) => describe(place, name)));
  handOver(
    found.filter((each) => 'fileName' in each),
    reading,
  );
  return found.filter((each) => 'absolute' in each);
}

function handOver(files: FoundFile[], { onFound }: Reading): void {
  if (files.length > 0) onFound(files);
}

async function describe(place: Place, fileName: string): Promise<FoundFile | Place> {
  const path = join(place.absolute, fileName);
  const nothing = nothingOf(place, fileName);
  try {
    const stats = await lstat(path);
    if (stats.isDirectory()) {
      return { absolute: path, below: place.below === '' ? fileName : `${place.below}/${fileName}` };
    }
    if (stats.isSymbolicLink()) return { ...nothing, trouble: 'symbolicLink' };
    if (!stats.isFile()) return { ...nothing, trouble: 'special' };
    if (stats.size === 0) return { ...nothing, mtimeMs: stats.mtimeMs, trouble: await troubleOfEmpty(path) };
    await access(path, constants.R_OK);
    return { ...nothing, sizeBytes: stats.size, mtimeMs: stats.mtimeMs, trouble: null };
  } catch (cause) {
    if (!isGone(cause)) return { ...nothing, trouble: 'unreadable' };
    return { ...nothing, trouble: (await isMisread(path)) ? 'unreadableName' : 'gone' };
  }
}

/**
 * What a file that says it has no bytes gives when it is read: those of `/proc` and of some network drives give some, and how
 * many is nowhere to be had. Rejects when it cannot be read.
 */
async function troubleOfEmpty(path: string): Promise<Trouble | null> {
  // Not waited for, and no link followed, should something else be in its place by now.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags);
  try {
    const { bytesRead } = await file.read(Buffer.alloc(1));
    // One that has grown since says so, and is found changed when it goes.
    return bytesRead > 0 && (await file.stat()).size === 0 ? 'unsized' : null;
  } catch (cause) {
    // It has nothing to give right now, as a log that is followed.
    if (codeOf(cause) === 'EAGAIN') return 'unsized';
    throw cause;
  } finally {
    await file.close();
  }
}

function nothingOf(place: Place, fileName: string): Omit<FoundFile, 'trouble'> {
  return { place, fileName, sizeBytes: 0, mtimeMs: 0 };
}

/** Whether a path that leads nowhere is what a name on the way became when its bytes were taken for UTF-8. */
async function isMisread(path: string): Promise<boolean> {
  if (!path.includes(replacement)) return false;
  const folder = dirname(path);
  const misread = joinReplacements(basename(path));
  try {
    for await (const name of rawNamesIn(folder)) {
      if (!isUtf8(name) && joinReplacements(name.toString()) === misread) return true;
    }
    return false;
  } catch {
    return folder !== path && isMisread(folder);
  }
}

const replacement = '\uFFFD';

/** How many stand for one broken run of bytes differs from decoder to decoder. */
function joinReplacements(text: string): string {
  return text.replace(/\uFFFD+/g, replacement);
}

function isGone(cause: unknown): boolean {
  const code = codeOf(cause);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
