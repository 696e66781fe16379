import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

/** Tracks the files opened through `fs/promises`. Load this before any module that binds `open` when it loads. */
const { open } = promises;
/** The existing tracking, if this module is loaded again. */
const earlier = (open as Partial<{ paths: Map<FileHandle, string> }>).paths;
const paths = earlier ?? new Map<FileHandle, string>();

if (!earlier) {
  const track: typeof open = async (path, ...rest) => {
    const handle = await open(path, ...rest);
    paths.set(handle, String(path));
    // Documented by Node as an EventEmitter, but not typed as one.
    (handle as FileHandle & EventEmitter).once('close', () => paths.delete(handle));
    return handle;
  };
  promises.open = Object.assign(track, { paths });
  // Updates named imports as well.
  syncBuiltinESMExports();
}

function handlesBelow(folder: string): FileHandle[] {
  return [...paths].filter(([, path]) => path.startsWith(folder + sep)).map(([handle]) => handle);
}

/** Closes files as the system does for a dead process. */
export async function closeFilesBelow(folder: string): Promise<void> {
  await Promise.all(handlesBelow(folder).map((handle) => handle.close()));
}

/** Paths of files that are still open. */
export function listOpenFilesBelow(folder: string): string[] {
  return handlesBelow(folder).map((handle) => paths.get(handle) ?? '');
}

/** @throws AssertionError if this `open` was bound before it was replaced: then nothing here knows of its files */
export function requireTracked(bound: object): void {
  assert.ok('paths' in bound, 'load open-files.ts before any module that binds `open`');
}
