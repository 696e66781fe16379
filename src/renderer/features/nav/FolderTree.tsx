import { commandOf, inlineKey } from '../../app/key-bindings.ts';
import { memo, use, useEffect, useEffectEvent, type KeyboardEvent } from 'react';
import type { Folder } from '../../../shared/domain/object.ts';
import { useClient } from '../../app/client.ts';
import { useIsOver } from '../../app/drops.ts';
import { MoveFolder, OpenFolderMenu } from '../../app/folder-menu.ts';
import { setExpanded, usePlace } from '../../app/place.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { PlaceLink } from './PlaceLink.tsx';

const texts = appTexts.nav;
/** Maximum number of folders in one folder; *Files* lists them all. More would be slow to draw, and nobody reads them here. */
const shownMax = 200;
/** Delay in ms before a folder expands under a drag. */
const openOverMs = 600;

/** The folders below `parent` ('' for the root), loaded when it is expanded. */
export const FolderLevel = memo(function FolderLevel({
  serviceId,
  parent,
  level,
}: {
  serviceId: string;
  parent: string;
  level: number;
}) {
  const client = useClient();
  const { value } = useOwnRemoteStore(() =>
    createRemoteStore({
      subscribe: (changed) =>
        client.on('objects.changed', (event) => {
          if (event.serviceId === serviceId) changed();
        }),
      load: () => client.call('objects.folders', { serviceId, parent }),
    }),
  );
  if (value === null) return null;
  const shown = value.folders.slice(0, shownMax);
  const more = value.more + value.folders.length - shown.length;
  return (
    <ul>
      {shown.map((folder) => (
        <FolderItem key={folder.path} serviceId={serviceId} folder={folder} level={level} />
      ))}
      {more > 0 && (
        <li className="side__hint" style={{ paddingInlineStart: 44 + level * 16 }}>
          {texts.moreFolders({ count: more })}
        </li>
      )}
    </ul>
  );
});

type FolderItemProps = { serviceId: string; folder: Folder; level: number };

const FolderItem = memo(function FolderItem({ serviceId, folder, level }: FolderItemProps) {
  const { path, name, count, hasChildren } = folder;
  const isOpen = usePlace(({ expanded }) => expanded.has(path));
  const openMenu = use(OpenFolderMenu);
  const move = use(MoveFolder);
  const isOver = useIsOver(path);
  const setOpen = (opens: boolean) => setExpanded([path], opens);
  const open = useEffectEvent(() => setOpen(true));
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(open, openOverMs);
    return () => clearTimeout(timer);
  }, [isOver]);

  function onKeyDown(event: KeyboardEvent) {
    if (commandOf(event, false) === 'move') {
      event.preventDefault();
      event.stopPropagation();
      move(path);
    }
    const way = hasChildren ? inlineKey(event.key) : null;
    if (way === null) return;
    event.preventDefault();
    setOpen(way === 'end');
  }

  return (
    <li className="folder">
      {hasChildren && (
        <button
          type="button"
          className="folder__turn"
          style={{ insetInlineStart: level * 16 - 5 }}
          tabIndex={-1}
          aria-label={isOpen ? texts.close({ name }) : texts.open({ name })}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </button>
      )}
      <PlaceLink
        place={{ kind: 'folder', path }}
        icon="folder"
        label={name}
        count={count}
        level={level}
        isExpanded={hasChildren ? isOpen : undefined}
        dropFolder={path}
        onMenu={(at, from) => openMenu(path, at, from)}
        onKeyDown={onKeyDown}
      />
      {hasChildren && isOpen && <FolderLevel serviceId={serviceId} parent={path} level={level + 1} />}
    </li>
  );
});
