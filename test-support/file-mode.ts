import { statSync } from 'node:fs';

/** Who may read, write and run a file or enter a folder. */
export const modeOf = (path: string): number => statSync(path).mode & 0o777;

/**
 * The answer of `modeOf` on this system for what was made with `mode`. Windows keeps rights in lists, which no mode shows: there Node
 * only tells what is read-only (libuv, `fs__stat_assign_statbuf`).
 */
export function modeHere(mode: number): number {
  if (process.platform !== 'win32') return mode;
  return (mode & 0o200) === 0 ? 0o444 : 0o666;
}
