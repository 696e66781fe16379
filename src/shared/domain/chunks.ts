import { judgeSize, maxObjectBytes } from './limits.ts';

/** Files over a service's limit are stored in chunks, with a manifest under the file's own identifier (docs/parts.md). */

const mebibyte = 1024 * 1024;
const usualChunkBytes = 32 * mebibyte;

/** The service settings that decide how files are stored. */
export interface ChunkRules {
  /** null: the two readings of "50 MB" apply. */
  readonly maxObjectBytes: number | null;
  /** false: store every object as a whole file. */
  readonly allowsParts: boolean;
}

/** At most the limit less 1 MiB, or half the limit if it is too small for that. */
export function maxChunkBytesOf({ maxObjectBytes: exactBytes }: Pick<ChunkRules, 'maxObjectBytes'>): number {
  const limitBytes = exactBytes ?? maxObjectBytes.sure;
  if (limitBytes < 2 * mebibyte) return Math.max(Math.floor(limitBytes / 2), 1);
  return Math.min(usualChunkBytes, limitBytes - mebibyte);
}

/** Whether a file is over the limit and may be chunked. */
export function goesInParts(sizeBytes: number, rules: ChunkRules): boolean {
  return rules.allowsParts && judgeSize(sizeBytes, maxObjectBytes, rules.maxObjectBytes) === 'tooLarge';
}

/** Number of chunks of a file; null: sent whole, or not at all. */
export function countChunks(sizeBytes: number, rules: ChunkRules): number | null {
  return goesInParts(sizeBytes, rules) ? Math.ceil(sizeBytes / maxChunkBytesOf(rules)) : null;
}
