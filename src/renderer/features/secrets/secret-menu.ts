import type { ObjectRow } from '../../../shared/contract.ts';
import { listKeys } from '../../../shared/keys.ts';
import { runCommand } from '../../app/commands.ts';
import { keysOf, shownChord } from '../../app/key-bindings.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { ObjectActions } from '../objects/actions/use-object-actions.ts';
import { canForget } from '../objects/state/row-state.ts';
import { startNewVersion } from './new-version.ts';
import type { SecretList } from './secret-list.ts';

/** Whether the service can have a value of it. */
export function canRead({ state }: ObjectRow): boolean {
  return state !== 'failed' && state !== 'uploading';
}

/** The menu of a row. Only one value at a time can be read; secrets can be neither replaced nor deleted. */
export function secretMenu(
  row: ObjectRow | undefined,
  count: number,
  list: Pick<SecretList, 'reveal' | 'copy' | 'askToSave'>,
  actions: Pick<ObjectActions, 'copyIdentifiers' | 'forget'>,
): MenuEntry[] {
  if (row === undefined) return [];
  const keys = keysOf('details');
  const value: MenuEntry[] = [
    {
      id: 'reveal',
      label: secretTexts.reveal,
      icon: 'eye',
      keys: shownChord(listKeys.open[0]),
      onAction: () => list.reveal(row),
    },
    {
      id: 'copyValue',
      label: secretTexts.copyValue,
      icon: 'copy',
      keys: shownChord(listKeys.copy[0]),
      onAction: () => list.copy(row),
    },
    { id: 'saveAs', label: commonTexts.saveAs, icon: 'download', onAction: () => list.askToSave(row) },
    {
      id: 'newVersion',
      label: secretTexts.newVersion,
      icon: 'all',
      onAction: () => startNewVersion(row),
    },
    'line',
  ];
  const forget: MenuEntry[] = [
    'line',
    { id: 'forget', label: commonTexts.removeFromList, icon: 'x', onAction: actions.forget },
  ];
  return [
    ...(count === 1 && canRead(row) ? value : []),
    {
      id: 'details',
      label: commonTexts.showDetails,
      icon: 'text',
      ...(keys !== undefined && { keys }),
      onAction: () => runCommand('details'),
    },
    {
      id: 'copy',
      label: count > 1 ? commonTexts.copyIdentifiers({ count }) : commonTexts.copyIdentifier,
      keys: shownChord(listKeys.copyIdentifiers[0]),
      onAction: actions.copyIdentifiers,
    },
    ...(canForget(row) ? forget : []),
  ];
}
