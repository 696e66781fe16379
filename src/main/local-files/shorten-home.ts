import { isAbsolute, join, relative } from 'node:path';

/** For people: `~/Downloads/Meridian`. */
export function shortenHome(path: string, home: string): string {
  const below = relative(home, path);
  if (below === '') return '~';
  return below.startsWith('..') || isAbsolute(below) ? path : join('~', below);
}
