import { goneCode, kindCode, states } from '../rows.ts';
import { onItsWayMs, stateBits, type ObjectIndex } from './object-index.ts';

/**
 * By folder number: when the newest object at any depth below it was stored; -1: no date is known. Passes over all
 * rows, because the removal of the newest does not tell which one is the newest then.
 */
export function newestInFolders({ marks, folders, storedAt, count, tree }: ObjectIndex): Float64Array {
  const isListed = new Uint8Array(256);
  for (const code of states.keys()) if (code !== goneCode) isListed[kindCode('data') * stateBits + code] = 1;
  const newest = new Float64Array(tree.size).fill(-1);
  for (let slot = 0; slot < count; slot += 1) {
    const folder = folders[slot] ?? -1;
    const atMs = storedAt[slot] ?? -1;
    if (folder < 0 || atMs <= (newest[folder] ?? -1) || atMs === onItsWayMs) continue;
    if (isListed[marks[slot] ?? 0] === 1) newest[folder] = atMs;
  }
  tree.raise(newest);
  return newest;
}
