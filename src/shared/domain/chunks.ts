import { judgeSize, maxObjectBytes } from './limits.ts';

/** Files over the limit of a service lie there in parts, with a list of them under the file's own identifier (docs/parts.md). */

const mebibyte = 1024 * 1024;
const usualPartBytes = 32 * mebibyte;

/** What of a service decides how files lie there. */
export interface PartRules {
  /** null: the two readings of "50 MB" apply. */
  readonly maxObjectBytes: number | null;
  /** A person may want every object to be a whole file. */
  readonly allowsParts: boolean;
}

/** Never over the limit less 1 MiB; of a limit that has no room for that, half of it. */
export function partBytesOf({ maxObjectBytes: exactBytes }: Pick<PartRules, 'maxObjectBytes'>): number {
  const limitBytes = exactBytes ?? maxObjectBytes.sure;
  if (limitBytes < 2 * mebibyte) return Math.max(Math.floor(limitBytes / 2), 1);
  return Math.min(usualPartBytes, limitBytes - mebibyte);
}

/** Whether a file is over the limit and may go in parts. */
export function goesInParts(sizeBytes: number, rules: PartRules): boolean {
  return rules.allowsParts && judgeSize(sizeBytes, maxObjectBytes, rules.maxObjectBytes) === 'tooLarge';
}

/** How many parts a file goes in; null: it goes whole, or not at all. */
export function countChunks(sizeBytes: number, rules: PartRules): number | null {
  return goesInParts(sizeBytes, rules) ? Math.ceil(sizeBytes / partBytesOf(rules)) : null;
}
