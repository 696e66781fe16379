import { judgeSize, maxObjectBytes } from './limits.ts';

/** Files over a service's limit are stored in parts, with a manifest under the file's own identifier (docs/parts.md). */

const mebibyte = 1024 * 1024;
const usualPartBytes = 32 * mebibyte;

/** The service settings that decide how files are stored. */
export interface PartRules {
  /** null: the two readings of "50 MB" apply. */
  readonly maxObjectBytes: number | null;
  /** false: store every object as a whole file. */
  readonly allowsParts: boolean;
}

/** At most the limit less 1 MiB, or half the limit if it is too small for that. */
export function maxPartBytesOf({ maxObjectBytes: exactBytes }: Pick<PartRules, 'maxObjectBytes'>): number {
  const limitBytes = exactBytes ?? maxObjectBytes.sure;
  if (limitBytes < 2 * mebibyte) return Math.max(Math.floor(limitBytes / 2), 1);
  return Math.min(usualPartBytes, limitBytes - mebibyte);
}

/** Whether a file is over the limit and may be in parts. */
export function goesInParts(sizeBytes: number, rules: PartRules): boolean {
  return rules.allowsParts && judgeSize(sizeBytes, maxObjectBytes, rules.maxObjectBytes) === 'tooLarge';
}

/** Number of parts of a file; null: sent whole, or not at all. */
export function countParts(sizeBytes: number, rules: PartRules): number | null {
  return goesInParts(sizeBytes, rules) ? Math.ceil(sizeBytes / maxPartBytesOf(rules)) : null;
}
