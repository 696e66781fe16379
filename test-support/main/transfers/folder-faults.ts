import assert from 'node:assert/strict';
import type { BigIntStats, Stats } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

/** What a test cannot do to a real folder: root may read everything, and mounting needs rights of its own. */
export type FolderFault = 'unreadable' | 'anotherDevice';

/** Lets folders be unreadable, or on another device. Load this before any module that binds functions of `fs/promises`. */
const { lstat, opendir, stat } = promises;
/** The existing faults, if this module is loaded again. */
const earlier = (opendir as Partial<{ faults: Map<string, FolderFault> }>).faults;
/** By path. */
export const folderFaults = earlier ?? new Map<string, FolderFault>();

/** Whether a path is, or is in, a folder with this fault. */
function has(fault: FolderFault, path: unknown): boolean {
  for (const [folder, each] of folderFaults)
    if (each === fault && (path === folder || String(path).startsWith(folder + sep))) return true;
  return false;
}

if (!earlier) {
  const open: typeof opendir = async (path, options) => {
    if (has('unreadable', path))
      throw Object.assign(new Error(`EACCES: ${String(path)}`), { code: 'EACCES', syscall: 'opendir' });
    return opendir(path, options);
  };
  promises.opendir = Object.assign(open, { faults: folderFaults });
  promises.lstat = withDevice(lstat);
  promises.stat = withDevice(stat);
  // Updates named imports as well.
  syncBuiltinESMExports();
}

function withDevice<T extends typeof lstat | typeof stat>(original: T): T {
  const changed = async (...args: Parameters<typeof lstat>) => {
    const stats: Stats | BigIntStats = await original(...args);
    if (!has('anotherDevice', args[0])) return stats;
    return Object.assign(stats, { dev: typeof stats.dev === 'bigint' ? stats.dev + 1n : stats.dev + 1 });
  };
  return changed as unknown as T;
}

/** @throws AssertionError if this `opendir` was bound before it was replaced: then no fault here reaches it */
export function requireReplaced(bound: typeof opendir): void {
  assert.ok('faults' in bound, 'load folder-faults.ts before any module that binds `opendir`');
}
