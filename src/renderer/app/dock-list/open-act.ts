import { isProgram } from '../../../shared/domain/program.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import type { SmallAct } from './Entry.tsx';

/** Enter opens the file of a finished download. Programs are only shown in their folder. */
export function openAct(fileName: string, run: () => void): SmallAct[] {
  return isProgram(fileName) ? [] : [{ icon: 'file', label: commonTexts.openFile, isMain: true, run }];
}
