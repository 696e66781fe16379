import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import type { PlanEntry } from '../../../shared/domain/upload-plan.ts';
import { formatSize } from '../../i18n/format.ts';

/** The one remedy: take the file out, or take this identifier. */
export type Remedy = { kind: 'remove' } | { kind: 'rename'; identifier: string; label: string };
export type ProblemText = { text: string; remedy: Remedy | null };

/** What stands under a file of the sheet, null when it can go as it is and there is nothing to say. */
export function problemText({ problem, mayBeRefused }: PlanEntry, separator: string): ProblemText | null {
  const remove = { kind: 'remove' } as const;
  switch (problem?.code) {
    case 'tooLarge':
      return {
        text: `Too large. The service takes up to ${limitText(problem.limitBytes)}.`,
        remedy: remove,
      };
    case 'unreadable':
      return { text: 'This computer does not let Coffer read it.', remedy: remove };
    case 'unreadableName':
      return { text: 'Its name cannot be read. Rename it, then add it again.', remedy: remove };
    case 'unsized':
      return { text: 'It says it is empty and is not. Copy it to a plain file first.', remedy: remove };
    case 'gone':
      return { text: 'It is no longer where it was.', remedy: remove };
    case 'special':
      return { text: 'Not a regular file: it has no bytes of its own.', remedy: remove };
    case 'symbolicLink':
      return { text: 'A link to another place. Coffer does not follow links.', remedy: remove };
    case 'sameIdentifier': {
      const leaf = problem.remedy.split(separator).at(-1) ?? problem.remedy;
      return {
        text: `Same identifier as ${problem.asFileName}.`,
        remedy: { kind: 'rename', identifier: problem.remedy, label: `Use ${leaf}` },
      };
    }
    case 'badIdentifier':
      return { text: identifierProblem[problem.problem], remedy: null };
    case undefined:
      return mayBeRefused ? { text: 'Close to the limit: the service may refuse it.', remedy: null } : null;
  }
}

const identifierProblem = {
  empty: 'It needs an identifier.',
  dotSegment: '"." and ".." mean a folder on the way and would never arrive.',
  loneSurrogate: 'The identifier holds half a character.',
} as const;

/** The interface says "50 MB" and not which: what is over the larger reading is told in its own words. */
function limitText(limitBytes: number): string {
  return limitBytes === maxObjectBytes.possible ? '50 MB' : formatSize(limitBytes);
}
