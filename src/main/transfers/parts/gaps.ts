import type { AppErrorOf } from '../../../shared/errors.ts';
import type { Plan } from './journal.ts';
import type { Manifest } from './manifest.ts';

/** More gaps are counted, and not told one by one. */
const mostGaps = 20;

/** Says which bytes of a file are not there. @param missing ids of parts */
export function gapsOf(manifest: Manifest, missing: ReadonlySet<string>): AppErrorOf<'partsMissing'> {
  const gaps: { firstByte: number; lastByte: number }[] = [];
  let missingParts = 0;
  let missingBytes = 0;
  let atBytes = 0;
  for (const { id, size } of manifest.parts) {
    if (missing.has(id)) {
      missingParts += 1;
      missingBytes += size;
      const last = gaps.at(-1);
      if (last?.lastByte === atBytes - 1) last.lastByte = atBytes + size - 1;
      else gaps.push({ firstByte: atBytes, lastByte: atBytes + size - 1 });
    }
    atBytes += size;
  }
  return {
    code: 'partsMissing',
    gaps: gaps.slice(0, mostGaps),
    missingParts,
    parts: manifest.parts.length,
    missingBytes,
    sizeBytes: manifest.size,
  };
}

/** What of a file cannot be had: numbers of its parts, from 0, in the list of them with this digest. */
export interface Gaps {
  readonly parts: readonly number[];
  readonly manifestSha256: string;
}

/** @param plan of a download each of whose parts was tried */
export function gapsIn({ manifest, marks, sha256 }: Plan<'download'>): Gaps {
  const parts = manifest.parts.flatMap(({ id }, index) => (marks.get(id) === 'done' ? [] : [index]));
  return { parts, manifestSha256: sha256 };
}
