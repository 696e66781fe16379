import { isOpenable } from '../../../shared/domain/openable.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import type { SmallAct } from './Entry.tsx';

/** The file of a finished download. Enter opens it, or, if it is not of a kind to be opened, shows it in its folder. */
export function fileActs(fileName: string, open: () => void, showInFolder: () => void): SmallAct[] {
  const opens = isOpenable(fileName);
  return [
    ...(opens ? [{ icon: 'file', label: commonTexts.openFile, isMain: true, run: open } as const] : []),
    {
      icon: 'folder',
      label: commonTexts.showInFolder,
      ...(!opens && { isMain: true }),
      run: showInFolder,
    },
  ];
}
