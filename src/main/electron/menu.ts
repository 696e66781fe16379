import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { onLanguageChange } from '../../shared/i18n/language.ts';
import { mainTexts } from '../texts.ts';
import type { Command, Undoable } from '../../shared/contract.ts';
import { commandKeys, type Chords } from '../../shared/keys.ts';

const texts = mainTexts.menu;

/**
 * The menu. Its commands are sent to the page as events. Keys that also have a meaning in text fields (Enter, Delete,
 * `/`, Esc, Ctrl/Cmd+A) are handled by the page, which sees them first. On macOS the standard keys of text fields and
 * windows work only through menu roles: Cmd+A of `selectAll`, Cmd+M of `windowMenu` (docs/api/menu-item.md).
 */
export function menuTemplate(
  give: (command: Command) => void,
  isMac: boolean,
  undos: readonly Undoable[] = [],
): MenuItemConstructorOptions[] {
  const item = (label: string, command: Command): MenuItemConstructorOptions => {
    const accelerator = acceleratorOf(command);
    return {
      id: command,
      label,
      ...(accelerator !== undefined && { accelerator }),
      click: () => give(command),
    };
  };
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const settings = item(texts.settings, 'settings');

  const appMenu: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [
      { role: 'about', label: texts.about },
      separator,
      settings,
      separator,
      { role: 'hide', label: texts.hide },
      { role: 'hideOthers', label: texts.hideOthers },
      { role: 'unhide', label: texts.unhide },
      separator,
      { role: 'quit', id: 'quit', label: texts.quit },
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: texts.file,
      submenu: [
        item(texts.uploadFiles, 'upload'),
        item(texts.uploadFolder, 'uploadFolder'),
        item(texts.newFolder, 'newFolder'),
        item(texts.watchFolder, 'watchFolder'),
        item(texts.newSecret, 'newSecret'),
        item(texts.addKnown, 'addKnown'),
        separator,
        ...(isMac
          ? [{ role: 'close', label: texts.close } as const]
          : [settings, separator, { role: 'quit', id: 'quit', label: texts.quit } as const]),
      ],
    },
    {
      label: texts.edit,
      submenu: [
        { role: 'undo', label: texts.undo },
        { role: 'redo', label: texts.redo },
        // The keys are those of the role, which is for text fields: the page sees them first.
        {
          id: 'undo',
          label: undos[0] === undefined ? texts.undoNothing : texts.undoNext[undos[0]],
          enabled: undos.length > 0,
          click: () => give('undo'),
        },
        ...(undos.length > 1 ? [severalUndos(undos, give)] : []),
        separator,
        { role: 'cut', label: texts.cut },
        { role: 'copy', label: texts.copy },
        { role: 'paste', label: texts.paste },
        // On other systems text fields handle Ctrl+A themselves.
        ...(isMac ? [{ role: 'selectAll', label: texts.selectAll } as const] : []),
        separator,
        item(texts.search, 'search'),
      ],
    },
    {
      label: texts.objects,
      submenu: [
        item(texts.open, 'open'),
        item(texts.editInPlace, 'edit'),
        item(texts.move, 'move'),
        item(texts.details, 'details'),
        item(texts.download, 'download'),
        item(texts.downloadDeferred, 'downloadDeferred'),
        item(texts.check, 'check'),
        item(texts.delete, 'delete'),
      ],
    },
    {
      label: texts.view,
      submenu: [
        item(texts.palette, 'palette'),
        separator,
        item(texts.details, 'dock.details'),
        item(texts.transfers, 'dock.transfers'),
        item(texts.jobs, 'dock.jobs'),
        item(texts.toggleActivity, 'dock.toggle'),
        separator,
        { role: 'resetZoom', id: 'resetZoom', label: texts.resetZoom },
        { role: 'zoomIn', id: 'zoomIn', label: texts.zoomIn },
        { role: 'zoomOut', id: 'zoomOut', label: texts.zoomOut },
        ...zoomKeys.map(([role, accelerator]) => ({
          role,
          label: texts[role],
          accelerator,
          visible: false,
        })),
        { role: 'togglefullscreen', label: texts.fullScreen },
        ...(app.isPackaged
          ? []
          : [separator, { role: 'toggleDevTools', label: texts.developerTools } as const]),
      ],
    },
    ...(isMac ? [{ role: 'windowMenu' } as const] : []),
    {
      // The role adds macOS's field for searching menus.
      ...(isMac && { role: 'help' as const }),
      label: texts.help,
      submenu: [item(texts.shortcuts, 'shortcuts'), item(texts.report, 'report')],
    },
  ];
}

/** The last actions by name: one that is chosen is undone with all that came after it. */
function severalUndos(
  undos: readonly Undoable[],
  give: (command: Command) => void,
): MenuItemConstructorOptions {
  const submenu = undos.map((undo, at) => ({
    id: `undo.${at + 1}`,
    label: texts.undoNext[undo],
    click: () => undos.slice(0, at + 1).forEach(() => give('undo')),
  }));
  return { id: 'undos', label: texts.undoBackTo, submenu };
}

/** Beside those of the roles: Plus has Shift on a US keyboard, and the numeric pad has keys of its own. */
const zoomKeys = [
  ['zoomIn', 'CmdOrCtrl+='],
  ['zoomIn', 'CmdOrCtrl+numadd'],
  ['zoomOut', 'CmdOrCtrl+numsub'],
  ['resetZoom', 'CmdOrCtrl+num0'],
] as const;

/** The first of a command's keys that has no meaning in text fields. */
function acceleratorOf(command: Command): string | undefined {
  const byCommand: Partial<Record<Command, Chords>> = commandKeys;
  return byCommand[command]?.find((chord) => chord.length > 1)?.replace('Mod', 'CmdOrCtrl');
}

let make: () => void = () => undefined;
let undos: readonly Undoable[] = [];

/** Call after `ready`; makes it again when the language changes. */
export function setMenu(give: (command: Command) => void): void {
  make = () => {
    const template = menuTemplate(give, process.platform === 'darwin', undos);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  make();
  onLanguageChange(make);
}

/** Names what the window can undo, the newest first. */
export function nameUndos(names: readonly Undoable[]): void {
  undos = names;
  make();
}
