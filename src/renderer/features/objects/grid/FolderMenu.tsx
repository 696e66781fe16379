import { useState, type ReactNode } from 'react';
import { folderAbove } from '../../../../shared/domain/folder.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import { useFavourite } from '../../../app/favourites.ts';
import { FolderOfMenu, MoveFolder, OpenFolderMenu, type Point } from '../../../app/folder-menu.ts';
import { keysOf } from '../../../app/key-bindings.ts';
import { appTexts } from '../../../i18n/app-texts.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { folderTexts } from '../../../i18n/folder-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { ContextMenu, type MenuEntry } from '../../../ui/Menu.tsx';
import { ActionDialogs } from '../actions/ActionDialogs.tsx';
import { copyText } from '../../../app/copy-text.ts';
import { type Client, useClient } from '../../../app/client.ts';
import { useObjectActions } from '../actions/use-object-actions.ts';
import { askForFolder } from '../state/new-folder.ts';
import { showEntries } from './row-menu.ts';

const texts = appTexts.nav.folderMenu;

type OpenMenu = { at: Point; from: HTMLElement; downloads: readonly number[]; isEmpty: boolean };

/** Actions on everything in a folder. */
export function FolderMenu({ service, children }: { service: Service; children: ReactNode }) {
  const client = useClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const path = chosen ?? '';
  const { separator, name } = service;
  const moveKeys = keysOf('move');
  const actions = useObjectActions(
    chosen === null ? null : allOf(service.id, path),
    folderAbove(path, separator),
  );

  async function open(folder: string, at: Point, from: HTMLElement) {
    const facts = await factsOf(client, allOf(service.id, folder));
    setChosen(folder);
    setMenu({ at, from, ...facts });
  }
  const favourite = useFavourite(service.id, { kind: 'data', place: { kind: 'folder', path }, search: '' });

  function move(folder: string) {
    setChosen(folder);
    actions.askToMoveAll(allOf(service.id, folder));
  }
  function copy() {
    if (copyText(path + separator)) announce(texts.copied);
    else announce(texts.notCopied, 'assertive');
  }
  /** What can be done with objects only. */
  const ifFilled = (...entries: MenuEntry[]) => (menu?.isEmpty ? [] : entries);
  return (
    <OpenFolderMenu value={(...asked) => void open(...asked)}>
      <MoveFolder value={move}>
        <FolderOfMenu value={menu === null ? null : path}>{children}</FolderOfMenu>
      </MoveFolder>
      <ContextMenu
        at={menu?.at ?? null}
        label={texts.label({ path })}
        entries={[
          ...showEntries(menu?.downloads ?? [], actions),
          ...ifFilled(
            { id: 'download', label: objectTexts.act.download, icon: 'download', onAction: actions.download },
            { id: 'check', label: objectTexts.act.check, icon: 'refresh', onAction: actions.check },
          ),
          {
            id: 'newFolder',
            label: folderTexts.new,
            icon: 'plus',
            onAction: () => askForFolder(path),
          },
          { id: 'copy', label: texts.copyPath, icon: 'copy', onAction: copy },
          {
            id: 'favourite',
            label: favourite.label,
            icon: favourite.isKept ? 'starred' : 'star',
            onAction: favourite.toggle,
          },
          'line',
          ...ifFilled({
            id: 'reclassify',
            label: objectTexts.act.reclassify,
            icon: 'tag',
            onAction: actions.askToReclassify,
          }),
          {
            id: 'move',
            label: objectTexts.act.rename,
            icon: 'folder',
            ...(moveKeys !== undefined && { keys: moveKeys }),
            onAction: actions.askToMove,
          },
          'line',
          {
            id: 'delete',
            label: objectTexts.act.deleteAsk,
            icon: 'trash',
            kind: 'bad',
            onAction: actions.askToDelete,
          },
        ]}
        onClose={() => {
          setMenu(null);
          menu?.from.focus();
        }}
      />
      {actions.act.error !== null && (
        <p className="folder-menu__error" role="alert">
          {errorLine(actions.act.error)}
        </p>
      )}
      <ActionDialogs
        actions={actions}
        serviceId={service.id}
        separator={separator}
        serviceName={name}
        folder={path}
      />
    </OpenFolderMenu>
  );
}

/** Whether there are no objects in it, and which earlier downloads left files that still exist. */
async function factsOf(client: Client, selection: Selection) {
  const nothing = () => null;
  const [saved, summary] = await Promise.all([
    client.call('objects.savedFiles', { selection }).catch(nothing),
    client.call('objects.summarize', { selection }).catch(nothing),
  ]);
  return { downloads: saved?.transferIds ?? [], isEmpty: summary?.count === 0 };
}

function allOf(serviceId: string, path: string): Selection {
  return { kind: 'folders', serviceId, paths: [path], and: null };
}
