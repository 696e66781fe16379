import { uploadTexts } from '../../i18n/upload-texts.ts';
import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import type { PlanEntry } from '../../../shared/domain/upload-plan.ts';
import { formatSize } from '../../../shared/i18n/format.ts';

const texts = uploadTexts.problem;

/** The remedy: remove the file, or use this identifier. */
export type Remedy = { kind: 'remove' } | { kind: 'rename'; identifier: string; label: string };
export type ProblemText = { text: string; remedy: Remedy | null };

/** The note under a file of the sheet; null: none. */
export function problemText(
  { problem, mayBeRefused, changed }: PlanEntry,
  separator: string,
): ProblemText | null {
  const remove = { kind: 'remove' } as const;
  switch (problem?.code) {
    case 'tooLarge':
      return {
        text: texts.tooLarge({ size: limitText(problem.limitBytes) }),
        remedy: remove,
      };
    case 'unreadable':
      return { text: texts.unreadable, remedy: remove };
    case 'unreadableName':
      return { text: texts.unreadableName, remedy: remove };
    case 'unsized':
      return { text: texts.unsized, remedy: remove };
    case 'gone':
      return { text: texts.gone, remedy: remove };
    case 'special':
      return { text: texts.special, remedy: remove };
    case 'symbolicLink':
      return { text: texts.symbolicLink, remedy: remove };
    case 'sameIdentifier': {
      const leaf = problem.remedy.split(separator).at(-1) ?? problem.remedy;
      return {
        text: texts.sameIdentifier({ name: problem.name, other: problem.asName }),
        remedy: { kind: 'rename', identifier: problem.remedy, label: uploadTexts.table.use({ name: leaf }) },
      };
    }
    case 'badIdentifier':
      return { text: texts[problem.problem], remedy: null };
    case undefined:
      if (mayBeRefused) return { text: texts.mayBeRefused, remedy: null };
      return changed ? { text: texts.changed, remedy: null } : null;
  }
}

/** The interface says "50 MB" without defining MB, so sizes over the larger reading have their own text. */
function limitText(limitBytes: number): string {
  return limitBytes === maxObjectBytes.possible ? texts.fiftyMegabytes : formatSize(limitBytes);
}
