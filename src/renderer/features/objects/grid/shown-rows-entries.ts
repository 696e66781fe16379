import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import type { MenuEntry } from '../../../ui/Menu.tsx';

export type ShownRows = Pick<Settings, 'showAllVersions' | 'showFolders'>;

/** Switches for the rows that a list has: folders, and all versions or the newest ones only. */
export function shownRowsEntries(
  { showAllVersions, showFolders }: ShownRows,
  onChange: (change: Partial<ShownRows>) => void,
): MenuEntry[] {
  return [
    {
      id: 'folders',
      label: objectTexts.columns.folders,
      ...(showFolders && { icon: 'check' }),
      onAction: () => onChange({ showFolders: !showFolders }),
    },
    {
      id: 'versions',
      label: objectTexts.columns.allVersions,
      ...(showAllVersions && { icon: 'check' }),
      onAction: () => onChange({ showAllVersions: !showAllVersions }),
    },
  ];
}
