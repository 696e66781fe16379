import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron';
import { mainTexts } from '../texts.ts';

const texts = mainTexts.menu;

type Place = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;

/** Empty if no text action applies. Roles act on the focused page, like those of the menu bar. */
export function contextMenuTemplate({
  isEditable,
  selectionText,
  editFlags,
}: Place): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', label: texts.copy, enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' || !editFlags.canCopy ? [] : [copy];
  return [
    { role: 'undo', label: texts.undo, enabled: editFlags.canUndo },
    { role: 'redo', label: texts.redo, enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: texts.cut, enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: texts.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: texts.selectAll, enabled: editFlags.canSelectAll },
  ];
}

/**
 * Shows a menu for texts: "No context menu will appear by default in Electron" (docs/tutorial/context-menu.md). Where the page
 * shows its own menu it prevents the event, and Chromium does not report it (`HandleContextMenu`). Passes no `frame`: with it macOS
 * adds Look Up, Writing Tools and Services, which hand the text to others.
 */
export function showContextMenus(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, params) => {
    const template = contextMenuTemplate(params);
    if (template.length === 0) return;
    const { menuSourceType: sourceType, x, y } = params;
    // Opened by the keyboard, the menu appears at the field, not at the pointer.
    const place = sourceType === 'keyboard' ? { x, y } : {};
    Menu.buildFromTemplate(template).popup({ window, sourceType, ...place });
  });
}
