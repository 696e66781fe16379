import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import type { MenuEntry } from '../../../ui/Menu.tsx';

export type ShownRows = Pick<Settings, 'showAllVersions'>;

/** The switch between all versions and the newest ones only. */
export function shownRowsEntries(
  { showAllVersions }: ShownRows,
  onChange: (change: Partial<ShownRows>) => void,
): MenuEntry[] {
  return [
    {
      id: 'versions',
      label: objectTexts.columns.allVersions,
      ...(showAllVersions && { icon: 'check' }),
      onAction: () => onChange({ showAllVersions: !showAllVersions }),
    },
  ];
}
