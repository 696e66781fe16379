import { useState, type MouseEvent } from 'react';
import { runCommand } from '../../../app/commands.ts';
import { focusGrid } from '../../../app/grid.ts';
import type { Point } from '../../../app/folder-menu.ts';
import { keysOf } from '../../../app/key-bindings.ts';
import { folderTexts } from '../../../i18n/folder-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { ContextMenu, type MenuEntry } from '../../../ui/Menu.tsx';

/** The menu of a folder's empty area. @returns call `open` for each right click on the list that no row took */
export function usePlaceMenu(title: string) {
  const [at, setAt] = useState<Point | null>(null);
  const entry = (command: 'newFolder' | 'upload', label: string, icon: 'plus' | 'upload'): MenuEntry => {
    const keys = keysOf(command);
    return {
      id: command,
      label,
      icon,
      ...(keys !== undefined && { keys }),
      onAction: () => void runCommand(command),
    };
  };
  return {
    open: (event: MouseEvent) => {
      if (event.isDefaultPrevented() || !isEmptyArea(event.target)) return;
      event.preventDefault();
      setAt({ x: event.clientX, y: event.clientY });
    },
    menu: (
      <ContextMenu
        at={at}
        label={title}
        entries={[
          entry('newFolder', folderTexts.new, 'plus'),
          entry('upload', objectTexts.act.uploadFiles, 'upload'),
        ]}
        onClose={() => {
          setAt(null);
          focusGrid();
        }}
      />
    ),
  };
}

function isEmptyArea(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.closest('button, [role="columnheader"]') !== null) return false;
  return target.closest('.objects-grid, .empty') !== null;
}
