import { relative, sep } from 'node:path';
import type { Skipped } from '../../shared/domain/watch.ts';
import { stat } from '../local-files/fs.ts';
import {
  belowOf,
  checkAgain,
  readFolder,
  type FolderPlace,
  type FolderReading,
  type FoundFile,
  type Trouble,
} from '../upload-plan/read-files.ts';
import { type FolderIdentity, isSameFolder, orLate } from './watched-folder.ts';

/** File endings of unfinished browser downloads. */
const downloadEndings = ['.part', '.partial', '.crdownload', '.download'];
/** Files checked again at once. */
const batchSize = 1_000;

export type FolderState = 'watching' | 'away' | 'unreadable' | 'another';

/** Takes paths below the folder, with `/`. A folder that matches is not read. */
export type Ignores = (below: string, isFolder: boolean) => boolean;

export interface ReadOptions {
  /** Absolute. */
  readonly folder: string;
  readonly ignores: Ignores;
  /** Whether the file needs no upload in its present state. */
  readonly isKnown: (path: string, file: FoundFile) => boolean;
  readonly signal: AbortSignal;
}

/** Reads a folder for files that are not known in their present state, and for files that cannot be sent. */
export async function readChanged({ folder, ignores, isKnown, signal }: ReadOptions): Promise<{
  state: FolderState;
  /** Without ignored files. */
  reading: FolderReading;
  changed: Map<string, FoundFile>;
  unsuitable: Skipped[];
}> {
  let state: FolderState = 'watching';
  const unsuitable: Skipped[] = [];
  const found: FoundFile[] = [];
  const downloads = new Set<string>();
  const files = new Map<string, Trouble | null>();
  const folders = new Map<string, FolderPlace>();
  const unread = new Set<string>();
  const below = (path: string) => relative(folder, path).split(sep).join('/');
  const sort = (file: FoundFile) => {
    const path = belowOf(file);
    // A file that has been deleted meanwhile is not a problem.
    if (file.trouble === null) found.push(file);
    else if (file.trouble !== 'gone') unsuitable.push({ path, problem: { code: file.trouble } });
  };
  await readFolder(folder, {
    signal,
    skipsAccess: true,
    ignores(path, isFolder) {
      const isIgnored = ignores(path, isFolder);
      if (isIgnored && !isFolder && isDownload(path))
        for (const start of startsOf(path)) downloads.add(start);
      return isIgnored;
    },
    onFound(all) {
      for (const file of all) {
        const path = belowOf(file);
        files.set(path, file.trouble);
        if (file.trouble !== null || !isKnown(path, file)) sort(file);
      }
    },
    onFolder: (path, place) => void folders.set(below(path), place),
    onRefused(_, { code }, path) {
      unread.add(below(path));
      if (path === folder) state = code === 'folderGone' ? 'away' : 'unreadable';
      else if (code !== 'folderGone')
        unsuitable.push({
          path: below(path),
          problem: { code: 'unreadableFolder' },
        });
    },
  });
  signal.throwIfAborted();
  const candidates = found.splice(0).filter((file) => !isPlaceholder(file, downloads));
  // Check readability only of files to be sent.
  for (let from = 0; from < candidates.length; from += batchSize) {
    for (const file of await checkAgain(candidates.slice(from, from + batchSize))) sort(file);
    signal.throwIfAborted();
  }
  const reading = { files, folders, unread };
  return { state, reading, changed: new Map(found.map((file) => [belowOf(file), file])), unsuitable };
}

/** Browsers reserve a download's name with an empty file beside the one they write: `a.pdf` and `a.pdf.part`, `a.x7Yk.pdf.part`. */
function isPlaceholder(file: FoundFile, downloads: ReadonlySet<string>): boolean {
  if (file.sizeBytes > 0) return false;
  const path = belowOf(file);
  const dotAt = path.lastIndexOf('.');
  return downloads.has(dotAt > path.lastIndexOf('/') + 1 ? path.slice(0, dotAt) : path);
}

function isDownload(below: string): boolean {
  return downloadEndings.some((ending) => below.endsWith(ending));
}

/** The path up to each dot in its file name. */
function* startsOf(path: string): Generator<string> {
  const nameAt = path.lastIndexOf('/') + 1;
  for (let at = path.indexOf('.', nameAt); at !== -1; at = path.indexOf('.', at + 1)) yield path.slice(0, at);
}

/** Checks a folder once at a time: on a drive that hangs, each check would block a thread of Node's pool. */
export function createFolderCheck(
  folder: string,
  identity: FolderIdentity | null,
): () => Promise<FolderState> {
  let asked: Promise<FolderState> | null = null;
  return () => {
    asked ??= stateOf(folder, identity).finally(() => (asked = null));
    return orLate(asked, 'away');
  };
}

async function stateOf(folder: string, identity: FolderIdentity | null): Promise<FolderState> {
  try {
    const stats = await stat(folder, { bigint: true });
    if (!stats.isDirectory()) return 'away';
    return identity === null || isSameFolder(identity, stats) ? 'watching' : 'another';
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    return code === 'EACCES' || code === 'EPERM' ? 'unreadable' : 'away';
  }
}
