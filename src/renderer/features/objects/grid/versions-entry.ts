import { objectTexts } from '../../../i18n/object-texts.ts';
import type { MenuEntry } from '../../../ui/Menu.tsx';

/** Switches between all versions and the newest ones only. */
export function versionsEntry(
  showAllVersions: boolean,
  onChange: (change: { showAllVersions: boolean }) => void,
): MenuEntry {
  return {
    id: 'versions',
    label: objectTexts.columns.allVersions,
    ...(showAllVersions && { icon: 'check' }),
    onAction: () => onChange({ showAllVersions: !showAllVersions }),
  };
}
