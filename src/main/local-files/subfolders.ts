import { join } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { mkdir } from './fs.ts';
import { codeOf } from './file-system.ts';
import { inodeAt, maxNumber, nameOf, syncFolder } from './publish-file.ts';

/** The longest path that every system accepts (macOS: 1024 bytes), minus a file name and the path to the folder. */
const maxBytes = 600;
/** How often a name may turn out to be taken right after it was found free. */
const maxTries = 10;

/**
 * The folders of an identifier below one of its folders, as names that every file system accepts. Those beyond 600
 * bytes are left out. Empty when the identifier does not lie below it.
 */
export function subfoldersOf(identifier: string, below: string, separator: string): string[] {
  const start = below === '' ? '' : below + separator;
  if (!identifier.startsWith(start)) return [];
  const parts = identifier.slice(start.length).split(separator).slice(0, -1);
  const names = parts.filter((part) => part !== '').map(safeFileName);
  let leftBytes = maxBytes;
  const end = names.findIndex((name) => (leftBytes -= Buffer.byteLength(name) + 1) < 0);
  return end === -1 ? names : names.slice(0, end);
}

/** Creates the missing ones of nested folders. @returns the innermost, absolute */
export async function makeSubfolders(folder: string, names: readonly string[]): Promise<string> {
  let path = folder;
  for (const name of names) path = await makeSubfolder(path, name);
  return path;
}

/** Where `makeSubfolders` would lead now; null: a folder is missing. */
export async function findSubfolders(folder: string, names: readonly string[]): Promise<string | null> {
  let path: string | null = folder;
  for (const name of names) path = path && (await findSubfolder(path, name)).path;
  return path;
}

async function makeSubfolder(folder: string, name: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const { path, free } = await findSubfolder(folder, name);
    if (path !== null) return path;
    try {
      await mkdir(free);
      await syncFolder(folder);
      return free;
    } catch (cause) {
      // Another download may have created it since.
      if (codeOf(cause) !== 'EEXIST' || tries >= maxTries) throw cause;
    }
  }
}

/**
 * The folder of this name, or a numbered one where a file has the name, or a link, which may lead anywhere.
 * `free`: the name to create it under when it is missing.
 */
async function findSubfolder(folder: string, name: string): Promise<{ path: string | null; free: string }> {
  for (let number = 0; ; number += 1) {
    const path = join(folder, nameOf(name, number));
    const found = await inodeAt(path);
    if (found?.isDirectory()) return { path, free: path };
    if (found === null || number >= maxNumber) return { path: null, free: path };
  }
}
