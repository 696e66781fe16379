import { commonTexts } from '../../../i18n/common-texts.ts';
import { versionTexts } from '../../../i18n/detail-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { isStoredWhole, type ObjectQuery } from '../../../../shared/domain/object.ts';
import { canTakeOut } from '../../../../shared/domain/take-out.ts';
import type { SavedFile } from '../../../../shared/domain/transfer.ts';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { showDock } from '../../../app/dock.ts';
import { isMac, keysOf } from '../../../app/key-bindings.ts';
import type { MenuEntry } from '../../../ui/Menu.tsx';
import { canForget, canOpen } from '../state/row-state.ts';
import type { ObjectActions } from '../actions/use-object-actions.ts';
import { useState } from 'react';
import { useClient } from '../../../app/client.ts';
import { useBrowser } from '../state/browser-store.ts';
import { countSelected, toWire } from '../state/selection.ts';
import type { Point } from './grid-props.ts';

const texts = objectTexts.act;

/**
 * The menu for the selected rows.
 * @param row the row it was opened on; undefined: not loaded, or folders are selected
 * @param saved the file of its last download, for a single row
 * @param downloads the downloads of several rows
 * @param onRename renames it in its row; null: it can't be
 */
export function rowMenu(
  row: ObjectRow | undefined,
  count: number,
  actions: ObjectActions,
  saved: SavedFile | null,
  downloads: readonly number[],
  onLook: () => void,
  onRename: (() => void) | null,
): MenuEntry[] {
  const isAtService = row?.kind !== 'secret' && row?.state !== 'gone' && row?.state !== 'failed';
  const isMany = count > 1 || row === undefined;
  const keys = (of: string | undefined) => (of === undefined ? {} : { keys: of });
  const look: MenuEntry[] =
    !isMany && isAtService
      ? [{ id: 'look', label: objectTexts.look.title, icon: 'eye', keys: 'Space', onAction: onLook }]
      : [];
  const atService: MenuEntry[] = [
    {
      id: 'download',
      label: isMany ? texts.downloadMany({ count }) : texts.download,
      icon: 'download',
      ...keys(keysOf('download')),
      onAction: actions.download,
    },
    {
      id: 'downloadDeferred',
      label: isMany ? texts.downloadDeferredMany({ count }) : texts.downloadDeferred,
      icon: 'deferred',
      onAction: actions.downloadDeferred,
    },
    ...(!isMany
      ? [
          {
            id: 'saveAs',
            label: commonTexts.saveAs,
            icon: 'download',
            onAction: actions.saveAs,
          } satisfies MenuEntry,
        ]
      : []),
    ...(isMany || (row !== undefined && canTakeOut(row))
      ? [
          {
            id: 'copyFiles',
            label: isMany ? texts.copyFiles({ count }) : texts.copyFile,
            icon: 'copy',
            onAction: actions.copyFiles,
          } satisfies MenuEntry,
        ]
      : []),
    {
      id: 'check',
      label: isMany ? texts.checkMany({ count }) : texts.check,
      icon: 'refresh',
      ...keys(keysOf('check')),
      onAction: actions.check,
    },
    'line',
  ];
  const forget: MenuEntry[] = [
    { id: 'forget', label: commonTexts.removeFromList, icon: 'x', onAction: actions.forget },
  ];
  const remove: MenuEntry[] = [
    {
      id: 'delete',
      label: isMany && count > 0 ? texts.deleteMany({ count }) : texts.deleteAsk,
      icon: 'trash',
      kind: 'bad',
      ...keys(keysOf('delete')),
      onAction: actions.askToDelete,
    },
  ];
  const open: MenuEntry[] =
    isMany || row === undefined || !canOpen(row)
      ? []
      : [
          {
            id: 'openObject',
            ...(actions.opens(row)
              ? { label: commonTexts.openFile, icon: 'file' as const }
              : { label: texts.showCopy, icon: 'folder' as const, text: texts.whyShown }),
            ...keys(keysOf('open')),
            onAction: () => actions.open(row),
          },
          {
            id: 'edit',
            label: texts.edit,
            icon: 'pencil',
            ...keys(keysOf('edit')),
            onAction: () => actions.edit(row.id),
          },
          'line',
        ];
  const reclassify: MenuEntry[] =
    isMany || isStoredWhole(row)
      ? [{ id: 'reclassify', label: texts.reclassify, icon: 'tag', onAction: actions.askToReclassify }]
      : [];
  const rename: MenuEntry[] =
    isMany || onRename === null
      ? []
      : [
          {
            id: 'rename',
            label: texts.renameHere,
            icon: 'text',
            ...keys(keysOf('move')),
            onAction: onRename,
          },
        ];
  const move: MenuEntry[] =
    isMany || isStoredWhole(row)
      ? [
          {
            id: 'move',
            label: isMany && count > 0 ? texts.moveMany({ count }) : texts.move,
            icon: 'folder',
            ...(isMany && keys(keysOf('move'))),
            onAction: actions.askToMove,
          },
        ]
      : [];
  // Details offers it where there are several.
  const findVersions: MenuEntry[] =
    isMany || !isStoredWhole(row) || row.versions !== undefined
      ? []
      : [
          {
            id: 'findVersions',
            label: versionTexts.lookOfOne,
            icon: 'search',
            onAction: () => actions.findVersions(row.id),
          },
        ];
  // Of folders without objects.
  if (row === undefined && count === 0) return [...move, ...remove];
  return [
    ...look,
    ...open,
    ...(saved === null || isMany ? [] : fileEntries(saved, actions)),
    ...(isMany ? showEntries(downloads, actions) : []),
    ...(isAtService ? atService : []),
    {
      id: 'details',
      label: commonTexts.showDetails,
      icon: 'text',
      ...keys(keysOf('details')),
      onAction: () => showDock('details'),
    },
    {
      id: 'copy',
      label: isMany ? commonTexts.copyIdentifiers({ count }) : commonTexts.copyIdentifier,
      icon: 'copy',
      keys: isMac ? '⌘+C' : 'Ctrl+C',
      onAction: actions.copyIdentifiers,
    },
    ...(isMany || row === undefined || !isAtService
      ? []
      : [
          {
            id: 'link',
            label: texts.copyLink,
            icon: 'link',
            onAction: () => actions.copyLink(row.id),
          } satisfies MenuEntry,
        ]),
    ...findVersions,
    ...(isAtService ? [...rename, ...move, ...reclassify] : []),
    'line',
    ...(row !== undefined && canForget(row) ? forget : []),
    ...(isAtService ? remove : []),
  ];
}

function fileEntries({ transferId, state, isOpenable }: SavedFile, actions: ObjectActions): MenuEntry[] {
  const open: MenuEntry = {
    id: 'open',
    label: texts.openSaved,
    icon: 'file',
    ...(state === 'gone' && { text: texts.fileGone, isDisabled: true }),
    ...(state === 'changed' && { text: texts.fileChanged }),
    onAction: () => actions.openFile(transferId),
  };
  const show = state === 'gone' ? ['line' as const] : showEntries([transferId], actions);
  return [...(isOpenable || state === 'gone' ? [open] : []), ...show];
}

/** Shows the file of a download, or the folder of several. */
export function showEntries(
  transferIds: readonly number[],
  actions: Pick<ObjectActions, 'showInFolder'>,
): MenuEntry[] {
  if (transferIds.length === 0) return [];
  const show: MenuEntry = {
    id: 'showInFolder',
    label: commonTexts.showInFolder,
    icon: 'folder',
    onAction: () => actions.showInFolder(transferIds),
  };
  return [show, 'line'];
}

type OpenedMenu = { at: Point; saved: SavedFile | null; downloads: readonly number[] };

/** The context menu of the rows. First asks main whether files of earlier downloads still exist, to offer them. */
export function useRowMenu(query: ObjectQuery | null, total: number) {
  const client = useClient();
  const [menu, setMenu] = useState<OpenedMenu | null>(null);

  async function open(pressed: ObjectRow | undefined, at: Point) {
    const asked = pressed === undefined ? null : client.call('objects.savedFile', { id: pressed.id });
    const { selection, folders } = useBrowser.getState();
    const isSeveral = countSelected(selection, total) > 1 || folders.size > 0;
    const several = query === null || !isSeveral ? null : toWire(selection, folders, query);
    const [saved, downloads] = await Promise.all([
      asked?.then(
        (answer) => answer.saved,
        () => null,
      ),
      several &&
        client.call('objects.savedFiles', { selection: several }).then(
          (answer) => answer.transferIds,
          () => [],
        ),
    ]);
    setMenu({ at, saved: saved ?? null, downloads: downloads ?? [] });
  }
  return { menu, open, close: () => setMenu(null) };
}
