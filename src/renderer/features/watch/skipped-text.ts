import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import type { Skipped } from '../../../shared/domain/watch.ts';
import { formatSize } from '../../../shared/i18n/format.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { watchTexts } from './watch-texts.ts';

const texts = uploadTexts.problem;

/** Why a file of a watched folder is not uploaded. */
export function skippedText(problem: Skipped['problem']): string {
  switch (problem.code) {
    case 'tooLarge': {
      const isUsual = problem.limitBytes === maxObjectBytes.possible;
      return texts.tooLarge({ size: isUsual ? texts.fiftyMegabytes : formatSize(problem.limitBytes) });
    }
    case 'badIdentifier':
      return texts[problem.problem];
    case 'unreadableFolder':
      return watchTexts.unreadableFolder;
    case 'unreadable':
    case 'unreadableName':
    case 'unsized':
    case 'gone':
    case 'special':
    case 'symbolicLink':
      return texts[problem.code];
  }
}
