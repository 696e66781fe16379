import { relative, sep } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { AppError } from '../../shared/errors.ts';
import { compileFilter } from '../../shared/domain/pattern.ts';
import type { WatchedFile, WatchedFiles } from '../database/watched-files.ts';
import type { Connections } from '../connections/connections.ts';
import { belowOf, readFolder } from '../upload-plan/read-files.ts';
import type { Ignores } from './read-changed.ts';
import { contains } from './watchable.ts';
import type { WatchRecord } from './watch-record.ts';

/** So that the database's thread serves others in between. */
export const filesAtOnce = 5_000;

/** What is left out of a folder: what the person's patterns match, and what Coffer itself saves there. */
export async function ignoresOf(
  connections: Pick<Connections, 'factsOf'>,
  serviceId: string,
  folder: string,
  patterns: readonly string[],
): Promise<Ignores> {
  const { downloadFolder } = await connections.factsOf(serviceId);
  const own = contains(downloadFolder, folder) ? null : relative(folder, downloadFolder).split(sep).join('/');
  const ignored = patterns.flatMap((pattern) => compileFilter(pattern, '/') ?? []);
  return (below, isFolder) =>
    below === own || ignored.some((matches) => matches(below) || (isFolder && matches(`${below}/`)));
}

/**
 * The files in a folder that can be uploaded.
 * @param options.max it may answer a few more, and then not all
 * @param options.onRefused gets what could not be read, such as when the drive goes away meanwhile
 */
export async function listExisting(
  folder: string,
  ignores: Ignores,
  { max = Infinity, onRefused }: { max?: number; onRefused: (error: AppError) => void },
): Promise<Omit<WatchedFile, 'transferId'>[]> {
  const found: Omit<WatchedFile, 'transferId'>[] = [];
  const enough = new AbortController();
  await readFolder(folder, {
    signal: enough.signal,
    skipsAccess: true,
    ignores,
    onFound(files) {
      for (const file of files) {
        const { fileName, sizeBytes, mtimeMs, trouble } = file;
        if (trouble === null) found.push({ path: belowOf(file), sizeBytes, mtimeMs });
        else if (trouble === 'gone') onRefused({ code: 'fileGone', fileName });
        else if (trouble === 'unreadable') onRefused({ code: 'fileUnreadable', fileName });
      }
      if (found.length > max) enough.abort();
    },
    onRefused: (_, error) => onRefused(error),
  });
  return found;
}

/**
 * Remembers what is in a folder, so that it is not uploaded.
 * @throws AppFailure folderGone, fileGone, fileUnreadable: what was not read would be uploaded later
 */
export async function rememberExisting(
  {
    connections,
    watched,
  }: { connections: Pick<Connections, 'factsOf'>; watched: Pick<WatchedFiles, 'remember'> },
  { id, serviceId, folder, choices }: WatchRecord,
): Promise<void> {
  const ignores = await ignoresOf(connections, serviceId, folder, choices.ignore);
  const refused: AppError[] = [];
  const existing = await listExisting(folder, ignores, { onRefused: (error) => refused.push(error) });
  if (refused[0]) throw new AppFailure(refused[0]);
  const found = existing.map((file) => ({ ...file, transferId: null }));
  for (let from = 0; from < found.length; from += filesAtOnce)
    await watched.remember(id, found.slice(from, from + filesAtOnce));
}
