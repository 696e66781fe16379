import { join } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { mkdir } from './fs.ts';
import { codeOf } from './failures.ts';
import { inodeAt, maxNumber, nameOf, syncFolder } from './publish-file.ts';

/** The longest path that every system takes (macOS: 1024 bytes), less a file's name and what leads to the folder. */
const maxBytes = 600;
/** So often the same name may be taken at the moment when it was found free. */
const maxTries = 10;

/**
 * The folders of an identifier below one of its folders, as names that every file system takes. Those beyond 600 bytes are
 * left out. None when the identifier does not lie below it.
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

/** Makes what is not there of folders below a folder. @returns the last of them, absolute */
export async function makeSubfolders(folder: string, names: readonly string[]): Promise<string> {
  let path = folder;
  for (const name of names) path = await makeSubfolder(path, name);
  return path;
}

/** Where `makeSubfolders` leads as things are; null: a folder is not there. */
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
      // Another download may have made it since.
      if (codeOf(cause) !== 'EEXIST' || tries >= maxTries) throw cause;
    }
  }
}

/**
 * The folder of this name, or of its name with a number where a file has it, or a link, which may lead anywhere.
 * `free`: the name to make it under when it is not there.
 */
async function findSubfolder(folder: string, name: string): Promise<{ path: string | null; free: string }> {
  for (let number = 0; ; number += 1) {
    const path = join(folder, nameOf(name, number));
    const found = await inodeAt(path);
    if (found?.isDirectory()) return { path, free: path };
    if (found === null || number >= maxNumber) return { path: null, free: path };
  }
}
