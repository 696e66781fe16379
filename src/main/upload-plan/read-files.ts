import { isUtf8 } from 'node:buffer';
import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../shared/errors.ts';
import type { SeenState } from '../local-files/file-state.ts';
import { access, constants, lstat, open, opendir, stat } from '../local-files/fs.ts';

/**
 * A file found below what the person added. All files of a folder share the two folder objects, so ten thousand cost
 * little.
 */
export interface FoundFile extends SeenState {
  readonly place: { readonly absolute: string; readonly below: string };
  readonly fileName: string;
  /** Why its content cannot be read. */
  readonly trouble: Trouble | null;
}
export type Trouble = 'unreadable' | 'unreadableName' | 'unsized' | 'gone' | 'special' | 'symbolicLink';
type Place = FoundFile['place'];

/** The file system that a folder lies on. */
export interface FolderPlace {
  readonly device: number;
  /** When the folder was made; 0: not known. A drive that is mounted again may get another device number. */
  readonly bornMs: number;
}

/** What one reading of a folder has proven; all paths are below it, with `/`, and '' is the folder itself. */
export interface FolderReading {
  /** All that is there and is no folder, with why it cannot be read. */
  readonly files: ReadonlyMap<string, Trouble | null>;
  /** Folders that were listed to their end. */
  readonly folders: ReadonlyMap<string, FolderPlace>;
  /** Folders that were not. */
  readonly unread: ReadonlySet<string>;
}

export interface Reading {
  onFound: (files: FoundFile[]) => void;
  /** A folder was listed to its end. @param path absolute */
  onFolder?: (path: string, place: FolderPlace) => void;
  /** A folder that cannot be read, or only in part. @param path absolute */
  onRefused: (name: string, error: AppError, path: string) => void;
  signal: AbortSignal;
  /** Do not check whether files can be read: the caller reads them anyway. */
  skipsAccess?: boolean;
  /** What to leave out, folders with everything in them. @param below the path, with `/` */
  ignores?: (below: string, isFolder: boolean) => boolean;
}

/** Number of files inspected together. */
const batchSize = 64;

/**
 * Finds the files at and below absolute paths, in the order of the paths and, within each, of the names. Links,
 * devices, sockets and pipes are reported and not followed, so there are no loops. The name of a dropped folder is
 * part of `below`. Never rejects.
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
    const found = await Promise.all(
      batch.map((path) => describe(placeOf(dirname(path)), basename(path), reading)),
    );
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

/** As `readFiles`, for the files below one folder; `below` begins in it. */
export function readFolder(folder: string, reading: Reading): Promise<void> {
  return readFolders({ absolute: folder, below: '' }, reading);
}

/** The current state of the files, in the same order; a path that is now a folder counts as no file. Never rejects. */
export async function checkAgain(files: readonly FoundFile[]): Promise<FoundFile[]> {
  const now: FoundFile[] = [];
  for (let index = 0; index < files.length; index += batchSize) {
    const batch = files.slice(index, index + batchSize);
    const found = await Promise.all(batch.map(({ place, fileName }) => describe(place, fileName, {})));
    found.forEach((each, at) => {
      const before = batch[at];
      if ('fileName' in each) now.push(each);
      else if (before) now.push({ ...before, trouble: 'special' });
    });
  }
  return now;
}

/** Iterative, so that depth and number of folders are not limited. */
async function readFolders(top: Place, reading: Reading): Promise<void> {
  const folders = [top];
  for (let folder = folders.pop(); folder && !reading.signal.aborted; folder = folders.pop()) {
    const names = await namesIn(folder, reading);
    const below: Place[] = [];
    for (let index = 0; index < names.length && !reading.signal.aborted; index += batchSize) {
      for (const place of await inspect(folder, names.slice(index, index + batchSize), reading)) {
        below.push(place);
      }
    }
    // One at a time: as arguments of one call, 130,000 folders would overflow the stack.
    for (const place of below.toReversed()) folders.push(place);
  }
}

/** Sorted, so that a sheet always reads the same. Names that are not valid text are reported. */
async function namesIn(folder: Place, reading: Reading): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const name of rawNamesIn(folder.absolute)) {
      if (isUtf8(name)) names.push(name.toString());
      else handOver([{ ...nothingOf(folder, name.toString()), trouble: 'unreadableName' }], reading);
    }
    if (reading.onFolder) {
      // After the listing: a drive unmounted meanwhile must not vouch for it.
      const { dev: device, birthtimeMs: bornMs } = await stat(folder.absolute);
      reading.onFolder(folder.absolute, { device, bornMs });
    }
  } catch (cause) {
    const name = basename(folder.absolute);
    reading.onRefused(
      name,
      isGone(cause) ? { code: 'folderGone', folderName: name } : { code: 'fileUnreadable', fileName: name },
      folder.absolute,
    );
  }
  return names.sort();
}

/** The raw names, which need not be UTF-8. */
async function* rawNamesIn(folder: string): AsyncGenerator<Buffer> {
  // Latin 1 preserves every byte.
  for await (const { name } of await opendir(folder, { bufferSize: 256, encoding: 'latin1' })) {
    yield Buffer.from(name, 'latin1');
  }
}

/** Reports the files among the names and returns the folders. */
async function inspect(place: Place, names: string[], reading: Reading): Promise<Place[]> {
  const { ignores = () => false } = reading;
  const found = await Promise.all(names.map((name) => describe(place, name, reading)));
  handOver(
    found.filter((each) => 'fileName' in each).filter((file) => !ignores(belowOf(file), false)),
    reading,
  );
  return found.filter((each) => 'absolute' in each).filter(({ below }) => !ignores(below, true));
}

/** The path of a file below what was read, with `/`. */
export function belowOf({ place: { below }, fileName }: Pick<FoundFile, 'place' | 'fileName'>): string {
  return below === '' ? fileName : `${below}/${fileName}`;
}

function handOver(files: FoundFile[], { onFound }: Reading): void {
  if (files.length > 0) onFound(files);
}

async function describe(
  place: Place,
  fileName: string,
  { skipsAccess = false }: Pick<Reading, 'skipsAccess'>,
): Promise<FoundFile | Place> {
  const path = join(place.absolute, fileName);
  const nothing = nothingOf(place, fileName);
  try {
    const stats = await lstat(path);
    if (stats.isDirectory()) {
      return { absolute: path, below: belowOf(nothing) };
    }
    if (stats.isSymbolicLink()) return { ...nothing, trouble: 'symbolicLink' };
    if (!stats.isFile()) return { ...nothing, trouble: 'special' };
    const { size: sizeBytes, mtimeMs, ino, ctimeMs } = stats;
    const state = { sizeBytes, mtimeMs, ino, ctimeMs };
    if (sizeBytes === 0) return { ...nothing, ...state, trouble: await troubleOfEmpty(path) };
    if (!skipsAccess) await access(path, constants.R_OK);
    return { ...nothing, ...state, trouble: null };
  } catch (cause) {
    if (!isGone(cause)) return { ...nothing, trouble: 'unreadable' };
    return { ...nothing, trouble: (await isMisread(path)) ? 'unreadableName' : 'gone' };
  }
}

/**
 * Checks a file with length 0: files in `/proc` and on some network drives have content without a known length.
 * Rejects if it cannot be read.
 */
async function troubleOfEmpty(path: string): Promise<Trouble | null> {
  // Non-blocking and without following links, in case the path has been replaced.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags);
  try {
    const { bytesRead } = await file.read(Buffer.alloc(1));
    // If it has grown since, the upload detects the change.
    return bytesRead > 0 && (await file.stat()).size === 0 ? 'unsized' : null;
  } catch (cause) {
    // Nothing to read right now, as in a log that is being followed.
    if (codeOf(cause) === 'EAGAIN') return 'unsized';
    throw cause;
  } finally {
    await file.close();
  }
}

function nothingOf(place: Place, fileName: string): Omit<FoundFile, 'trouble'> {
  return { place, fileName, sizeBytes: 0, mtimeMs: 0 };
}

/** Whether a missing path is the result of decoding a name that is not UTF-8. */
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

/** Decoders differ in how many replacement characters they emit for one invalid sequence. */
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
