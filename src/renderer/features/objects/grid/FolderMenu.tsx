import { useState, type ReactNode } from 'react';
import { folderAbove } from '../../../../shared/domain/folder.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import { OpenFolderMenu, type Point } from '../../../app/folder-menu.ts';
import { appTexts } from '../../../i18n/app-texts.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { ContextMenu } from '../../../ui/Menu.tsx';
import { ActionDialogs } from '../ActionDialogs.tsx';
import { copyText } from '../../../app/copy-text.ts';
import { useClient } from '../../../app/client.ts';
import { useObjectActions } from '../use-object-actions.ts';
import { showEntries } from './row-menu.ts';

const texts = appTexts.nav.folderMenu;

type Opened = { path: string; at: Point; from: HTMLElement; downloads: readonly number[] };

/** Actions on everything in a folder. */
export function FolderMenu({ service, children }: { service: Service; children: ReactNode }) {
  const client = useClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [isOpen, setOpen] = useState(false);
  const path = opened?.path ?? '';
  const { separator, name } = service;
  const actions = useObjectActions(
    opened === null ? null : allOf(service.id, path),
    folderAbove(path, separator),
  );

  /** Main looks first whether files of earlier downloads still exist. */
  function open(folder: string, at: Point, from: HTMLElement) {
    const show = (downloads: readonly number[]) => {
      setOpened({ path: folder, at, from, downloads });
      setOpen(true);
    };
    client.call('objects.savedFiles', { selection: allOf(service.id, folder) }).then(
      ({ transferIds }) => show(transferIds),
      () => show([]),
    );
  }
  function copy() {
    if (copyText(path + separator)) announce(texts.copied);
    else announce(texts.notCopied, 'assertive');
  }
  return (
    <OpenFolderMenu value={open}>
      {children}
      <ContextMenu
        at={isOpen ? (opened?.at ?? null) : null}
        label={texts.label({ path })}
        entries={[
          ...showEntries(opened?.downloads ?? [], actions),
          { id: 'download', label: objectTexts.act.download, icon: 'download', onAction: actions.download },
          { id: 'check', label: objectTexts.act.check, icon: 'refresh', onAction: actions.check },
          { id: 'copy', label: texts.copyPath, icon: 'copy', onAction: copy },
          { id: 'move', label: objectTexts.act.rename, icon: 'folder', onAction: actions.askToMove },
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
          setOpen(false);
          opened?.from.focus();
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

function allOf(serviceId: string, path: string): Selection {
  return {
    kind: 'query',
    query: {
      serviceId,
      kind: 'data',
      place: { kind: 'folder', path },
      search: '',
      sort: { column: 'identifier', direction: 'ascending' },
    },
    exceptIds: [],
  };
}
