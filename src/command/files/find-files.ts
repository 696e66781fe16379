import { lstat, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { SeenState } from '../../main/local-files/file-state.ts';
import {
  readFiles,
  type FolderPlace,
  type FoundFile,
  type Reading,
} from '../../main/upload-plan/read-files.ts';
import type { AppError } from '../../shared/errors.ts';
import { Usage } from '../errors/errors.ts';
import type { CommandIo } from '../terminal/io.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { compileNarrowing, compilePattern, fixedFolder, hasWildcard, type Narrowing } from './patterns.ts';
import { selectionTexts as texts } from './selection-texts.ts';

/** @param relative the path below the named path, separated by `/` */
export interface LocalFile extends SeenState, Pick<FoundFile, 'trouble'> {
  readonly path: string;
  readonly relative: string;
}

export interface FoundFiles {
  readonly files: readonly LocalFile[];
  /** Folders that could not be read, or only in part, and are not excluded as a whole. */
  readonly refused: readonly { readonly name: string; readonly error: AppError }[];
  /** Folders that were listed to their end, by their path below the named one. */
  readonly folders: ReadonlyMap<string, FolderPlace>;
  /** Folders that were not, excluded ones included. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Finds the files at and below paths and patterns. An existing path always means itself, even if it looks like a pattern.
 * Below a folder, `relative` begins with the folder's name; for a pattern, with the path after its last folder without a
 * wildcard, as if a shell had expanded it. Each file once. @throws Usage: a pattern matches nothing
 */
export async function findFiles(
  io: Pick<CommandIo, 'resolve'>,
  words: readonly string[],
  narrowing: Narrowing,
  signal: AbortSignal,
): Promise<Pick<FoundFiles, 'files' | 'refused'>> {
  const files = new Map<string, LocalFile>();
  const refused: FoundFiles['refused'][number][] = [];
  const isWanted = compileNarrowing(narrowing, '/');
  for (const word of words) {
    const isPattern = hasWildcard(word) && !(await isThere(io.resolve(word)));
    const root = isPattern ? io.resolve(rootOf(word)) : io.resolve(word);
    const found = await readBelow(root, narrowing, { signal });
    refused.push(...found.refused);
    const rest = word.slice(rootOf(word).length).replace(/^\/+/, '');
    const matches = isPattern ? compilePattern(rest, '/') : () => true;
    const matching = found.files.filter((file) => matches(file.relative));
    if (isPattern && matching.length === 0)
      throw new Usage(texts.noFileMatches({ pattern: word }), exitCodes.notFound);
    for (const file of matching) {
      const isAlone = file.path === root;
      if (!isWanted(isAlone ? basename(root) : file.relative)) continue;
      const name = isAlone
        ? basename(root)
        : isPattern
          ? file.relative
          : `${basename(root)}/${file.relative}`;
      if (!files.has(file.path)) files.set(file.path, { ...file, relative: name });
    }
  }
  return { files: [...files.values()], refused };
}

/**
 * Finds all files below a folder, which may be a symbolic link. Does not check whether they can be read.
 * @throws Usage: there is no such folder
 */
export async function findFilesIn(
  io: Pick<CommandIo, 'resolve'>,
  folder: string,
  narrowing: Narrowing,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const root = await realpath(io.resolve(folder)).catch(() => null);
  if (root === null || !(await lstat(root)).isDirectory())
    throw new Usage(texts.noSuchFolder({ folder }), exitCodes.notFound);
  return readBelow(root, narrowing, { signal, skipsAccess: true });
}

async function readBelow(
  root: string,
  { exclude = [] }: Narrowing,
  reading: Pick<Reading, 'signal' | 'skipsAccess'>,
): Promise<FoundFiles> {
  const files: LocalFile[] = [];
  const refused: FoundFiles['refused'][number][] = [];
  const folders = new Map<string, FolderPlace>();
  const unread = new Set<string>();
  const isLeft = compileNarrowing({ exclude }, '/');
  const below = (path: string) => relative(root, path).split(sep).join('/');
  await readFiles([root], {
    ...reading,
    onFound(found) {
      for (const { place, fileName, ...state } of found) {
        const path = join(place.absolute, fileName);
        files.push({ ...state, path, relative: below(path) });
      }
    },
    onFolder: (path, place) => void folders.set(below(path), place),
    onRefused(name, error, path) {
      unread.add(below(path));
      // Tests any file in it: if that would be excluded, so is the whole folder.
      if (isLeft(join(below(path), 'file'))) refused.push({ name, error });
    },
  });
  reading.signal.throwIfAborted();
  return { files, refused, folders, unread };
}

function rootOf(pattern: string): string {
  return fixedFolder(pattern, '/') || (pattern.startsWith('/') ? '/' : '');
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
