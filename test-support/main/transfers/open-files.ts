import type { EventEmitter } from 'node:events';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

/** The files that this process has open through promises. Import this before what takes `open` from there as it loads. */
const paths = new Map<FileHandle, string>();
const { open } = promises;

promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  paths.set(handle, String(path));
  // It is one, as Node documents it; its typings do not say so.
  (handle as FileHandle & EventEmitter).once('close', () => paths.delete(handle));
  return handle;
};
// Also for those who have imported it by its name.
syncBuiltinESMExports();

function handlesBelow(folder: string): FileHandle[] {
  return [...paths].filter(([, path]) => path.startsWith(folder + sep)).map(([handle]) => handle);
}

/** As the system does for a process that is dead: nobody in it will. */
export async function closeFilesBelow(folder: string): Promise<void> {
  await Promise.all(handlesBelow(folder).map((handle) => handle.close()));
}

/** The paths of those that nobody has closed. */
export function listOpenFilesBelow(folder: string): string[] {
  return handlesBelow(folder).map((handle) => paths.get(handle) ?? '');
}
