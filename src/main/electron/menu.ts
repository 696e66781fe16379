import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Command } from '../../shared/contract.ts';

/**
 * The menu. Its commands go to the page as events. Keys that also mean something in a text field (Enter, Delete, `/`,
 * Esc, Ctrl/Cmd+A) are the page's own: it is asked first. On macOS the standard keys of text fields and windows work only
 * through roles of the menu: Cmd+A of `selectAll`, Cmd+M of `windowMenu` (docs/api/menu-item.md).
 */
export function menuTemplate(give: (command: Command) => void, isMac: boolean): MenuItemConstructorOptions[] {
  const item = (label: string, command: Command, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator ? { accelerator } : {}),
    click: () => give(command),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item('Settings…', 'settings', 'CmdOrCtrl+,');

  const appMenu: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: '&File',
      submenu: [
        item('Upload files…', 'upload', 'CmdOrCtrl+U'),
        item('Upload folder…', 'uploadFolder', 'CmdOrCtrl+Shift+U'),
        item('New secret…', 'newSecret'),
        item('Add known identifiers…', 'addKnown'),
        separator,
        ...(isMac ? [{ role: 'close' } as const] : [settings, separator, { role: 'quit' } as const]),
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        // Elsewhere a text field has Ctrl+A by itself.
        ...(isMac ? [{ role: 'selectAll' } as const] : []),
        separator,
        item('Search', 'search', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: '&Objects',
      submenu: [
        item('Details', 'details'),
        item('Download', 'download', 'CmdOrCtrl+D'),
        item('Download deferred', 'downloadDeferred'),
        item('Check', 'check', 'F5'),
        item('Delete…', 'delete'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('Command palette', 'palette', 'CmdOrCtrl+K'),
        separator,
        item('Details', 'dock.details', 'CmdOrCtrl+1'),
        item('Transfers', 'dock.transfers', 'CmdOrCtrl+2'),
        item('Jobs', 'dock.jobs', 'CmdOrCtrl+3'),
        item('Show or hide activity', 'dock.toggle'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [separator, { role: 'toggleDevTools' } as const]),
      ],
    },
    ...(isMac ? [{ role: 'windowMenu' } as const] : []),
  ];
}

/** After `ready`. */
export function setMenu(give: (command: Command) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(give, process.platform === 'darwin')));
}
