import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron';
import { mainTexts } from '../texts.ts';

const texts = mainTexts.menu;

type Place = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;

/** Empty where there is nothing to do with text. Roles act on the page that has the focus, as those of the menu bar do. */
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
 * shows its own menu it prevents the event, and Chromium tells nothing (`HandleContextMenu`). No `frame` is given: with it macOS
 * adds Look Up, Writing Tools and Services, which hand the text to others.
 */
export function showContextMenus(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, params) => {
    const template = contextMenuTemplate(params);
    if (template.length === 0) return;
    const { menuSourceType: sourceType, x, y } = params;
    // From the keyboard it belongs to the field, not to the pointer.
    const place = sourceType === 'keyboard' ? { x, y } : {};
    Menu.buildFromTemplate(template).popup({ window, sourceType, ...place });
  });
}
