import { relative, sep } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { AppError } from '../../shared/errors.ts';
import { compileIgnore } from '../../shared/domain/watch.ts';
import type { WatchedFile, WatchedFiles } from '../database/watched-files.ts';
import type { Connections } from '../connections/connections.ts';
import { belowOf, readFolder } from '../upload-plan/read-files.ts';
import { contains, realOf, type RealPathOf } from './watched-folder.ts';
import type { Ignores } from './read-changed.ts';

/** Files per write, so that the database thread serves other calls in between. */
const batchSize = 5_000;

export interface Downloads {
  readonly connections: Pick<Connections, 'factsOf' | 'serviceIds'>;
  /** Resolves download folders, any of which may be on a drive that hangs. */
  readonly realPathOf: RealPathOf;
}

/** Leaves out what the person's patterns match, and folders that Coffer itself downloads to. */
export async function ignoresOf(
  { connections, realPathOf }: Downloads,
  folder: string,
  patterns: readonly string[],
): Promise<Ignores> {
  const real = await realOf(folder);
  const own = new Set<string>();
  for (const id of connections.serviceIds()) {
    const downloads = await realPathOf((await connections.factsOf(id)).downloadFolder);
    if (!contains(downloads, real)) own.add(relative(real, downloads).split(sep).join('/'));
  }
  const ignored = patterns.flatMap((pattern) => compileIgnore(pattern) ?? []);
  return (below, isFolder) =>
    own.has(below) || ignored.some((matches) => matches(below) || (isFolder && matches(`${below}/`)));
}

/** Limit of the count before a folder is added. */
const countMax = 100_000;

/** Counts the files in a folder that can be uploaded, up to a limit. */
export async function countExisting(
  own: Downloads,
  folder: string,
  patterns: readonly string[],
): Promise<{ files: number; isMore: boolean }> {
  const ignores = await ignoresOf(own, folder, patterns);
  const { length: count } = await list(folder, ignores, countMax, () => undefined);
  return { files: Math.min(count, countMax), isMore: count > countMax };
}

/**
 * Lists the files in a folder before it is watched.
 * @throws AppFailure folderGone, fileGone, fileUnreadable: files that are missing here would be uploaded later
 */
export async function listAll(folder: string, ignores: Ignores): Promise<WatchedFile[]> {
  const refused: AppError[] = [];
  const found = await list(folder, ignores, Infinity, (error) => refused.push(error));
  if (refused[0]) throw new AppFailure(refused[0]);
  return found;
}

/** Records files as known, so that they are not uploaded. */
export async function remember(
  watched: Pick<WatchedFiles, 'remember'>,
  folderId: string,
  files: readonly WatchedFile[],
): Promise<void> {
  for (let from = 0; from < files.length; from += batchSize)
    await watched.remember(folderId, files.slice(from, from + batchSize));
}

/**
 * @param max stops soon after this many
 * @param onRefused gets what could not be read, for example because the drive was disconnected meanwhile
 */
async function list(
  folder: string,
  ignores: Ignores,
  max: number,
  onRefused: (error: AppError) => void,
): Promise<WatchedFile[]> {
  const found: WatchedFile[] = [];
  const enough = new AbortController();
  await readFolder(folder, {
    signal: enough.signal,
    skipsAccess: true,
    ignores,
    onFound(files) {
      for (const file of files) {
        const { fileName, sizeBytes, mtimeMs, trouble } = file;
        if (trouble === null) found.push({ path: belowOf(file), sizeBytes, mtimeMs, transferId: null });
        else if (trouble === 'gone') onRefused({ code: 'fileGone', fileName });
        else if (trouble === 'unreadable') onRefused({ code: 'fileUnreadable', fileName });
      }
      if (found.length > max) enough.abort();
    },
    onRefused: (_, error) => onRefused(error),
  });
  return found;
}
