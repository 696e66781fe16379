import type { ObjectRow } from '../../../shared/contract.ts';
import { showDock } from '../../app/dock.ts';
import { isMac, keysOf } from '../../app/key-bindings.ts';
import { formatCount } from '../../i18n/format.ts';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { canForget } from './row-state.ts';
import type { ObjectActions } from './use-object-actions.ts';

/** What the menu of a row offers, for everything that is selected. @param row the one it was opened on */
export function rowMenu(row: ObjectRow | undefined, count: number, actions: ObjectActions): MenuEntry[] {
  const isAtService = row?.kind !== 'secret' && row?.state !== 'gone' && row?.state !== 'failed';
  const many = count > 1 ? ` ${formatCount(count)} objects` : '';
  const keys = (of: string | undefined) => (of === undefined ? {} : { keys: of });
  const atService: MenuEntry[] = [
    {
      id: 'download',
      label: `Download${many}`,
      icon: 'download',
      ...keys(keysOf('download')),
      onAction: () => actions.download(),
    },
    {
      id: 'downloadDeferred',
      label: `Download${many} deferred`,
      icon: 'deferred',
      onAction: actions.downloadDeferred,
    },
    ...(count === 1
      ? [{ id: 'saveAs', label: 'Save as…', onAction: () => actions.download(true) } satisfies MenuEntry]
      : []),
    {
      id: 'check',
      label: `Check${many}`,
      icon: 'refresh',
      ...keys(keysOf('check')),
      onAction: actions.check,
    },
    'line',
  ];
  const forget: MenuEntry[] = [
    { id: 'forget', label: 'Remove from list', icon: 'x', onAction: actions.forget },
  ];
  const remove: MenuEntry[] = [
    {
      id: 'delete',
      label: `Delete${many}…`,
      icon: 'trash',
      kind: 'bad',
      ...keys(keysOf('delete')),
      onAction: actions.askToDelete,
    },
  ];
  return [
    ...(isAtService ? atService : []),
    {
      id: 'details',
      label: 'Show details',
      icon: 'text',
      ...keys(keysOf('details')),
      onAction: () => showDock('details'),
    },
    {
      id: 'copy',
      label: count > 1 ? `Copy ${formatCount(count)} identifiers` : 'Copy identifier',
      icon: 'copy',
      keys: isMac ? '⌘+C' : 'Ctrl+C',
      onAction: actions.copyIdentifiers,
    },
    'line',
    ...(row !== undefined && canForget(row) ? forget : []),
    ...(isAtService ? remove : []),
  ];
}
