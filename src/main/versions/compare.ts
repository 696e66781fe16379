import { structuredPatch } from 'diff';
import type { Output } from '../../shared/contract.ts';

type Lines = NonNullable<Output<'objects.compareVersions'>['lines']>;

/** Maximum number of lines shown. */
const maxLines = 2000;
/** Number of unchanged lines shown around a change. */
const contextLines = 3;
/** Time limit of a comparison, in ms: two texts may have nothing in common. */
const longestMs = 2000;

/** The differences between two texts, line by line; null: too many to be useful. */
export function compareLines(before: string, after: string): Lines | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: contextLines, timeout: longestMs });
  if (patch === undefined) return null;
  const lines: Lines = [];
  for (const [at, hunk] of patch.hunks.entries()) {
    if (at > 0) lines.push({ kind: 'skipped', text: '' });
    for (const line of hunk.lines) {
      const kind = kinds[line[0] ?? ''];
      // `\ No newline at end of file`
      if (kind === undefined) continue;
      if (lines.length === maxLines) return [...lines, { kind: 'skipped', text: '' }];
      lines.push({ kind, text: line.slice(1) });
    }
  }
  return lines;
}

const kinds: Readonly<Record<string, 'same' | 'removed' | 'added'>> = {
  ' ': 'same',
  '-': 'removed',
  '+': 'added',
};
